import { useQueryClient } from "@tanstack/react-query";
import { Activity } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { Settings } from "../../../gateway/contract/settings.ts";
import type { TelemetryTest, TelemetryView } from "../../../gateway/contract/telemetry.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useTelemetry } from "../../api/maintenance-queries.ts";
import { queryNames } from "../../api/query-names.ts";
import { Button } from "../../components/ui/button.tsx";
import { Fact } from "../../components/ui/facts.tsx";
import { TextAreaField } from "../../components/ui/field.tsx";
import { Failure, NoticeLine, SkeletonRows } from "../../components/ui/states.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useBusy } from "../../components/ui/use-busy.ts";
import { formatCount, formatMoment } from "../../lib/format.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import { MetricsKeyGroup } from "./metrics-key-group.tsx";
import { Group, SettingFields } from "./setting.tsx";

/** Telemetry settings: the receiver, and the key of the metrics. */
export function TelemetrySection({ settings }: { readonly settings: Settings }): ReactNode {
  const { data: view, error, refetch } = useTelemetry();
  if (view === undefined) {
    return (
      <section className="panel">
        {error === null ? <SkeletonRows rows={4} /> : <Failure error={error} onRetry={() => void refetch()} />}
      </section>
    );
  }
  return (
    <>
      <OtlpGroup settings={settings} view={view} />
      <MetricsKeyGroup view={view} />
    </>
  );
}

function OtlpGroup({ settings, view }: { readonly settings: Settings; readonly view: TelemetryView }): ReactNode {
  const t = useMessages().telemetry;
  const { client } = useGateway();
  const { busy, run } = useBusy();
  const [tried, setTried] = useState<TelemetryTest | null>(null);
  const sends = settings.otlp_endpoint !== null;
  const test = async (): Promise<void> => {
    setTried(null);
    await run(async () => setTried(await client.call("testTelemetry")));
  };
  return (
    <Group
      title={t.otlp}
      help={t.otlpHelp}
      actions={
        <Button icon={<Activity size={14} aria-hidden />} busy={busy} disabled={!sends} onClick={() => void test()}>
          {t.test}
        </Button>
      }
    >
      <SettingFields
        group="telemetry"
        settings={settings}
        only={sends ? ["otlp_endpoint", "otlp_signals"] : ["otlp_endpoint"]}
      />
      {sends && <Headers view={view} />}
      {sends && <Sent view={view} />}
      {view.problem !== null && <NoticeLine level="warning">{view.problem}</NoticeLine>}
      {tried !== null && (
        <NoticeLine level={tried.ok ? "info" : "danger"}>{tried.ok ? t.works(tried.ms) : tried.message}</NoticeLine>
      )}
    </Group>
  );
}

/** Counts of the spans since the start, or since the receiver was set. */
function Sent({ view }: { readonly view: TelemetryView }): ReactNode {
  const { t, language } = useSpeech();
  const { exported, queued, dropped, exported_at: at } = view;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
      <Fact label={t.telemetry.exported}>{formatCount(exported)}</Fact>
      <Fact label={t.telemetry.queued}>{formatCount(queued)}</Fact>
      <Fact label={t.telemetry.dropped}>
        <span className={dropped > 0 ? "text-warning-text" : ""}>{formatCount(dropped)}</span>
      </Fact>
      <Fact label={t.telemetry.lastExport}>{at === null ? t.time.never : formatMoment(at, language)}</Fact>
    </dl>
  );
}

/** Headers are write-only. */
function Headers({ view }: { readonly view: TelemetryView }): ReactNode {
  const t = useMessages();
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();
  const { busy, run } = useBusy();
  const [draft, setDraft] = useState("");
  const keep = (headers: string | null): Promise<boolean> =>
    run(async () => {
      cache.setQueryData([queryNames.telemetry], await client.call("setTelemetryHeaders", { headers }));
      setDraft("");
      notify.confirm(headers === null ? t.telemetry.headersRemoved : t.telemetry.headersKept);
    });
  const { headers } = view;
  return (
    <form
      className="flex flex-wrap items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (draft.trim() !== "") void keep(draft);
      }}
    >
      <TextAreaField
        className="max-w-120 grow basis-60"
        label={t.telemetry.headers}
        help={
          headers.length === 0
            ? t.telemetry.headersHelp
            : `${t.telemetry.headersHelp} ${t.telemetry.headersSet(headers.join(t.app.listed))}`
        }
        mono
        rows={2}
        value={draft}
        placeholder="Authorization: Bearer …"
        onChange={(event) => setDraft(event.target.value)}
      />
      <div className="flex gap-2 min-[560px]:mt-6.5">
        <Button type="submit" busy={busy} disabled={draft.trim() === ""}>
          {t.telemetry.save}
        </Button>
        {headers.length > 0 && (
          <Button look="quiet" busy={busy} onClick={() => void keep(null)}>
            {t.telemetry.remove}
          </Button>
        )}
      </div>
    </form>
  );
}
