import { ArrowLeft, CircleDot, Ellipsis } from "lucide-react";
import { useMemo, type ReactNode } from "react";
import { useSession, useTurns } from "../../api/session-queries.ts";
import { RequestDialog } from "../../components/request/request-dialog.tsx";
import { useRecordingActions, useRecordings } from "../../components/request/use-request.ts";
import { LimitItems } from "../../components/limits/limit-items.tsx";
import { Button, IconButton } from "../../components/ui/button.tsx";
import { Menu } from "../../components/ui/menu.tsx";
import { FilterChip } from "../../components/ui/chip.tsx";
import { ChoiceChip } from "../../components/ui/choice-chip.tsx";
import { CopyIcon } from "../../components/ui/copy.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams, routeHash } from "../../lib/router.ts";
import { ContextPlot } from "./context-plot.tsx";
import { SessionStrip } from "./session-strip.tsx";
import { getAgents, inOrder, matchesAgent, shortId, type NumberedTurn } from "./session-words.ts";
import { TurnRow } from "./turn-row.tsx";

/** Milliseconds after the newest known request up to which the session is searched; new requests extend it. */
const DAY_MS = 86_400_000;

/** Name of the main agent in an address, which has no id. */
const MAIN = "main";

const findAgent = (params: URLSearchParams): string | null => {
  const agent = params.get("agent");
  return agent === MAIN ? "" : agent;
};

/** A session: its totals, the parts of its context, and its requests in order with their conversation. */
export function SessionView({ id, params }: { readonly id: string; readonly params: URLSearchParams }): ReactNode {
  const { sessions: t } = useMessages();
  const { data: session, error } = useSession(id);
  const {
    data,
    error: turnsError,
    ...turns
  } = useTurns(id, session && { since: session.started_at, until: session.ended_at + DAY_MS });
  const all = useMemo(
    () => inOrder(data?.pages.flatMap((page) => page.data) ?? [], session?.requests ?? 0),
    [data, session?.requests],
  );
  const agent = findAgent(params);
  const shown = useMemo(() => all.filter(({ receipt }) => matchesAgent(receipt, agent)), [all, agent]);
  // All agents together would hide how the context of the main conversation grows.
  const plotted = useMemo(() => all.filter(({ receipt }) => matchesAgent(receipt, agent ?? "")), [all, agent]);
  const open = params.get("request");
  return (
    <>
      <div className="mb-3 flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <a href={routeHash("sessions")} className="inline-flex min-h-6 items-center gap-1">
          <ArrowLeft size={14} aria-hidden />
          {t.all}
        </a>
        <h2 className="min-w-0 truncate text-lead font-semibold">{session?.project ?? t.noProject}</h2>
        <span className="inline-flex min-w-0 items-center gap-1">
          <code className="truncate font-mono text-meta text-muted" title={id}>
            {shortId(id)}
          </code>
          <CopyIcon text={id} label={t.session} />
        </span>
        {session !== undefined && (
          <Menu
            trigger={
              <IconButton label={t.actions}>
                <Ellipsis size={15} aria-hidden />
              </IconButton>
            }
          >
            <LimitItems app={session.clients[0]} project={session.project} />
          </Menu>
        )}
      </div>
      {session !== undefined && <SessionStrip session={session} />}
      {(error ?? turnsError) !== null && all.length === 0 ? (
        <Failure error={error ?? turnsError} onRetry={() => void turns.refetch()} />
      ) : data === undefined ? (
        <SkeletonRows rows={8} />
      ) : (
        <>
          <div className="mb-3">
            <ContextPlot turns={plotted} />
          </div>
          <Requests {...{ all, shown, agent, params }}>
            {turns.hasNextPage && (
              <div className="border-b border-line p-2">
                <Button busy={turns.isFetchingNextPage} onClick={() => void turns.fetchNextPage()}>
                  {t.earlier}
                </Button>
              </div>
            )}
          </Requests>
        </>
      )}
      <RequestDialog
        id={open}
        known={all.find(({ receipt }) => receipt.id === open)?.receipt ?? null}
        onClose={() => replaceParams({ request: null })}
      />
    </>
  );
}

