import type { ReactNode } from "react";
import { countDaysLeft } from "../../../gateway/contract/model-ending.ts";
import type { KeyView } from "../../../gateway/contract/key.ts";
import type { Totals } from "../../../gateway/contract/totals.ts";
import { useModels } from "../../api/queries.ts";
import { EndMark } from "../../components/end-mark.tsx";
import { EndsNote } from "../../components/ends-note.tsx";
import { Badge, Dot, type Tone } from "../../components/ui/badge.tsx";
import { UnpricedBadge } from "../../components/ui/figures.tsx";
import { QuotaMeter } from "../../components/ui/meter.tsx";
import { formatCount, formatMoney, formatMoneyExact, formatUsd, getPercent } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { useNow } from "../../lib/now.ts";
import type { Messages } from "../../locales/messages.ts";
import { getPeriod } from "./use-key-periods.ts";

const NANO_PER_USD = 1_000_000_000;

const tones: Record<KeyView["state"], Tone> = {
  active: "success",
  disabled: "neutral",
  expired: "warning",
  spent: "danger",
};

export function KeyName({ row }: { readonly row: KeyView }): ReactNode {
  const t = useMessages();
  const origin = t.keys.origins[row.origin];
  // If space is short, the name stays and its origin wraps as a whole.
  return (
    <span className="flex h-5 min-w-0 flex-wrap items-center gap-x-2 gap-y-5 overflow-hidden">
      <span className="flex h-5 max-w-full items-center gap-2">
        <span title={t.keys.states[row.state]} className="flex">
          <Dot tone={tones[row.state]} />
        </span>
        <span className="truncate font-medium" title={row.name}>
          {row.name}
        </span>
      </span>
      {origin !== "" && origin.toLowerCase() !== row.name.toLowerCase() && (
        <span className="max-wide:hidden">
          <Badge>{origin}</Badge>
        </span>
      )}
    </span>
  );
}

export function KeyState({ row }: { readonly row: KeyView }): ReactNode {
  const t = useMessages();
  return <span className={row.state === "active" ? "text-muted" : ""}>{t.keys.states[row.state]}</span>;
}

/** Formats "$1.20 of $5 a month", or the spend alone without a limit; the sandbox's money is shown next to it. */
export function spendInWords(row: KeyView, t: Messages): string {
  const spent = formatMoney(row.spent_nano - row.sandbox_nano);
  if (row.limit_usd === null) return spent;
  const per = t.keys.per[row.reset];
  return t.keys.spentOf(spent, per === "" ? formatUsd(row.limit_usd) : `${formatUsd(row.limit_usd)} ${per}`);
}

interface KeySpendProps {
  readonly row: KeyView;
  /** Totals in the period of its limit; undefined while that is unknown, or the key was not used in it. */
  readonly used: Totals | undefined;
}

/** All rows have one height, so cells with two lines use a lower line height. */
const BADGED = {
  line: "@max-[240px]:col-span-2 @max-[240px]:*:h-4 @max-[240px]:*:leading-4",
  meter: "row-start-2 col-span-2 @max-[240px]:col-span-1",
  badge:
    "row-start-1 col-start-2 ml-1 flex @max-[240px]:row-start-2 @max-[240px]:*:flex @max-[240px]:*:*:h-3 @max-[240px]:*:*:text-[10px]",
};

/** Spend of a key, plus what the sum excludes: unpriced calls and sandbox money. */
export function KeySpend({ row, used }: KeySpendProps): ReactNode {
  const t = useMessages();
  const words = spendInWords(row, t);
  const reserved = row.held_nano > 0 ? ` · ${t.keys.heldHelp(formatMoney(row.held_nano))}` : "";
  const when = t.keys.inPeriod[getPeriod(row)];
  const unpriced = used?.unpriced_requests ?? 0;
  const note =
    row.sandbox_nano > 0 || (used?.sandbox_requests ?? 0) > 0 ? (
      <span title={`${formatMoneyExact(row.sandbox_nano)} · ${t.money.sandboxHelp}`}>
        <Badge>{t.money.sandbox}</Badge>
      </span>
    ) : unpriced > 0 ? null : row.limit_usd === null ? (
      <span className="text-faint">{t.keys.noLimit}</span>
    ) : (
      row.reset !== "never" && <EndsNote period={row.reset} at={row.ends_at} short />
    );
  const title = `${formatMoneyExact(row.spent_nano - row.sandbox_nano)}${reserved} · ${t.keys.quotaHelp}`;
  // A note without space is hidden as a whole.
  const line = (
    <span className="flex h-5 min-w-0 flex-1 flex-wrap gap-x-1 gap-y-5 overflow-hidden">
      <span className="mr-auto max-w-full truncate pr-1">{words}</span>
      {note}
    </span>
  );
  const badge = <UnpricedBadge requests={unpriced} when={when} />;
  if (row.limit_usd === null)
    return (
      <span className="numeric flex gap-1" title={title}>
        {line}
        {badge}
      </span>
    );
  const limit = row.limit_usd * NANO_PER_USD;
  // If space is short, the badge moves below the limit, next to the meter.
  return (
    <span className="@container block text-meta" title={title}>
      <span className="numeric grid grid-cols-[minmax(0,1fr)_auto] items-center gap-y-0.5 @max-[240px]:gap-y-0">
        <span className={unpriced > 0 ? BADGED.line : "col-span-2"}>{line}</span>
        <span className={unpriced > 0 ? BADGED.meter : "col-span-2"}>
          <QuotaMeter
            label={`${t.keys.spend}: ${row.name}`}
            text={words}
            spent={getPercent(row.spent_nano, limit)}
            reserved={getPercent(row.held_nano, limit)}
          />
        </span>
        {unpriced > 0 && <span className={BADGED.badge}>{badge}</span>}
      </span>
    </span>
  );
}

/** Limits other than money, and the first soon-ending model of a key. */
export function KeyLimits({ row }: { readonly row: KeyView }): ReactNode {
  const t = useMessages();
  const { data: models = [] } = useModels();
  const words = formatLimitsInWords(row, t);
  const now = useNow();
  const ending = models.find(
    ({ id, aliases, ends }) =>
      countDaysLeft(ends?.on, now) !== null && [id, ...aliases].some((name) => row.models?.includes(name)),
  );
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-muted" title={words}>
      <span className="truncate">{words}</span>
      <EndMark model={ending} />
    </span>
  );
}

/** Formats limits other than money briefly. */
export function formatLimitsInWords(row: KeyView, t: Messages): string {
  const parts = [
    row.models === null ? t.keys.anyModel : row.models.join(", "),
    row.rpm === null ? "" : t.keys.rpmShort(formatCount(row.rpm)),
    row.concurrency === null ? "" : t.keys.concurrencyShort(formatCount(row.concurrency)),
    row.ollama_default ? t.keys.ollamaShort : "",
  ];
  return parts.filter((part) => part !== "").join(" · ");
}
