import type { ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";
import { Fact } from "../ui/facts.tsx";

export interface SessionFactsProps {
  readonly receipt: Receipt;
  /** Something that shows only the requests with these parameters. */
  readonly only: (params: Readonly<Record<string, string>>, label: string, text: string) => ReactNode;
}

/** Project, session and agent of a request, if its app sends them: lines of a `<dl>`. */
export function SessionFacts({ receipt: { project, session, agent }, only }: SessionFactsProps): ReactNode {
  const { sessions: t } = useMessages();
  return (
    <>
      {project !== undefined && <Fact label={t.project}>{only({ project }, t.filterByProject, project)}</Fact>}
      {session !== undefined && (
        <Fact label={t.session}>
          {only({ session }, t.filterBySession, session)}{" "}
          <a href={routeHash("sessions", { id: session })} className="whitespace-nowrap">
            {t.open}
          </a>
        </Fact>
      )}
      {agent !== undefined && <Fact label={t.agent}>{only({ agent }, t.filterByAgent, agent)}</Fact>}
    </>
  );
}
