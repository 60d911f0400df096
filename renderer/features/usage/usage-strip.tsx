import type { ReactNode } from "react";
import type { UsageSeries } from "../../../gateway/contract/usage.ts";
import { useGatewayState } from "../../api/queries.ts";
import { Count, Estimated, Money, nothing, SandboxMoney } from "../../components/ui/figures.tsx";
import { QuotaMeter } from "../../components/ui/meter.tsx";
import { StatCell } from "../../components/ui/stat-cell.tsx";
import { formatCompact, formatCount, formatDuration, formatMoney, percentOf } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";
import { uncachedInput } from "./usage-models.ts";

/** The sums of the period in one row of cells; the sandbox apart, and what no price is known for. */
export function UsageStrip({ usage }: { readonly usage: UsageSeries }): ReactNode {
  const t = useMessages();
  const { total, latency } = usage;
  const { data: state } = useGatewayState();
  const budget = state?.monthly_budget_nano ?? null;
  return (
    <dl className="panel mb-3 grid grid-cols-2 gap-px overflow-hidden bg-line wide:grid-cols-3 min-[1080px]:flex">
      <StatCell
        className="grow basis-0"
        label={t.usage.spend}
        figure={<Money nano={total.nano} />}
        note={
          <>
            <Unpriced requests={total.unpriced_requests} />
            <Estimated totals={total} />
          </>
        }
      />
      {state !== undefined && budget !== null && (
        <StatCell
          className="grow basis-0"
          label={t.usage.month}
          figure={<Money nano={state.month.nano} />}
          note={
            <span className="block w-full">
              <span className="mb-1 block">{t.usage.ofBudget(formatMoney(state.month.nano), formatMoney(budget))}</span>
              <QuotaMeter
                label={t.usage.month}
                text={t.usage.ofBudget(formatMoney(state.month.nano), formatMoney(budget))}
                spent={percentOf(state.month.nano, budget)}
                held={0}
              />
            </span>
          }
        />
      )}
      <StatCell
        className="grow basis-0"
        label={t.usage.requests}
        figure={<Count value={total.requests} />}
        note={
          <>
            <span className={total.errors > 0 ? "text-danger-text" : ""}>
              {total.errors === 0 ? t.usage.noErrors : t.usage.errors(formatCount(total.errors))}
            </span>
            {total.cancelled_requests > 0 && <span>{t.usage.cancelled(formatCount(total.cancelled_requests))}</span>}
          </>
        }
      />
      <StatCell
        className="grow basis-0"
        label={t.usage.tokens}
        figure={<Count value={total.input_tokens + total.output_tokens} />}
        note={
          <>
            <span>{t.usage.tokensOf.uncached(formatCompact(uncachedInput(total)))}</span>
            <span>{t.usage.tokensOf.cached(formatCompact(total.cached_input_tokens))}</span>
            <span>{t.usage.tokensOf.output(formatCompact(total.output_tokens))}</span>
          </>
        }
      />
      <StatCell
        className="grow basis-0"
        label={t.usage.latency}
        figure={latency.p50 === null ? nothing : formatDuration(latency.p50)}
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
        figure={total.sandbox_requests === 0 ? nothing : <SandboxMoney nano={total.sandbox_nano} />}
        note={t.usage.sandboxNote(formatCount(total.sandbox_requests))}
      />
    </dl>
  );
}

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
