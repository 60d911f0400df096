import { ChartColumn, Download, FileSearch } from "lucide-react";
import { useCallback, useMemo } from "react";
import type { ReactNode } from "react";
import { getAppName } from "../../../gateway/contract/apps.ts";
import type { HistoryView } from "../../../gateway/contract/history.ts";
import type { UsageGroup, UsageSeries } from "../../../gateway/contract/usage.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useConnectionNames } from "../../api/connection-names.ts";
import { useHistory } from "../../api/history-queries.ts";
import { useKeyNames } from "../../api/key-names.ts";
import { useUsageSeries, type UsageQuery } from "../../api/usage-queries.ts";
import { PageHeader } from "../../components/frame/page-header.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Empty, Failure, NoticeLine, SkeletonRows } from "../../components/ui/states.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { toCsv } from "../../lib/csv.ts";
import { downloadText, fileName } from "../../lib/download.ts";
import { formatCount } from "../../lib/format.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import { useNow } from "../../lib/now.ts";
import { navigate, useRoute } from "../../lib/router.ts";
import type { Messages } from "../../locales/messages.ts";
import { GroupTable } from "./group-table.tsx";
import {
  getGrouping,
  isCompared,
  getPeriod,
  getQuery,
  getRequests,
  getSource,
  getTrends,
  getZone,
} from "./usage-address.ts";
import { usageCsvRows } from "./usage-csv.ts";
import { UsageFilters } from "./usage-filters.tsx";
import { UsagePlots, getShown } from "./usage-plots.tsx";
import { UsageStrip } from "./usage-strip.tsx";
import { FindLogs, LogsMenu } from "./logs-menu.tsx";
import { WhatIfPanel } from "./what-if-panel.tsx";
import { momentWords, ownZone, UTC, type MomentWords } from "../../lib/moment-words.ts";
import { isToday, type Before } from "./usage-models.ts";
import { ZoneNote } from "./zone-note.tsx";
import { getName } from "../../lib/names.ts";
import { useBusy } from "../../components/ui/use-busy.ts";

/** Money, tokens and time by model, key, client or endpoint, over hours or days. */
export function UsagePage(): ReactNode {
  const t = useMessages();
  const { params } = useRoute();
  const by = getGrouping(params);
  const source = getSource(params);
  const names = useGroupNames();
  const nameOf = useCallback((group: string) => names(by, group), [names, by]);
  const { data: view } = useHistory();
  return (
    <>
      <PageHeader title={t.pages.usage}>
        <ExportButton params={params} nameOf={nameOf} />
      </PageHeader>
      <UsageFilters params={params} nameOf={names} />
      {source !== "postern" && <LogNotes view={view} />}
      {source === "logs" && view?.agents.length === 0 ? (
        <section className="panel">
          <Empty
            icon={<FileSearch size={24} aria-hidden />}
            title={t.history.empty}
            help={t.history.emptyHelp}
            action={<FindLogs look="primary" />}
          />
        </section>
      ) : (
        <Figures params={params} by={by} nameOf={nameOf} />
      )}
      <WhatIfPanel params={params} />
    </>
  );
}

/** Notes about usage from logs. */
function LogNotes({ view }: { readonly view: HistoryView | undefined }): ReactNode {
  const t = useMessages();
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="min-w-0 grow basis-80 text-meta text-muted">{t.history.note}</p>
        <LogsMenu />
      </div>
      {view !== undefined && view.damaged > 0 && (
        <div className="mb-3">
          <NoticeLine level="warning">{t.history.damaged(formatCount(view.damaged))}</NoticeLine>
        </div>
      )}
    </>
  );
}

interface FiguresProps {
  readonly params: URLSearchParams;
  readonly by: UsageGroup;
  readonly nameOf: (group: string) => string;
}

