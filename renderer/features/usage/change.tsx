import type { ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";

/** A change from one figure to another. */
export interface ChangeOf {
  readonly way: "up" | "down" | "same" | "new";
  /** Percent of the earlier value; 0 if that was zero. */
  readonly percent: number;
}

/** @returns null if there is nothing to compare */
export function getChange(now: number | null, before: number | null): ChangeOf | null {
  if (now === null || before === null || (now === 0 && before === 0)) return null;
  if (before === 0) return { way: "new", percent: 0 };
  const percent = Math.round(((now - before) / before) * 100);
  return { way: percent === 0 ? "same" : percent > 0 ? "up" : "down", percent: Math.abs(percent) };
}

/** 12%; beyond a tenfold, how many times. */
const amount = (percent: number): string =>
  percent < 1_000 ? `${percent}%` : `${Math.round(percent / 100 + 1).toLocaleString("en")}×`;

const arrows = { up: "▲", down: "▼", same: "=" } as const;

/** The change as plain text. */
export function changeInWords(change: ChangeOf | null, added: string): string {
  if (change === null) return "";
  return change.way === "new" ? added : `${arrows[change.way]} ${amount(change.percent)}`;
}

/** How a figure has changed since the time before: ▲ 12%. @param before what it was, for hover */
export function Change({ change, before }: { readonly change: ChangeOf | null; readonly before: string }): ReactNode {
  const t = useMessages();
  if (change === null) return null;
  const { way, percent } = change;
  return (
    <span
      className="numeric text-meta font-normal tracking-normal whitespace-nowrap text-muted"
      title={t.usage.before(before)}
    >
      {way === "new" ? (
        t.usage.added
      ) : (
        <>
          <span aria-hidden>{arrows[way]} </span>
          <span className="sr-only">{t.usage.changed[way]} </span>
          {amount(percent)}
        </>
      )}
    </span>
  );
}
