import type { ReactNode } from "react";
import { useConnections } from "../api/queries.ts";
import { useMessages } from "../lib/i18n.tsx";
import { NoticeLine } from "./ui/states.tsx";

/** Says which vendor keys cannot be opened on this start, and the two ways on; nothing while all can. */
export function LockedKeys({ action }: { readonly action?: ReactNode }): ReactNode {
  const t = useMessages();
  const { data: connections = [] } = useConnections();
  const locked = connections.flatMap(({ name, credentials }) => {
    const hints = credentials.filter(({ state }) => state === "locked").map(({ hint }) => hint);
    return hints.length === 0 ? [] : [`${name} (${hints.join(", ")})`];
  });
  if (locked.length === 0) return null;
  return (
    <NoticeLine level="warning" action={action}>
      {t.connections.lockedKeys(locked.join(", "))}
    </NoticeLine>
  );
}
