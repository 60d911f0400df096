import { useQueryClient } from "@tanstack/react-query";
import { Archive } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { Settings } from "../../../gateway/contract/control.ts";
import type { Backup, BackupsView } from "../../../gateway/contract/upkeep.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { useBackups } from "../../api/upkeep-queries.ts";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Confirm } from "../../components/ui/dialog.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { formatBytes, formatMoment } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import { RestartLine } from "./restart-line.tsx";
import { Group, NumberSetting } from "./setting.tsx";

/** Copies of the data: made, listed, and put back at the next start, with a way back from that too. */
export function BackupsPanel({ settings }: { readonly settings: Settings }): ReactNode {
  const { t } = useSpeech();
  const { data: view, error, refetch } = useBackups();
  const { busy, make, restore, cancel } = useBackupActions();
  const [asked, ask] = useState<Backup | null>(null);
  return (
    <Group
      title={t.settings.backups}
      help={t.settings.backupsHelp}
      actions={
        <Button icon={<Archive size={14} aria-hidden />} busy={busy} onClick={() => void make()}>
          {t.settings.backupNow}
        </Button>
      }
    >
      {view !== undefined && view.pending !== null && (
        <RestartLine
          text={t.settings.restorePending(view.pending)}
          action={
            <Button busy={busy} onClick={() => void cancel()}>
              {t.settings.keepData}
            </Button>
          }
        />
      )}
      {view !== undefined ? (
        <BackupList view={view} busy={busy} onRestore={ask} />
      ) : error === null ? (
        <SkeletonRows rows={2} />
      ) : (
        <Failure error={error} onRetry={() => void refetch()} />
      )}
      <NumberSetting
        name="backup_keep"
        settings={settings}
        label={t.settings.backupKeep}
        help={t.settings.backupKeepHelp}
        empty={t.settings.noBackups}
      />
      <Confirm
        open={asked !== null}
        onClose={() => ask(null)}
        onConfirm={() => {
          if (asked !== null) void restore(asked).then((done) => done && ask(null));
        }}
        title={t.settings.restoreTitle}
        description={t.settings.restoreHelp}
        action={t.settings.restore}
        busy={busy}
      />
    </Group>
  );
}

function BackupList(props: {
  readonly view: BackupsView;
  readonly busy: boolean;
  readonly onRestore: (backup: Backup) => void;
}): ReactNode {
  const { t, language } = useSpeech();
  const { view, busy, onRestore } = props;
  if (view.data.length === 0) return <p className="text-muted">{t.settings.noneYet}</p>;
  return (
    <ul aria-label={t.settings.backups} className="max-h-80 overflow-y-auto">
      {view.data.map((backup) => {
        const when = formatMoment(backup.at, language);
        return (
          <li
            key={backup.name}
            className="flex min-h-9 items-center gap-3 border-b border-line/60 last:border-transparent"
          >
            <span className="numeric min-w-0 grow truncate" title={backup.name}>
              {when}
            </span>
            {backup.kind !== "manual" && <Badge>{t.settings.kinds[backup.kind]}</Badge>}
            <span className="numeric w-18 shrink-0 text-right text-meta text-faint">{formatBytes(backup.bytes)}</span>
            <Button
              aria-label={t.settings.restoreNamed(when)}
              disabled={busy || view.pending === backup.name}
              onClick={() => onRestore(backup)}
            >
              {t.settings.restore}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

function useBackupActions() {
  const { t, language } = useSpeech();
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>): Promise<boolean> => {
    setBusy(true);
    try {
      await work();
      return true;
    } catch (error) {
      notify.failed(error);
      return false;
    } finally {
      setBusy(false);
      void cache.invalidateQueries({ queryKey: [queryNames.dataFolder] });
    }
  };
  const put = (view: BackupsView): void => {
    cache.setQueryData([queryNames.backups], view);
  };
  const cancel = (): Promise<boolean> => run(async () => put(await client.call("cancelRestore")));
  return {
    busy,
    cancel,
    make: () =>
      run(async () => {
        const { bytes } = await client.call("backup");
        await cache.invalidateQueries({ queryKey: [queryNames.backups] });
        notify.said(t.settings.backedUp(formatBytes(bytes)));
      }),
    restore: (backup: Backup) =>
      run(async () => {
        put(await client.call("restoreBackup", { name: backup.name }));
        notify.undoable(t.settings.restoreReady(formatMoment(backup.at, language)), () => void cancel());
      }),
  };
}
