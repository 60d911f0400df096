import { Tabs } from "@base-ui/react/tabs";
import { CircleDot } from "lucide-react";
import { useEffect, useMemo, useRef, type ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { Recording, RequestDetail } from "../../../gateway/contract/requests.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { Button } from "../ui/button.tsx";
import { Section } from "../ui/section.tsx";
import { Failure, SkeletonRows } from "../ui/states.tsx";
import { BothSides } from "./both-sides.tsx";
import { readResponse } from "./readable.ts";
import { ReceiptTable } from "./receipt-table.tsx";
import { RecordedRequestView } from "./recorded-request.tsx";
import { RecordedResponseView } from "./recorded-response.tsx";
import { RequestActions } from "./request-actions.tsx";
import { RequestFacts } from "./request-facts.tsx";
import { RequestProblem } from "./request-problem.tsx";
import { RequestTiming } from "./request-timing.tsx";
import { useRecordingActions, type RequestState } from "./use-request.ts";

export const requestTabs = ["overview", "request", "response", "sides", "timing", "cost"] as const;
export type RequestTab = (typeof requestTabs)[number];

/** Returns the tab of an address; null if there is no valid one. */
export const getRequestTab = (name: string | null): RequestTab | null =>
  requestTabs.find((each) => each === name) ?? null;

/** Returns the tab of the recorded text that a search found; null if it found none there. */
export function findHit(recording: Recording | null, q: string): RequestTab | null {
  const query = q.trim().toLowerCase();
  if (recording === null || query === "") return null;
  const has = (text: string): boolean => text.toLowerCase().includes(query);
  const response = recording.response?.chunks.map(({ text }) => text).join("") ?? "";
  if (has(response) || has(readResponse(recording))) return "response";
  return has(recording.request.text) ? "request" : null;
}

export interface RequestTabsProps {
  readonly receipt: Receipt;
  /** Request details, possibly still loading. */
  readonly state: RequestState;
  /** Null: the one with the search text, or the first. */
  readonly tab: RequestTab | null;
  /** Search text to highlight. */
  readonly q?: string;
  readonly onTab: (tab: RequestTab) => void;
  /** Shows the requests of one model or key. */
  readonly onFilter: (params: Readonly<Record<string, string>>) => void;
}

/** Shows a finished request: its error if it failed, its facts, its recording, and its receipt. */
export function RequestTabs({ receipt, state, tab: chosen, q = "", onTab, onFilter }: RequestTabsProps): ReactNode {
  const t = useMessages();
  const { detail } = state;
  const hit = useMemo(() => findHit(detail?.recording ?? null, q), [detail, q]);
  const tab = chosen ?? hit ?? requestTabs[0];
  const panel = useRef<HTMLDivElement>(null);
  // The found text is in sight when the panel opens on it.
  useEffect(() => {
    if (detail !== undefined && tab === hit) panel.current?.querySelector("mark")?.scrollIntoView({ block: "center" });
  }, [tab, hit, detail]);
  return (
    <Tabs.Root value={tab} onValueChange={onTab} className="flex min-h-0 grow flex-col">
      <div className="px-4 pt-2 empty:hidden">
        <RequestProblem receipt={receipt} recording={detail?.recording ?? null} />
      </div>
      <Tabs.List
        aria-label={t.requests.details}
        className="flex shrink-0 gap-0.5 overflow-x-auto border-b border-line px-2.5 pt-1 [scrollbar-width:none]"
      >
        {requestTabs.map((name) => (
          <Tabs.Tab
            key={name}
            value={name}
            className="-mb-px h-8 shrink-0 border-b-2 border-transparent px-1.5 text-muted -outline-offset-2 hover:text-text data-active:border-accent data-active:font-medium data-active:text-text pointer-coarse:h-10"
          >
            {t.requestLog.tabs[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel
        ref={panel}
        key={tab}
        value={tab}
        tabIndex={-1}
        className="flex min-h-0 min-w-0 grow flex-col gap-3 overflow-y-auto px-4 pt-2 pb-4 outline-none"
      >
        {tab === "overview" && <Overview {...{ receipt, state, onFilter }} />}
        {tab === "request" && (
          <Recorded state={state}>{(recording) => <RecordedRequestView recording={recording} q={q} />}</Recorded>
        )}
        {tab === "response" && (
          <Recorded state={state}>{(recording) => <RecordedResponseView recording={recording} q={q} />}</Recorded>
        )}
        {tab === "sides" && (
          <Recorded state={state}>{(recording) => <BothSides receipt={receipt} recording={recording} />}</Recorded>
        )}
        {tab === "timing" && <RequestTiming receipt={receipt} recording={state.detail?.recording ?? null} />}
        {tab === "cost" && (
          <Section title={t.requests.receipt}>
            <ReceiptTable receipt={receipt} />
          </Section>
        )}
      </Tabs.Panel>
    </Tabs.Root>
  );
}

type OverviewProps = Pick<RequestTabsProps, "receipt" | "state" | "onFilter">;

function Overview({ receipt, state, onFilter }: OverviewProps): ReactNode {
  const { detail } = state;
  return (
    <>
      <RequestFacts receipt={receipt} detail={detail} onFilter={onFilter} />
      {detail !== undefined ? (
        <>
          <RequestActions detail={detail} />
          {detail.recording === null && <NothingRecorded on={detail.recording_on} />}
        </>
      ) : (
        <Pending state={state} />
      )}
    </>
  );
}

interface RecordedProps {
  readonly state: RequestState;
  readonly children: (recording: Recording) => ReactNode;
}

function Recorded({ state, children }: RecordedProps): ReactNode {
  const { detail } = state;
  if (detail === undefined) return <Pending state={state} />;
  const { recording } = detail;
  return recording === null ? <NothingRecorded on={detail.recording_on} /> : children(recording);
}

/** Shows that data is still loading. */
function Pending({ state: { error, retry } }: { readonly state: RequestState }): ReactNode {
  return error === null ? <SkeletonRows rows={4} /> : <Failure error={error} onRetry={retry} />;
}

/** Says why there is no recording, and how to record the next request. */
function NothingRecorded({ on }: { readonly on: RequestDetail["recording_on"] }): ReactNode {
  const t = useMessages();
  const { set } = useRecordingActions();
  return (
    <div className="flex flex-col items-start gap-2 rounded-md border border-line bg-canvas px-4 py-3">
      <h3 className="font-semibold">{t.requestLog.nothing}</h3>
      <p className="text-muted">{on ? t.requestLog.nothingOn : t.requestLog.nothingOff}</p>
      {!on && (
        <Button icon={<CircleDot size={14} aria-hidden />} busy={set.isPending} onClick={() => set.mutate(true)}>
          {t.requestLog.switchOn}
        </Button>
      )}
    </div>
  );
}
