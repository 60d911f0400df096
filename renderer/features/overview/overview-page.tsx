import type { ReactNode } from "react";
import { useGatewayState } from "../../api/queries.ts";
import { useOverlays } from "../../components/frame/overlays.ts";
import { PageHeader } from "../../components/frame/page-header.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { ConnectPanel } from "./connect-panel.tsx";
import { FirstRun } from "./first-run/first-run.tsx";
import { Notices, SandboxLine } from "./notices.tsx";
import { OutageLines } from "./outage-lines.tsx";
import { RecentRequests } from "./recent-requests.tsx";
import { RunningTasks } from "./running-tasks.tsx";
import { StatStrip } from "./stat-strip.tsx";

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
