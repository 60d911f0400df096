import type { ReactNode } from "react";
import type { UsageSeries } from "../../../gateway/contract/usage.ts";
import { useGatewayState } from "../../api/queries.ts";
import { CacheSaved, Count, Estimated, Money, nothing, SandboxMoney } from "../../components/ui/figures.tsx";
import { QuotaMeter } from "../../components/ui/meter.tsx";
import { StatCell } from "../../components/ui/stat-cell.tsx";
import { formatCompact, formatCount, formatDuration, formatMoney, getPercent } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";
import type { Requests } from "./usage-address.ts";
import { Change, getChange } from "./change.tsx";
import { getHere, uncachedInput, type Before } from "./usage-models.ts";

export interface UsageStripProps {
  readonly usage: UsageSeries;
  readonly before: Before;
  readonly requests: Requests | null;
  /** Whether any of it has receipts. */
  readonly isCounted: boolean;
}

/** The sums of the period in one row of cells; the sandbox apart, and what no price is known for. */
export function UsageStrip(props: UsageStripProps): ReactNode {
  const { usage, requests, isCounted } = props;
  const before = getHere(props.before);
  /** Address of the requests of the time; null if they cannot be listed. */
  const rows = (more: Readonly<Record<string, string>> = {}): string | null =>
    requests && routeHash("requests", { ...more, ...requests(null, { since: usage.from, until: usage.to }) });
  const t = useMessages();
  const { total, latency } = usage;
  const { data: state } = useGatewayState();
  const budget = isCounted ? (state?.monthly_budget_nano ?? null) : null;
  return (
    // The last cell takes what is left of its line: no empty cell shows the ground.
    <dl className="panel mb-3 grid grid-cols-2 gap-px overflow-hidden bg-line max-wide:*:last:odd:col-span-2 wide:grid-cols-3 wide:*:last:nth-[3n+1]:col-span-3 wide:*:last:nth-[3n+2]:col-span-2 min-[1080px]:flex">
      <StatCell
        className="grow basis-0"
        label={t.usage.spend}
        figure={
          <>
            <FigureLink hash={rows()}>
              <Money nano={total.nano} />
            </FigureLink>
            {before !== null && (
              <Change change={getChange(total.nano, before.total.nano)} before={formatMoney(before.total.nano)} />
            )}
          </>
        }
        note={
          <>
            <Unpriced requests={total.unpriced_requests} />
            <Estimated totals={total} />
            <CacheSaved nano={total.cache_saved_nano} />
          </>
        }
      />
      {state !== undefined && budget !== null && (
        <StatCell
          className="grow basis-0"
          label={t.usage.month}
          figure={
            <FigureLink hash={routeHash("requests", { since: String(monthStart(usage.to)) })}>
              <Money nano={state.month.nano} />
            </FigureLink>
          }
          note={
            <span className="block w-full">
              <span className="mb-1 block">{t.usage.ofBudget(formatMoney(state.month.nano), formatMoney(budget))}</span>
              <QuotaMeter
                label={t.usage.month}
                text={t.usage.ofBudget(formatMoney(state.month.nano), formatMoney(budget))}
                spent={getPercent(state.month.nano, budget)}
                reserved={0}
              />
            </span>
          }
        />
      )}
      <StatCell
        className="grow basis-0"
        label={t.usage.requests}
        figure={
          <>
            <FigureLink hash={rows()}>
              <Count value={total.requests} />
            </FigureLink>
            {before !== null && (
              <Change
                change={getChange(total.requests, before.total.requests)}
                before={formatCount(before.total.requests)}
              />
            )}
          </>
        }
        note={
          <>
            {total.errors === 0 ? (
              isCounted && <span>{t.usage.noErrors}</span>
            ) : (
              <FigureLink hash={rows({ status: "failed" })} className="text-danger-text">
                {t.usage.errors(formatCount(total.errors))}
              </FigureLink>
            )}
            {total.cancelled_requests > 0 && (
              <FigureLink hash={rows({ outcome: "cancelled" })} className="text-accent-text">
                {t.usage.cancelled(formatCount(total.cancelled_requests))}
              </FigureLink>
            )}
          </>
        }
      />
      <StatCell
        className="grow basis-0"
        label={t.usage.tokens}
        figure={
          <>
            <FigureLink hash={rows()}>
              <Count value={getTokens(total)} />
            </FigureLink>
            {before !== null && (
              <Change
                change={getChange(getTokens(total), getTokens(before.total))}
                before={formatCount(getTokens(before.total))}
              />
            )}
          </>
        }
        note={
          <>
            <span>{t.usage.tokensOf.uncached(formatCompact(uncachedInput(total)))}</span>
            <span>{t.usage.tokensOf.cached(formatCompact(total.cached_input_tokens))}</span>
            <span>{t.usage.tokensOf.output(formatCompact(total.output_tokens))}</span>
          </>
        }
      />
      {isCounted && (
        <>
          <StatCell
            className="grow basis-0"
            label={t.usage.latency}
            figure={
              latency.p50 === null ? (
                nothing
              ) : (
                <>
                  <FigureLink hash={rows({ outcome: "completed" })}>{formatDuration(latency.p50)}</FigureLink>
                  {before !== null && before.latency.p50 !== null && (
                    <Change
                      change={getChange(latency.p50, before.latency.p50)}
                      before={formatDuration(before.latency.p50)}
                    />
                  )}
                </>
              )
            }
            note={
              latency.p95 === null ? (
                t.usage.notMeasured
              ) : (
                <>
                  <span>{t.usage.slow(formatDuration(latency.p95))}</span>
                  {latency.first_p50 !== null && <span>{t.usage.ttft(formatDuration(latency.first_p50))}</span>}
                </>
              )
            }
          />
          <StatCell
            className="grow basis-0"
            label={t.usage.sandbox}
            figure={
              total.sandbox_requests === 0 ? (
                nothing
              ) : (
                <FigureLink hash={rows({ provider: "sandbox" })}>
                  <SandboxMoney nano={total.sandbox_nano} />
                </FigureLink>
              )
            }
            note={t.usage.sandboxNote(formatCount(total.sandbox_requests))}
          />
        </>
      )}
    </dl>
  );
}

interface FigureLinkProps {
  readonly hash: string | null;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A figure that leads to the requests that it is made of. */
function FigureLink({ hash, className = "", children }: FigureLinkProps): ReactNode {
  if (hash === null) return <span className={className}>{children}</span>;
  return (
    <a
      href={hash}
      className={
        className === ""
          ? "rounded-sm text-text no-underline hover:underline"
          : `inline-flex min-h-6 items-center ${className}`
      }
    >
      {children}
    </a>
  );
}

/** Budgets count by UTC months. */
function monthStart(to: number): number {
  const day = new Date(Math.min(to, Date.now()));
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1);
}

const getTokens = (total: UsageSeries["total"]): number => total.input_tokens + total.output_tokens;

function Unpriced({ requests }: { readonly requests: number }): ReactNode {
  const t = useMessages();
  if (requests === 0) return <span>{t.usage.allPriced}</span>;
  return (
    <>
      <span className="text-warning-text italic" title={t.money.unpricedHelp}>
        {t.usage.unpriced(formatCount(requests))}
      </span>
      <a href={routeHash("models", { price: "unpriced" })}>{t.usage.setPrices}</a>
    </>
  );
}
