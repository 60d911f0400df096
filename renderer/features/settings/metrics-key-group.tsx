import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { TelemetryView } from "../../../gateway/contract/telemetry.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useGatewayState } from "../../api/queries.ts";
import { queryNames } from "../../api/query-names.ts";
import { Button } from "../../components/ui/button.tsx";
import { CopyButton } from "../../components/ui/copy.tsx";
import { Confirm } from "../../components/ui/dialog.tsx";
import { CodeFact, Fact } from "../../components/ui/facts.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useBusy } from "../../components/ui/use-busy.ts";
import { formatMoment } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import { Group } from "./setting.tsx";

/** `/metrics` exists while it has a key, which is shown only on creation. */
export function MetricsKeyGroup({ view }: { readonly view: TelemetryView }): ReactNode {
  const { t, language } = useSpeech();
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();
  const { data: state } = useGatewayState();
  const { busy, run } = useBusy();
  const [made, setMade] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const key = view.metrics_key;
  const show = (telemetry: TelemetryView): void => void cache.setQueryData([queryNames.telemetry], telemetry);
  const make = async (): Promise<void> => {
    await run(async () => {
      const { telemetry, secret } = await client.call("makeMetricsKey");
      show(telemetry);
      setMade(secret);
    });
    setAsking(false);
  };
  const remove = (): Promise<boolean> =>
    run(async () => {
      show(await client.call("removeMetricsKey"));
      setMade(null);
      notify.confirm(t.telemetry.keyRemoved);
    });
  return (
    <Group
      title={t.telemetry.prometheus}
      help={t.telemetry.prometheusHelp}
      actions={
        key === null ? (
          <Button busy={busy} onClick={() => void make()}>
            {t.telemetry.makeKey}
          </Button>
        ) : (
          <>
            <Button busy={busy} onClick={() => setAsking(true)}>
              {t.telemetry.newKey}
            </Button>
            <Button look="quiet" busy={busy} onClick={() => void remove()}>
              {t.telemetry.removeKey}
            </Button>
          </>
        )
      }
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <CodeFact label={t.telemetry.address} text={`${state?.url ?? location.origin}/metrics`} />
        {key !== null && (
          <>
            <Fact label={t.telemetry.key}>
              <code className="font-mono text-meta">{key.hint}</code>
            </Fact>
            <Fact label={t.telemetry.lastScrape}>
              {view.scraped_at === null ? t.time.never : formatMoment(view.scraped_at, language)}
            </Fact>
          </>
        )}
      </dl>
      {made !== null && (
        <div className="rounded-md border border-line-strong bg-canvas p-3">
          <p className="mb-1 text-meta text-faint">{t.telemetry.keyOnce}</p>
          <code className="block font-mono select-all wrap-anywhere" data-secret>
            {made}
          </code>
          <div className="mt-3">
            <CopyButton text={made} label={t.telemetry.copyKey} look="primary" />
          </div>
        </div>
      )}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void make()}
        title={t.telemetry.newKeyTitle}
        description={t.telemetry.newKeyHelp}
        action={t.telemetry.newKey}
        busy={busy}
      />
    </Group>
  );
}