interface RequestsProps {
  readonly all: readonly NumberedTurn[];
  readonly shown: readonly NumberedTurn[];
  /** Agent whose requests are shown: "" for the main agent, null for all. */
  readonly agent: string | null;
  readonly params: URLSearchParams;
  /** The way to earlier ones. */
  readonly children: ReactNode;
}

function Requests({ all, shown, agent, params, children }: RequestsProps): ReactNode {
  const { sessions: t } = useMessages();
  const { data: recordings } = useRecordings();
  const agents = useMemo(() => getAgents(all), [all]);
  const measured = shown.filter(({ receipt }) => receipt.outcome === "completed");
  const longest = Math.max(0, ...shown.map(({ receipt }) => receipt.ms));
  const slowest = Math.max(0, ...measured.map(({ receipt }) => receipt.ms));
  const oldest = recordings?.oldest_at ?? null;
  const withTalk = params.get("said") !== "no";
  const nameOf = (one: string): string => (one === "" ? t.main : shortId(one));
  return (
    <section className="panel" aria-label={t.turns}>
      <div className="flex min-h-10 flex-wrap items-center gap-1.5 border-b border-line px-3 py-1">
        <h3 className="min-w-0 grow font-semibold">{t.turns}</h3>
        {agents.length > 0 && (
          <ChoiceChip
            label={t.everybody}
            chosen={agent === null ? null : nameOf(agent)}
            value={agent === "" ? MAIN : (agent ?? "all")}
            choices={[
              { id: "all", label: t.everybody },
              { id: MAIN, label: t.main },
              ...agents.map((one) => ({ id: one, label: shortId(one) })),
            ]}
            onChoose={(one) => replaceParams({ agent: one === "all" ? null : one })}
            onRemove={() => replaceParams({ agent: null })}
          />
        )}
        {oldest !== null && (
          <FilterChip pressed={withTalk} onPress={() => replaceParams({ said: withTalk ? "no" : null })}>
            {t.conversation}
          </FilterChip>
        )}
      </div>
      {recordings !== undefined && !all.some(({ receipt }) => mayBeRecorded(receipt.at, oldest)) && (
        <NotRecorded on={recordings.on} />
      )}
      {children}
      <ol>
        {shown.map((turn) => (
          <TurnRow
            key={turn.receipt.id}
            turn={turn}
            longest={longest}
            isSlowest={shown.length > 2 && turn.receipt.ms === slowest && turn.receipt.outcome === "completed"}
            withTalk={withTalk && mayBeRecorded(turn.receipt.at, oldest)}
          />
        ))}
      </ol>
    </section>
  );
}

/** A recording is written after its receipt. */
const AFTER_MS = 60_000;

/** Whether a recording may exist; false if all recordings are newer. @param oldest null: no recording */
const mayBeRecorded = (at: number, oldest: number | null): boolean => oldest !== null && at >= oldest - AFTER_MS;

/** Explains why a turn is not recorded, and how to record the next. */
function NotRecorded({ on }: { readonly on: boolean }): ReactNode {
  const t = useMessages();
  const { set } = useRecordingActions();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-canvas px-3 py-2">
      <p className="min-w-0 grow basis-72 text-muted">
        <span className="font-medium text-text">{t.sessions.notRecorded}.</span>{" "}
        {on ? t.sessions.notRecordedOn : t.sessions.notRecordedOff}
      </p>
      {!on && (
        <Button icon={<CircleDot size={14} aria-hidden />} busy={set.isPending} onClick={() => set.mutate(true)}>
          {t.requestLog.switchOn}
        </Button>
      )}
    </div>
  );
}
