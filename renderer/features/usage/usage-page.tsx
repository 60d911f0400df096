import { ChartColumn, Download } from "lucide-react";
import { useCallback } from "react";
import type { ReactNode } from "react";
import type { UsageGroup, UsageSeries } from "../../../gateway/contract/usage.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useKeyNames } from "../../api/key-names.ts";
import { useUsageSeries } from "../../api/usage-queries.ts";
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
import { groupingOf, periodOf, queryOf } from "./usage-address.ts";
import { usageCsvRows } from "./usage-csv.ts";
import { UsageFilters } from "./usage-filters.tsx";
import { UsagePlots } from "./usage-plots.tsx";
import { UsageStrip } from "./usage-strip.tsx";
import { midnightHere, utcDay, utcHour } from "./utc-words.ts";
import { nameOf } from "../../lib/names.ts";
import { useBusy } from "../../components/ui/use-busy.ts";

/** Where money, tokens and time went: by model, key, client or endpoint, over hours or days. */
export function UsagePage(): ReactNode {
  const t = useMessages();
  const { params } = useRoute();
  const by = groupingOf(params);
  const nameOf = useGroupNames(by);
  return (
    <>
      <PageHeader title={t.pages.usage}>
        <ExportButton params={params} nameOf={nameOf} />
      </PageHeader>
      <UsageFilters params={params} />
      <Figures params={params} by={by} nameOf={nameOf} />
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
  const { data: usage, error, refetch, isPlaceholderData } = useUsageSeries(queryOf(params));
  if (usage === undefined) {
    return (
      <section className="panel">
        {error === null ? <SkeletonRows rows={8} /> : <Failure error={error} onRetry={() => void refetch()} />}
      </section>
    );
  }
  const { total, whole_from: wholeFrom } = usage;
  const none = total.requests + total.sandbox_requests === 0;
  return (
    <div aria-busy={isPlaceholderData || undefined}>
      {error !== null && (
        <div className="panel mb-3">
          <Failure error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {wholeFrom !== null && (
        <div className="mb-3">
          <NoticeLine level="warning">{t.usage.wholeFrom(utcHour(wholeFrom, language))}</NoticeLine>
        </div>
      )}
      {none ? (
        <section className="panel">
          <Empty
            icon={<ChartColumn size={24} aria-hidden />}
            title={t.usage.empty}
            help={t.usage.emptyHelp}
            action={<Button onClick={() => navigate("overview")}>{t.pages.overview}</Button>}
          />
        </section>
      ) : (
        <>
          <UsageStrip usage={usage} />
          <UsagePlots {...{ usage, by, nameOf, params }} period={periodInWords(usage, t, language)} />
          <GroupTable {...{ usage, by, nameOf, params }} />
        </>
      )}
      <p className="mt-2 px-1 text-meta text-faint">{t.usage.zone(midnightHere(now, language))}</p>
    </div>
  );
}

function periodInWords({ bucket, buckets }: UsageSeries, t: Messages, language: string): string {
  const [first, last] = [buckets[0]?.at ?? 0, buckets.at(-1)?.at ?? 0];
  if (bucket === "day") return t.usage.daily(utcDay(first, language), utcDay(last, language));
  return t.usage.hourly(utcHour(first, language), utcHour(last, language));
}

/** Names of groups, stable until they change. */
function useGroupNames(by: UsageGroup): (group: string) => string {
  const t = useMessages();
  const keyName = useKeyNames();
  return useCallback((group) => groupName(by, group, keyName, t), [by, keyName, t]);
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
      const [by, period] = [groupingOf(params), periodOf(params)];
      const cells = await client.call("usageCells", { ...period, by });
      const words = "range" in period ? [period.range] : [period.since, period.until];
      downloadText(fileName(["postern usage", ...words, "by", by], "csv"), toCsv(usageCsvRows(cells, by, nameOf)));
      // The desktop app says itself what it saved, and where.
      if (window.desktop === undefined) notify.said(t.usage.csvSaved(formatCount(cells.data.length)));
    });
  return (
    <Button busy={busy} icon={<Download size={14} aria-hidden />} onClick={() => void save()}>
      {t.usage.csv}
    </Button>
  );
}

/** A group as people call it. Keys have names; what has none is said in words. */
export function groupName(by: UsageGroup, group: string, keyName: (id: string) => string, t: Messages): string {
  if (group === "") return t.usage.nameless[by];
  if (by === "key") return keyName(group);
  return by === "endpoint" ? nameOf(t.requests.endpoints, group) : group;
}
