import type { ReactNode } from "react";
import type { UsageSeries } from "../../../gateway/contract/usage.ts";
import { useUsageSeries, type UsageQuery } from "../../api/usage-queries.ts";
import { Money, nothing } from "../../components/ui/figures.tsx";
import { StatCell } from "../../components/ui/stat-cell.tsx";
import { formatMoney } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";

const WEEK: UsageQuery = { range: "7d", groups: 1 };
const [WIDTH, HEIGHT, GAP] = [112, 24, 3];

/** What the last seven days cost, as a figure and day by day; the whole story is on the Usage page. */
export function WeekCell(): ReactNode {
  const { t } = useSpeech();
  const { data: usage } = useUsageSeries(WEEK);
  return (
    <StatCell
      label={t.overview.week}
      figure={usage === undefined ? nothing : <Money nano={usage.total.nano} />}
      note={
        <span className="flex w-full items-end gap-2">
          <a href={routeHash("usage", { range: "7d" })} className="grow">
            {t.overview.weekLink}
          </a>
          {usage !== undefined && usage.total.nano > 0 && <DayBars usage={usage} />}
        </span>
      }
      className="max-wide:col-span-2 min-[720px]:max-[1079px]:col-span-2"
    />
  );
}

/** A bar for each day, today's in the accent. Drawn by attributes: the pages' policy allows no inline style. */
function DayBars({ usage }: { readonly usage: UsageSeries }): ReactNode {
  const { t, language } = useSpeech();
  const days = usage.buckets.map(({ at, totals }) => ({ at, nano: totals.nano }));
  const most = Math.max(...days.map(({ nano }) => nano));
  const step = (WIDTH + GAP) / days.length;
  const name = new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" });
  const words = days.map(({ at, nano }) => `${name.format(at)} ${formatMoney(nano)}`).join(", ");
  return (
    <>
      <span className="sr-only">{t.overview.weekPlot(words)}</span>
      <svg aria-hidden width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="shrink-0">
        <title>{words}</title>
        {days.map(({ at, nano }, index) => {
          // A day without spend has a hairline, so that seven days are seen.
          const height = nano === 0 ? 1 : Math.max(2, (nano / most) * HEIGHT);
          return (
            <rect
              key={at}
              x={index * step}
              y={HEIGHT - height}
              width={step - GAP}
              height={height}
              rx={1}
              className={
                index === days.length - 1
                  ? "fill-accent forced-colors:fill-[Highlight]"
                  : "fill-line-strong forced-colors:fill-[CanvasText]"
              }
            />
          );
        })}
      </svg>
    </>
  );
}
