import { Bot } from "lucide-react";
import type { ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { PrefixLine } from "../../components/request/prompt-prefix.tsx";
import { isUnbilled, Status } from "../../components/request/request-columns.tsx";
import { PassedMark } from "../../components/request/request-route.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { Cost, Moment } from "../../components/ui/figures.tsx";
import { formatCompact, formatCount, formatDuration, getPercent } from "../../lib/format.ts";
import { formatProblemInWords } from "../../lib/error-sentence.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import { replaceParams } from "../../lib/router.ts";
import { cachedShare, shortId, getTokens, type NumberedTurn } from "./session-words.ts";
import { TurnTalk } from "./turn-talk.tsx";

export interface TurnRowProps {
  readonly turn: NumberedTurn;
  /** Duration of the longest shown request, ms. */
  readonly longest: number;
  readonly isSlowest: boolean;
  /** Whether the conversation's content is shown. */
  readonly withTalk: boolean;
}

/** A request of a session: agent, model, tokens, time, cost, outcome and conversation. */
export function TurnRow({ turn, longest, isSlowest, withTalk }: TurnRowProps): ReactNode {
  const speech = useSpeech();
  const { t } = speech;
  const { number, receipt } = turn;
  const { agent, kinds = [], model } = receipt;
  const problem = formatProblemInWords(receipt, speech);
  const isSmall = kinds.includes("background");
  return (
    <li
      className={`border-b border-line/60 px-3 py-2 [contain-intrinsic-size:auto_96px] [content-visibility:auto] last:border-transparent ${agent === undefined ? "" : "border-l-2 border-l-line-strong ml-4 max-wide:ml-1.5"}`}
    >
      <div className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
        <button
          type="button"
          aria-label={t.sessions.details(String(number))}
          className="numeric min-h-6 shrink-0 rounded-sm text-muted underline decoration-line-strong underline-offset-2 hover:decoration-current"
          onClick={() => replaceParams({ request: receipt.id })}
        >
          #{number}
        </button>
        <span className="min-w-0 truncate font-medium" title={model}>
          {model}
          <PassedMark receipt={receipt} />
        </span>
        {agent !== undefined && (
          <span className="inline-flex min-w-0 items-center gap-1 text-meta text-info-text" title={agent}>
            <Bot size={13} aria-hidden className="shrink-0" />
            <span className="sr-only">{t.sessions.agent} </span>
            <span className="truncate">{shortId(agent)}</span>
          </span>
        )}
        {isSmall && <Badge>{t.routes.kinds[kinds.includes("title") ? "title" : "background"]}</Badge>}
        <Status receipt={receipt} />
        {isSlowest && <Badge tone="warning">{t.sessions.slowest}</Badge>}
        <span className="text-meta text-faint">
          <Moment at={receipt.at} />
        </span>
        <span className="grow" />
        <Figures receipt={receipt} />
      </div>
      <TimeBar receipt={receipt} longest={longest} />
      {problem !== null && (
        <p className={`mt-1 wrap-anywhere ${receipt.outcome === "cancelled" ? "text-muted" : "text-danger-text"}`}>
          {problem}
          {receipt.code !== null && receipt.code !== problem && (
            <code className="ml-1.5 font-mono text-meta text-muted">{receipt.code}</code>
          )}
        </p>
      )}
      <PrefixLine receipt={receipt} />
      {withTalk && <TurnTalk id={receipt.id} />}
    </li>
  );
}

function Figures({ receipt }: { readonly receipt: Receipt }): ReactNode {
  const { sessions: t } = useMessages();
  const { input, cached, output } = getTokens(receipt);
  const share = cachedShare(cached, input);
  return (
    <span className="numeric flex flex-wrap items-baseline justify-end gap-x-3 text-meta text-muted">
      {input + output > 0 && (
        <span title={t.turnTokens(formatCount(input), formatCount(output))}>
          {t.turnTokens(formatCompact(input), formatCompact(output))}
        </span>
      )}
      {share !== null && <span title={t.cachedOf(formatCount(cached), formatCount(input))}>{t.turnCached(share)}</span>}
      {receipt.first_ms !== null && <span>{t.first(formatDuration(receipt.first_ms))}</span>}
      <span>{formatDuration(receipt.ms)}</span>
      {!isUnbilled(receipt) && (
        <span className="text-body text-text">
          <Cost nano={receipt.nano} sandbox={receipt.sandbox} />
        </span>
      )}
    </span>
  );
}

/** Duration relative to the longest: until the first token, and after it. The values are shown above. */
function TimeBar({ receipt, longest }: { readonly receipt: Receipt; readonly longest: number }): ReactNode {
  const { ms, first_ms } = receipt;
  const whole = Math.max(0.5, getPercent(ms, longest));
  const first = first_ms === null ? 100 : getPercent(first_ms, ms);
  return (
    <div aria-hidden className="mt-1 h-1 overflow-hidden rounded-full bg-pressed">
      <div className="flex h-full" style={{ width: `${whole}%` }}>
        <div className="h-full bg-line-strong" style={{ width: `${first}%` }} />
        <div className="h-full grow bg-accent" />
      </div>
    </div>
  );
}
