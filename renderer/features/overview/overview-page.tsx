import type { ReactNode } from "react";
import { useGatewayState, useConnections } from "../../api/queries.ts";
import { useOverlays } from "../../components/frame/overlays.ts";
import { PageHeader } from "../../components/frame/page-header.tsx";
import { Failure, SkeletonRows, NoticeLine } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { ConnectPanel } from "./connect-panel.tsx";
import { FirstRun } from "./first-run/first-run.tsx";
import { Notices, SandboxLine } from "./notices.tsx";
import { RecentRequests } from "./recent-requests.tsx";
import { RunningTasks } from "./running-tasks.tsx";
import { StatStrip } from "./stat-strip.tsx";
import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import { routeHash } from "../../lib/router.ts";

/** What keeps a provider from answering: worst first, because only the last of them passes by itself. */
const FAILING = ["refused", "out_of_credit", "open"] as const;

/** Why a connection takes no call now; null while one of its keys does. A key that waits out a rate limit counts as well. */
export function outageOf({ enabled, credentials }: ConnectionView): (typeof FAILING)[number] | null {
  if (!enabled || credentials.length === 0) return null;
  const states = FAILING.filter((state) => credentials.some((credential) => credential.state === state));
  return credentials.every(({ state }) => FAILING.some((one) => one === state)) ? (states[0] ?? null) : null;
}

/** One line for each provider that does not answer: the reason why tools fail. */
function OutageLines(): ReactNode {
  const t = useMessages();
  const { data: connections = [] } = useConnections();
  return connections.map((connection) => {
    const outage = outageOf(connection);
    if (outage === null) return null;
    return (
      <NoticeLine
        key={connection.id}
        level="danger"
        action={
          <a href={routeHash("connections")} className="px-2 font-medium text-current!">
            {t.pages.connections}
          </a>
        }
      >
        {t.overview.outages[outage](connection.name)}
      </NoticeLine>
    );
  });
}

export function OverviewPage(): ReactNode {
  const t = useMessages();
  const overlays = useOverlays();
  const { data: state, error, refetch } = useGatewayState();
  return (
    <>
      <PageHeader title={t.pages.overview} action={t.keys.create} onAction={() => overlays.open("createKey")} />
      {state === undefined ? (
        <section className="panel">
          {error === null ? <SkeletonRows rows={3} /> : <Failure error={error} onRetry={() => void refetch()} />}
        </section>
      ) : (
        <div className="flex flex-col gap-4">
          <Notices state={state} />
          <OutageLines />
          <FirstRun state={state} otherwise={<SandboxLine state={state} />} />
          <StatStrip state={state} />
          <RunningTasks />
          <ConnectPanel state={state} />
          <RecentRequests />
        </div>
      )}
    </>
  );
}
