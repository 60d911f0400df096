import { useQuery } from "@tanstack/react-query";
import { FileDown, FileUp, Undo2 } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import type { AppliedSetup } from "../../../gateway/contract/setup-operations.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { SetupUndoDialog } from "../../components/setup/setup-undo-dialog.tsx";
import { useRenewSetup } from "../../components/setup/use-setups.ts";
import { Button } from "../../components/ui/button.tsx";
import { Failure } from "../../components/ui/states.tsx";
import { useBusy } from "../../components/ui/use-busy.ts";
import { formatMoment } from "../../lib/format.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import { ConfigExportDialog } from "./config-export-dialog.tsx";
import { ConfigImportDialog, type ConfigText } from "./config-import-dialog.tsx";
import { Group } from "./setting.tsx";

/** The whole configuration as a file: out, in, and back. */
export function ConfigPanel(): ReactNode {
  const t = useMessages();
  const input = useRef<HTMLInputElement>(null);
  const [exporting, setExporting] = useState(false);
  const [file, setFile] = useState<ConfigText | null>(null);
  return (
    <Group
      title={t.config.title}
      help={t.config.help}
      actions={
        <>
          <Button icon={<FileDown size={14} aria-hidden />} onClick={() => setExporting(true)}>
            {t.config.export}
          </Button>
          <Button icon={<FileUp size={14} aria-hidden />} onClick={() => input.current?.click()}>
            {t.config.import}
          </Button>
        </>
      }
    >
      <input
        ref={input}
        type="file"
        accept=".yaml,.yml,.json"
        aria-label={t.config.file}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          if (chosen !== undefined) void chosen.text().then((text) => setFile({ name: chosen.name, text }));
          // Clears the input so that the same file can be chosen again.
          target.value = "";
        }}
      />
      <p className="text-meta text-muted">{t.config.command}</p>
      <AppliedSetups />
      <ConfigExportDialog open={exporting} onClose={() => setExporting(false)} />
      <ConfigImportDialog file={file} onClose={() => setFile(null)} />
    </Group>
  );
}

function AppliedSetups(): ReactNode {
  const { t, language } = useSpeech();
  const { client } = useGateway();
  const renew = useRenewSetup();
  const { busy, run } = useBusy();
  const [undoing, setUndoing] = useState<{ readonly id: string; readonly label: string } | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: [queryNames.appliedSetups],
    queryFn: async () => (await client.call("listAppliedSetups")).data,
  });
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  const nameOf = ({ source }: AppliedSetup): string =>
    source === "file" || source === "followed" ? t.config.sources[source] : `${t.config.sources.program}: ${source}`;
  const forget = (id: string): Promise<boolean> =>
    run(async () => {
      await client.call("forgetSetup", {}, id);
      await renew();
    });
  return (
    <>
      {data !== undefined && data.length > 0 && (
        <div>
          <h3 className="font-medium">{t.config.applied}</h3>
          <ul aria-label={t.config.applied} className="max-h-80 overflow-y-auto">
            {data.map((applied) => {
              const [name, when] = [nameOf(applied), formatMoment(applied.at, language)];
              return (
                <li
                  key={applied.id}
                  className="flex min-h-9 flex-wrap items-center gap-x-3 border-b border-line/60 py-1 last:border-transparent"
                >
                  <span className="flex min-w-0 grow flex-wrap items-center gap-x-3">
                    <span className="numeric whitespace-nowrap">{when}</span>
                    <span className="grow">{name}</span>
                    <span className="text-meta text-faint">{t.config.records(applied.records)}</span>
                  </span>
                  <Button
                    icon={<Undo2 size={14} aria-hidden />}
                    aria-label={t.config.undoOf(name, when)}
                    disabled={busy}
                    onClick={() => setUndoing({ id: applied.id, label: name })}
                  >
                    {t.setup.undo}
                  </Button>
                  <Button
                    look="quiet"
                    aria-label={t.config.forgetOf(name, when)}
                    disabled={busy}
                    onClick={() => void forget(applied.id)}
                  >
                    {t.config.forget}
                  </Button>
                </li>
              );
            })}
          </ul>
        </div>
      )}
      <SetupUndoDialog setup={undoing} onClose={() => setUndoing(null)} />
    </>
  );
}
