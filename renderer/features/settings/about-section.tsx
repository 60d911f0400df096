import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useGateway } from "../../api/gateway.tsx";
import { useGatewayState } from "../../api/queries.ts";
import { queryNames } from "../../api/query-names.ts";
import { Button } from "../../components/ui/button.tsx";
import { Modal } from "../../components/ui/dialog.tsx";
import { CodeFact } from "../../components/ui/facts.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { Group } from "./setting.tsx";

export function AboutSection(): ReactNode {
  const t = useMessages();
  const { data: state } = useGatewayState();
  const [licences, showLicences] = useState(false);
  return (
    <>
      <Group
        title={t.app.name}
        help={t.settings.aboutHelp}
        actions={<Button onClick={() => showLicences(true)}>{t.settings.licences}</Button>}
      >
        {state !== undefined && (
          <dl className="grid grid-cols-[120px_minmax(0,1fr)] items-center gap-y-0.5 max-wide:grid-cols-[92px_minmax(0,1fr)]">
            <CodeFact label={t.settings.version} text={state.version} />
            <CodeFact label={t.settings.process} text={String(state.pid)} />
          </dl>
        )}
      </Group>
      <DiagnosticsPanel />
      <Modal
        open={licences}
        onClose={() => showLicences(false)}
        title={t.settings.licences}
        description={t.settings.licencesHelp}
        size="large"
      >
        <Licences />
      </Modal>
    </>
  );
}

function DiagnosticsPanel(): ReactNode {
  const t = useMessages();
  const { client } = useGateway();
  const notify = useNotify();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const { link } = await client.call("diagnostics");
      // Only the gateway's own path is accepted.
      if (!/^\/diagnostics\/[\w-]+$/.test(link)) return;
      const anchor = document.createElement("a");
      anchor.href = link;
      anchor.download = "";
      anchor.click();
      notify.confirm(t.settings.diagnosticsSaved);
    } catch (error) {
      notify.showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Group
      title={t.settings.diagnostics}
      actions={
        <Button icon={<Download size={14} aria-hidden />} busy={busy} onClick={() => void save()}>
          {t.settings.saveDiagnostics}
        </Button>
      }
    >
      <p className="text-muted">{t.settings.diagnosticsHelp}</p>
    </Group>
  );
}

/** Licences of the third-party code in these pages, as collected by the build. */
function Licences(): ReactNode {
  const t = useMessages();
  const { data, error, refetch } = useQuery({
    queryKey: [queryNames.licences],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const response = await fetch("/third-party.txt");
      if (!response.ok) throw new Error(String(response.status));
      return response.text();
    },
  });
  if (data === undefined)
    return error === null ? <SkeletonRows rows={8} /> : <Failure error={error} onRetry={() => void refetch()} />;
  return (
    // A region, so that keys can reach what scrolls.
    <section
      aria-label={t.settings.licences}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="m-4 max-h-[60vh] overflow-auto rounded-md border border-line bg-canvas p-3"
    >
      <pre className="font-mono text-meta whitespace-pre-wrap wrap-anywhere">{data}</pre>
    </section>
  );
}
