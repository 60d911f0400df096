import type { ReactNode } from "react";
import type { HistoryTotals } from "../../../gateway/contract/history.ts";
import { Count, Money } from "../../components/ui/figures.tsx";
import { StatCell } from "../../components/ui/stat-cell.tsx";
import { formatCompact, formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";

/** Returns the input tokens that were neither cached nor written to a cache: the sum of the input has all of them. */
export const freshInput = ({ input_tokens, cached_input_tokens, cache_write_tokens }: HistoryTotals): number =>
  input_tokens - cached_input_tokens - cache_write_tokens;

export const allTokens = ({ input_tokens, output_tokens }: HistoryTotals): number => input_tokens + output_tokens;

/** The sums of the period in one row of cells. */
export function HistoryStrip({ total }: { readonly total: HistoryTotals }): ReactNode {
  const t = useMessages();
  const words = t.history.tokensOf;
  return (
    <dl className="panel mb-3 grid grid-cols-2 gap-px overflow-hidden bg-line max-wide:*:last:odd:col-span-2 wide:flex">
      <StatCell
        className="grow basis-0"
        label={t.history.cost}
        figure={<Money nano={total.nano} />}
        note={
          total.unpriced_requests === 0 ? (
            <span>{t.history.allPriced}</span>
          ) : (
            <>
              <span className="text-warning-text italic" title={t.money.unpricedHelp}>
                {t.history.unpriced(formatCount(total.unpriced_requests))}
              </span>
              <a href={routeHash("models")}>{t.history.setPrices}</a>
            </>
          )
        }
      />
      <StatCell
        className="grow basis-0"
        label={t.history.requests}
        figure={<Count value={total.requests} />}
        note={<span>{t.history.subagents(formatCount(total.subagent_requests))}</span>}
      />
      <StatCell
        className="grow-2 basis-0"
        label={t.history.tokens}
        figure={<Count value={allTokens(total)} />}
        note={
          <>
            <span>{words.fresh(formatCompact(freshInput(total)))}</span>
            <span>{words.written(formatCompact(total.cache_write_tokens))}</span>
            <span>{words.cached(formatCompact(total.cached_input_tokens))}</span>
            <span>{words.output(formatCompact(total.output_tokens))}</span>
          </>
        }
      />
    </dl>
  );
}
