import { SquareArrowOutUpRight } from "lucide-react";
import type { ReactNode } from "react";
import { Cost } from "../../../components/ui/figures.tsx";
import { formatCount, formatDuration } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.tsx";
import { routeHash } from "../../../lib/router.ts";
import { usageInWords } from "../../../components/request/usage-cell.tsx";
import type { CallFacts } from "../../../api/v1/call-facts.ts";

export interface CallLineProps {
  readonly facts: CallFacts;
  /** The model is named elsewhere. */
  readonly unnamed?: boolean;
}

/** Usage, cost and time of a call, with a link to its request. */
export function CallLine({ facts, unnamed = false }: CallLineProps): ReactNode {
  const t = useMessages();
  const { model, requestId, firstMs, ms, receipt } = facts;
  const speed = tokensPerSecond(facts);
  const used = receipt === null ? "" : usageInWords(receipt, t, formatCount);
  return (
    <p className="numeric flex flex-wrap items-center gap-x-3 gap-y-0.5 text-meta text-muted">
      {!unnamed && <span className="font-mono wrap-anywhere">{model}</span>}
      {used !== "" && <span>{used}</span>}
      {receipt !== null && <Cost nano={receipt.nano} sandbox={receipt.sandbox} />}
      {firstMs !== null && <span title={t.playground.firstHelp}>{t.playground.first(formatDuration(firstMs))}</span>}
      {speed !== null && <span title={t.playground.speedHelp}>{t.playground.tokensPerSecond(speed)}</span>}
      {ms !== null && <span title={t.playground.tookHelp}>{t.playground.took(formatDuration(ms))}</span>}
      {requestId !== null && (
        <a href={routeHash("requests", { id: requestId })} className="inline-flex items-center gap-1">
          {t.playground.request}
          <SquareArrowOutUpRight size={11} aria-hidden />
        </a>
      )}
    </p>
  );
}

/** Output tokens by the time from the first one to the last; null for a response that is not streamed. */
function tokensPerSecond({ firstMs, ms, receipt }: CallFacts): string | null {
  if (firstMs === null || ms === null || receipt === null) return null;
  const tokens = receipt.terms
    .filter(({ unit }) => unit === "output" || unit === "reasoning")
    .reduce((sum, { quantity }) => sum + quantity, 0);
  const seconds = (ms - firstMs) / 1_000;
  if (tokens === 0 || seconds <= 0.02) return null;
  const rate = tokens / seconds;
  return rate >= 10 ? formatCount(Math.round(rate)) : rate.toFixed(1);
}
