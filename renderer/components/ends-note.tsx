import type { ReactNode } from "react";
import { endDay, type Period } from "../../gateway/contract/pace.ts";
import { formatTime } from "../lib/format.ts";
import { useSpeech } from "../lib/i18n.tsx";

export interface EndsNoteProps {
  readonly period: Period;
  /** Unix milliseconds: a month is shown with its UTC day, a day with the local time. */
  readonly at: number | null;
  /** Whether to use the shortest form. */
  readonly short?: boolean;
}

/** Shows when a limit is used up at the current pace, if that is before its period ends. */
export function EndsNote({ period, at, short = false }: EndsNoteProps): ReactNode {
  const { t, language } = useSpeech();
  if (at === null) return null;
  const time = formatTime(at, language);
  const ends = period === "monthly" ? t.budgets.endsOn(endDay(at)) : t.budgets.endsAt(time);
  return (
    <span className="whitespace-nowrap text-warning-text" title={t.budgets.atThisPace(ends)}>
      {short ? t.budgets.ends(period === "monthly" ? t.budgets.day(endDay(at)) : time) : ends}
    </span>
  );
}
