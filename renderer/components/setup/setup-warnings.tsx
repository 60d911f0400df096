import type { ReactNode } from "react";
import type { SetupPlan } from "../../../gateway/contract/setup-operations.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { NoticeLine } from "../ui/states.tsx";

type SetupWarningsProps = Pick<SetupPlan, "conflicts"> & Partial<Pick<SetupPlan, "reads">>;

/** Conflicting records of a set-up, and what it reads from this machine. */
export function SetupWarnings({ conflicts, reads = [] }: SetupWarningsProps): ReactNode {
  const t = useMessages();
  return (
    <>
      {reads.length > 0 && (
        <NoticeLine level="warning">
          {t.setup.reads(reads.map((read) => t.setup.read(read.name, read.goes_to)).join(t.app.listed))}
        </NoticeLine>
      )}
      {conflicts.map(({ kind, name, message }) => (
        <NoticeLine key={`${kind} ${name} ${message}`} level="warning">
          {t.setup.conflict(t.setup.kinds[kind], name, message)}
        </NoticeLine>
      ))}
    </>
  );
}
