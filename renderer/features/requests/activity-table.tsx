/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- What scrolls has to be reached by the keyboard. */
import type { ReactNode } from "react";
import type { RequestActivity } from "../../../gateway/contract/requests.ts";
import { nothing } from "../../components/ui/figures.tsx";
import { formatCount, formatDuration, formatMoment, formatMoney } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";

export interface ActivityTableProps {
  readonly activity: RequestActivity;
  readonly onNarrow: (one: number, other: number) => void;
}

/** The charts as a table, the newest first and without what is empty; a press on a time narrows to it. */
export function ActivityTable({ activity, onNarrow }: ActivityTableProps): ReactNode {
  const { t, language } = useSpeech();
  const words = t.requestLog.activity;
  const heads = [words.count, words.failures, t.requests.cost, "p50", "p95"];
  const rows = activity.buckets.map((bucket, place) => ({ bucket, place })).filter(({ bucket }) => bucket.count > 0);
  return (
    <section tabIndex={0} aria-label={words.table} className="max-h-60 overflow-auto border-t border-line">
      <table className="numeric w-full text-meta">
        <thead className="sticky top-0 bg-surface text-faint">
          <tr>
            <th scope="col" className="h-7 px-3 text-left font-normal">
              {t.requests.time}
            </th>
            {heads.map((head) => (
              <th key={head} scope="col" className="px-3 text-right font-normal">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map(({ bucket, place }) => (
            <tr key={bucket.at} className="border-t border-line">
              <th scope="row" className="h-7 px-3 text-left font-normal whitespace-nowrap">
                <button
                  type="button"
                  className="text-accent-text underline underline-offset-2"
                  onClick={() => onNarrow(place, place)}
                >
                  {formatMoment(bucket.at, language)}
                </button>
              </th>
              <td className="px-3 text-right">{formatCount(bucket.count)}</td>
              <td className={`px-3 text-right ${bucket.failed > 0 ? "text-danger-text" : ""}`}>
                {formatCount(bucket.failed)}
              </td>
              <td className="px-3 text-right">{formatMoney(bucket.cost_nano)}</td>
              <td className="px-3 text-right">{bucket.p50_ms === null ? nothing : formatDuration(bucket.p50_ms)}</td>
              <td className="px-3 text-right">{bucket.p95_ms === null ? nothing : formatDuration(bucket.p95_ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
