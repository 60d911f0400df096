import type { ReactNode } from "react";
import type { State } from "../../../gateway/contract/control.ts";
import type { Totals } from "../../../gateway/contract/totals.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useNewestTasks } from "../../api/task-queries.ts";
import { stateInWords } from "../../components/frame/status-foot.tsx";
import { Dot } from "../../components/ui/badge.tsx";
import {
  CacheSaved,
  Count,
  Estimated,
  Money,
  nothing,
  SandboxMoney,
  UnpricedBadge,
  useAge,
} from "../../components/ui/figures.tsx";
import { StatCell } from "../../components/ui/stat-cell.tsx";
import { formatCompact, formatMoment } from "../../lib/format.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import { useRoving } from "../../lib/roving.ts";
import { routeHash } from "../../lib/router.ts";
import { MonthCell } from "./month-cell.tsx";
import type { OverviewRange } from "./overview-address.ts";

export interface StatStripProps {
  readonly state: State;
  /** Totals of the range; undefined until they are loaded. */
  readonly total: Totals | undefined;
  readonly range: OverviewRange;
  /** The range in an address of the Requests page. */
  readonly time: Readonly<Record<string, string>>;
}

/** State of the gateway, and the figures of the selected range; each links to its details. */
export function StatStrip({ state, total, range, time }: StatStripProps): ReactNode {
  const t = useMessages();
  const roving = useRoving<HTMLDListElement>();
  const share = total === undefined || total.requests === 0 ? 0 : (total.errors / total.requests) * 100;
  return (
    <dl
      ref={roving}
      className="panel grid grid-cols-2 [&_a]:inline-flex [&_a]:min-h-6 [&_a]:items-center gap-px overflow-hidden bg-line wide:grid-cols-3 min-[1080px]:grid-cols-5"
    >
      <RunningCell state={state} />
      <StatCell
        label={t.overview.spend}
        figure={
          <Figure href={routeHash("usage", { range })}>
            {total === undefined ? nothing : <Money nano={total.nano} />}
          </Figure>
        }
        note={total !== undefined && <Besides totals={total} />}
      />
      <StatCell
        label={t.overview.requests}
        figure={
          <Figure href={routeHash("requests", time)}>
            {total === undefined ? nothing : <Count value={total.requests} />}
          </Figure>
        }
        note={total !== undefined && <Amount totals={total} />}
      />
      <StatCell
        label={t.overview.errors}
        figure={
          <Figure
            href={routeHash("requests", { status: "failed", ...time })}
            tone={share > 0 ? "text-danger-text" : ""}
          >
            {total === undefined ? nothing : <Count value={total.errors} />}
          </Figure>
        }
        note={
          total !== undefined && (
            <>
              <span>
                {total.errors === 0 ? t.overview.noErrors : t.overview.ofRequests(share.toFixed(share < 9.95 ? 1 : 0))}
              </span>
              {total.cancelled_requests > 0 && (
                <a href={routeHash("requests", { outcome: "cancelled", ...time })} className="text-muted">
                  {t.overview.cancelled(total.cancelled_requests)}
                </a>
              )}
            </>
          )
        }
      />
      <MonthCell state={state} />
    </dl>
  );
}

interface FigureProps {
  readonly href: string;
  readonly tone?: string;
  readonly children: ReactNode;
}

/** A figure with a link to its details. */
function Figure({ href, tone = "", children }: FigureProps): ReactNode {
  return (
    <a href={href} className={`truncate no-underline hover:underline ${tone === "" ? "text-text" : tone}`}>
      {children}
    </a>
  );
}

/** The sidebar's foot also shows the state; here its start is added, and narrow windows have no foot. */
function RunningCell({ state }: { readonly state: State }): ReactNode {
  const { t, language } = useSpeech();
  const ageOf = useAge();
  const { connected } = useGateway();
  const { data: tasks } = useNewestTasks();
  const [tone, words] = stateInWords(state, connected, t);
  // A cell fits two short words; the port is in the address below.
  const short = { running: t.overview.running, stopping: t.overview.stopping, storage: t.overview.storage };
  const word = connected === false || state.status === "paused" ? words : short[state.status];
  const active = tasks?.active ?? 0;
  return (
    <StatCell
      label={t.overview.state}
      figure={
        <span
          className="flex min-w-0 items-center gap-2"
          title={`${t.overview.since(ageOf(state.started_at))} · ${formatMoment(state.started_at, language)} · ${t.overview.version(state.version)}`}
        >
          <Dot tone={tone} />
          <span className="truncate">{word}</span>
        </span>
      }
      note={
        <>
          <a href={routeHash("requests")} className="text-muted">
            {t.status.inFlight(state.in_flight)}
          </a>
          {active > 0 && (
            <a href={routeHash("tasks")} className="text-muted">
              {t.status.runningTasks(active)}
            </a>
          )}
        </>
      }
    />
  );
}

/** Parts missing or estimated in the sum: calls without a price, usage that was not reported, the sandbox's money. */
function Besides({ totals }: { readonly totals: Totals }): ReactNode {
  return (
    <>
      <UnpricedBadge requests={totals.unpriced_requests} />
      <Estimated totals={totals} />
      <CacheSaved nano={totals.cache_saved_nano} />
      {totals.sandbox_nano > 0 && <SandboxMoney nano={totals.sandbox_nano} />}
    </>
  );
}

function Amount({ totals }: { readonly totals: Totals }): ReactNode {
  const t = useMessages();
  return (
    <>
      <span>{t.overview.tokens(formatCompact(totals.input_tokens + totals.output_tokens))}</span>
      {totals.sandbox_requests > 0 && (
        <a href={routeHash("requests", { provider: "sandbox" })} className="striped">
          {t.overview.sandboxRequests(totals.sandbox_requests)}
        </a>
      )}
    </>
  );
}
