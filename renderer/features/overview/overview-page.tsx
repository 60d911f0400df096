import type { ReactNode } from "react";
import { useGatewayState } from "../../api/queries.ts";
import { useOverlays } from "../../components/frame/overlays.ts";
import { PageHeader } from "../../components/frame/page-header.tsx";
import { LazyPart } from "../../components/ui/lazy-part.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { createPart } from "../../lib/part.ts";
import type { State } from "../../../gateway/contract/control.ts";
import { Dashboard } from "./dashboard.tsx";
import { useExampleKey } from "./example-key.ts";
import { useFirstRun } from "./first-run/use-first-run.ts";
import { Notices, SandboxLine } from "./notices.tsx";
import { RecentRequests } from "./recent-requests.tsx";
import { RunningTasks } from "./running-tasks.tsx";

/** Ways in, which a filled overview does without. */
const guide = createPart(async () => (await import("./first-run/first-run.tsx")).Guide);
const connectPanel = createPart(async () => (await import("./connect-panel.tsx")).ConnectPanel, {
  hasPageWords: false,
});

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
        <Contents state={state} />
      )}
    </>
  );
}

function Contents({ state }: { readonly state: State }): ReactNode {
  const firstRun = useFirstRun(state);
  const exampleKey = useExampleKey();
  const guided = firstRun.status === "guide";
  // Before a provider has responded there is nothing to count.
  const counts = firstRun.status === "over" || firstRun.answered;
  return (
    <div className="flex flex-col gap-4">
      <Notices state={state} />
      {guided && <LazyPart part={guide} props={{ state, firstRun }} />}
      {firstRun.status === "over" && <SandboxLine state={state} />}
      {counts && <Dashboard state={state} />}
      <RunningTasks />
      <LazyPart part={connectPanel} props={{ state, exampleKey }} />
      <RecentRequests quiet={!counts} />
    </div>
  );
}
