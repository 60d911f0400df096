import type { ReactNode } from "react";
import type { Totals } from "../../../gateway/contract/totals.ts";
import {
  getAge,
  formatCompact,
  formatCount,
  formatNearDay,
  formatMoment,
  formatMoney,
  formatMoneyExact,
} from "../../lib/format.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import { useNow } from "../../lib/now.ts";
import { routeHash } from "../../lib/router.ts";
import type { Messages } from "../../locales/messages.ts";
import { Badge } from "./badge.tsx";

/** Sign for a missing figure, which is not a zero. */
export const nothing = <span className="text-faint">–</span>;

/** An amount of real money, never rounded to zero; the exact figure on hover. */
export function Money({ nano }: { readonly nano: number }): ReactNode {
  return (
    <span className="numeric" title={formatMoneyExact(nano)}>
      {formatMoney(nano)}
    </span>
  );
}

/** Sandbox money: striped, and never added to real money. */
export function SandboxMoney({ nano }: { readonly nano: number }): ReactNode {
  const t = useMessages();
  return (
    <span className="striped numeric" title={`${formatMoneyExact(nano)} · ${t.money.sandboxHelp}`}>
      {formatMoney(nano)}
      <span className="sr-only"> {t.money.sandbox}</span>
    </span>
  );
}

export interface CostProps {
  /** null when the model has no known price. */
  readonly nano: number | null;
  readonly sandbox: boolean;
}

export function Cost({ nano, sandbox }: CostProps): ReactNode {
  const t = useMessages();
  if (nano === null) {
    return (
      <span className="text-warning-text italic" title={t.money.unpricedHelp}>
        {t.money.unpriced}
      </span>
    );
  }
  return sandbox ? <SandboxMoney nano={nano} /> : <Money nano={nano} />;
}

/** Returns the exact cost as plain text. */
export function costInWords({ nano, sandbox }: CostProps, t: Messages): string {
  if (nano === null) return t.money.unpriced;
  return `${formatMoneyExact(nano)}${sandbox ? ` ${t.money.sandbox}` : ""}`;
}

/** Shows the estimated share of a sum; empty if all of it was reported. */
export function Estimated({ totals }: { readonly totals: Totals }): ReactNode {
  const t = useMessages();
  if (totals.estimated_requests === 0) return null;
  const help = t.money.estimatedHelp(formatCount(totals.estimated_requests), formatCount(totals.unknown_requests));
  return (
    <span className={totals.unknown_requests > 0 ? "text-warning-text" : ""} title={help}>
      {t.money.estimated(formatMoney(totals.estimated_nano))}
    </span>
  );
}

/** Amount that prompt caches saved, or cost more; empty if nothing was cached. */
export function CacheSaved({ nano }: { readonly nano: number | null }): ReactNode {
  const t = useMessages();
  if (nano === null || nano === 0) return null;
  const words = nano > 0 ? t.money.cacheSaved : t.money.cacheLost;
  const amount = Math.abs(nano);
  return (
    <span className={nano > 0 ? "" : "text-warning-text"} title={`${formatMoneyExact(amount)} · ${t.money.cacheHelp}`}>
      {words(formatMoney(amount))}
    </span>
  );
}

/** Badge next to a sum or limit that excludes calls without a price, with a link to set the prices. */
export function UnpricedBadge({ requests, when }: { readonly requests: number; readonly when?: string }): ReactNode {
  const t = useMessages();
  if (requests === 0) return null;
  const words = t.money.plusUnpriced(formatCount(requests));
  return (
    <a
      href={routeHash("models", { price: "unpriced", set: "prices" })}
      title={`${words}${when === undefined ? "" : `, ${when}`} · ${t.money.unpricedBeside}`}
      onClick={(event) => event.stopPropagation()}
    >
      <Badge tone="warning">{words}</Badge>
    </a>
  );
}

export function Count({ value }: { readonly value: number }): ReactNode {
  return (
    <span className="numeric" title={formatCount(value)}>
      {formatCompact(value)}
    </span>
  );
}

function inWords(at: number, now: number, t: Messages, language: string): string {
  const age = getAge(at, now);
  if (age.kind === "now") return t.time.now;
  if (age.kind === "date") return formatNearDay(at, now, language);
  return t.time[age.kind][age.unit](age.value);
}

/** Returns a formatter for relative times, which updates as time passes. */
export function useAge(): (at: number) => string {
  const now = useNow();
  const { t, language } = useSpeech();
  return (at) => inWords(at, now, t, language);
}

/** A moment: relative within a day, the exact one on hover. */
export function Moment({ at }: { readonly at: number | null }): ReactNode {
  const { t, language } = useSpeech();
  const ageIn = useAge();
  if (at === null) return <span className="text-faint">{t.time.never}</span>;
  return (
    <time dateTime={new Date(at).toISOString()} title={formatMoment(at, language)} className="numeric">
      {ageIn(at)}
    </time>
  );
}