function Figures({ params, by, nameOf }: FiguresProps): ReactNode {
  const { t, language } = useSpeech();
  const now = useNow();
  const own = ownZone();
  const query = getQuery(params, own);
  const isCounted = getSource(params) !== "logs";
  const requests = useMemo(() => getRequests(params), [params]);
  const zone = getZone(params, own);
  const { data: usage, error, refetch, isPlaceholderData } = useUsageSeries({ ...query, groups: getTrends(query) });
  const compared = usage !== undefined && isCompared(params);
  const { data: earlier } = useUsageSeries({ ...query, when: "before", groups: 1 }, compared);
  const before = compared ? sumEarlier(earlier) : null;
  const oneDay = usage !== undefined && isToday(usage, now);
  const { data: hours } = useUsageSeries(getHours(query), oneDay);
  const utcUntil = usage?.utc_until ?? null;
  const words = useMemo(() => momentWords(zone, language, utcUntil), [zone, language, utcUntil]);
  if (usage === undefined) {
    return (
      <section className="panel">
        {error === null ? <SkeletonRows rows={8} /> : <Failure error={error} onRetry={() => void refetch()} />}
      </section>
    );
  }
  const { total, rebuilding } = usage;
  const plotted = oneDay && hours?.bucket === "hour" ? hours : usage;
  const none = total.requests + total.sandbox_requests === 0;
  return (
    <div aria-busy={isPlaceholderData || undefined}>
      {error !== null && (
        <div className="panel mb-3">
          <Failure error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {rebuilding !== null && (
        <div className="mb-3">
          <NoticeLine level="warning">{t.table.rebuilding(rebuilding)}</NoticeLine>
        </div>
      )}
      {none ? (
        <section className="panel">
          {isCounted ? (
            <Empty
              icon={<ChartColumn size={24} aria-hidden />}
              title={t.usage.empty}
              help={t.usage.emptyHelp}
              action={<Button onClick={() => navigate("overview")}>{t.pages.overview}</Button>}
            />
          ) : (
            <Empty title={t.usage.empty} help={t.history.nothingHelp} />
          )}
        </section>
      ) : (
        <>
          <UsageStrip {...{ usage, before, requests, isCounted }} />
          <UsagePlots
            {...{ by, nameOf, params, requests, isCounted, words }}
            usage={plotted}
            before={plotted === usage ? before : null}
            period={periodInWords(plotted, t, words, zone)}
          />
          <GroupTable {...{ usage, by, nameOf, params, requests, isCounted, before }} shown={getShown(params, usage)} />
        </>
      )}
      <ZoneNote usage={usage} zone={zone} />
    </div>
  );
}

/** Returns the earlier usage; null while it is incomplete, because no change can be computed from it. */
function sumEarlier(earlier: UsageSeries | undefined): Before {
  if (earlier === undefined) return "coming";
  return earlier.rebuilding === null ? earlier : null;
}

/** Returns the query for the last 24 hours, for when all usage is from today. */
const getHours = ({ since: _since, until: _until, ...query }: UsageQuery): UsageQuery => ({ ...query, range: "24h" });

function periodInWords({ bucket, buckets }: UsageSeries, t: Messages, words: MomentWords, zone: string): string {
  const [first, last] = [buckets[0]?.at ?? 0, buckets.at(-1)?.at ?? 0];
  const [daily, hourly] = zone === UTC ? [t.usage.daily, t.usage.hourly] : [t.usage.dailyHere, t.usage.hourlyHere];
  return bucket === "day" ? daily(words.day(first), words.day(last)) : hourly(words.hour(first), words.hour(last));
}

/** Names of groups, stable until they change. */
function useGroupNames(): (by: UsageGroup, group: string) => string {
  const t = useMessages();
  const keyName = useKeyNames();
  const connectionName = useConnectionNames();
  return useCallback(
    (by, group) => {
      // A deleted connection has only its id left.
      if (by === "connection" && group !== "") return connectionName({ connection: group, provider: group });
      return groupName(by, group, keyName, t);
    },
    [keyName, connectionName, t],
  );
}

/** Every bucket of every group as a file. */
function ExportButton({
  params,
  nameOf,
}: {
  readonly params: URLSearchParams;
  readonly nameOf: (group: string) => string;
}): ReactNode {
  const t = useMessages();
  const { client } = useGateway();
  const notify = useNotify();
  const { busy, run } = useBusy();
  const save = () =>
    run(async () => {
      const [by, period, source] = [getGrouping(params), getPeriod(params), getSource(params)];
      const own = ownZone();
      const cells = await client.call("usageCells", getQuery(params, own));
      const words = "range" in period ? [period.range] : [period.since, period.until];
      const rows = usageCsvRows(cells, by, nameOf, getZone(params, own));
      downloadText(
        fileName(["postern usage", ...(source === "postern" ? [] : [source]), ...words, "by", by], "csv"),
        toCsv(rows),
      );
      // The desktop app shows this notice itself.
      if (window.desktop === undefined) notify.confirm(t.usage.csvSaved(formatCount(cells.data.length)));
    });
  return (
    <Button busy={busy} icon={<Download size={14} aria-hidden />} onClick={() => void save()}>
      {t.usage.csv}
    </Button>
  );
}

/** Returns a group's display name. Keys have names; unnamed groups get a text. */
export function groupName(by: UsageGroup, group: string, keyName: (id: string) => string, t: Messages): string {
  if (group === "") return t.usage.nameless[by];
  if (by === "key") return keyName(group);
  if (by === "client") return getAppName(group);
  return by === "endpoint" ? getName(t.requests.endpoints, group) : group;
}
