import { LimitItems } from "../../components/limits/limit-items.tsx";
import { useMemo, type ReactNode } from "react";
import type { State } from "../../../gateway/contract/control.ts";
import { useUsageSeries } from "../../api/usage-queries.ts";
import { AppGlyph } from "../../components/glyph.tsx";
import { Failure, NoticeLine } from "../../components/ui/states.tsx";
import { useSpeech } from "../../lib/i18n.tsx";
import { useNow } from "../../lib/now.ts";
import { routeHash, useRoute } from "../../lib/router.ts";
import { FailureList } from "./failure-list.tsx";
import { HealthPanel } from "./health-panel.tsx";
import { chosenFigure, getRange, getStart, getUsageQuery, type OverviewRange } from "./overview-address.ts";
import { RangeChips } from "./range-chips.tsx";
import { StatStrip } from "./stat-strip.tsx";
import { TopList } from "./top-list.tsx";
import { PlotPlace, TrafficPlot } from "./traffic-plot.tsx";
import { getFigure, getTraffic, type Traffic } from "./traffic.ts";

/** Dashboard of traffic, cost and failures for one time range, which is stored in the address. */
export function Dashboard({ state }: { readonly state: State }): ReactNode {
  const { t } = useSpeech();
  const { params } = useRoute();
  const range = getRange(params);
  const since = getStart(range, useNow());
  const models = useTraffic(range, "model");
  const apps = useTraffic(range, "client");
  const { traffic, error, refetch, rebuilding } = models;
  const shown = traffic === undefined ? "nano" : getFigure(traffic, chosenFigure(params));
  const time = { since: String(traffic?.at[0] ?? since) };
  const all = (by: "model" | "client") => ({ label: t.overview.all, href: routeHash("usage", { range, by }) });
  return (
    <>
      <div className="-mb-1">
        <RangeChips range={range} />
      </div>
      <StatStrip state={state} total={traffic?.total} range={range} time={time} />
      {rebuilding !== null && <NoticeLine level="warning">{t.table.rebuilding(rebuilding)}</NoticeLine>}
      <div className="grid items-start gap-4 min-[1080px]:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="grid min-w-0 gap-4">
          {traffic === undefined ? (
            error === null ? (
              <PlotPlace />
            ) : (
              <section className="panel">
                <Failure error={error} onRetry={refetch} />
              </section>
            )
          ) : (
            <div className="grid min-h-78 min-w-0">
              <TrafficPlot traffic={traffic} shown={shown} />
            </div>
          )}
          <div className="grid min-w-0 gap-4 wide:grid-cols-2">
            <TopList
              title={t.overview.topModels}
              all={all("model")}
              traffic={traffic}
              shown={shown}
              nameOf={(name) => name || t.overview.noModel}
              hrefOf={(model) => routeHash("requests", { model, ...time })}
            />
            <TopList
              title={t.overview.topApps}
              all={all("client")}
              traffic={apps.traffic}
              shown={shown}
              nameOf={(name) => name || t.overview.noApp}
              glyph={AppGlyph}
              hrefOf={(client) => routeHash("requests", { client, ...time })}
              items={limitApp}
            />
          </div>
        </div>
        <div className="grid min-w-0 gap-4">
          <HealthPanel />
          <FailureList since={since} time={time} />
        </div>
      </div>
    </>
  );
}

const limitApp = (app: string): ReactNode => <LimitItems app={app} />;

interface TrafficView {
  readonly traffic: Traffic | undefined;
  readonly error: unknown;
  /** Unix ms: earlier requests were not read back; null: all were. */
  readonly rebuilding: number | null;
  refetch(): void;
}

function useTraffic(range: OverviewRange, by: "model" | "client"): TrafficView {
  const { data: usage, error, refetch, isPlaceholderData } = useUsageSeries(getUsageQuery(range, by));
  // Figures of the previous range are not shown while the new ones load.
  const traffic = useMemo(
    () => (usage === undefined || isPlaceholderData ? undefined : getTraffic(usage)),
    [usage, isPlaceholderData],
  );
  return {
    traffic,
    error: usage === undefined ? error : null,
    rebuilding: usage?.rebuilding ?? null,
    refetch: () => void refetch(),
  };
}
