import { useQueryClient } from "@tanstack/react-query";
import { Archive, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { Settings } from "../../../gateway/contract/settings.ts";
import type { Backup, BackupsView } from "../../../gateway/contract/maintenance.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { useBackups } from "../../api/maintenance-queries.ts";
import { Badge } from "../../components/ui/badge.tsx";
import { Button, IconButton } from "../../components/ui/button.tsx";
import { Confirm } from "../../components/ui/dialog.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { formatBytes, formatMoment } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import { RestartLine } from "./restart-line.tsx";
import { Group, SettingFields } from "./setting.tsx";

/** Action that waits for the user's confirmation. */
interface BackupDialog {
  readonly about: "restore" | "remove";
  readonly backup: Backup;
}

/** Backups: create, list, and restore at the next start, which can be undone. */
export function BackupsPanel({ settings }: { readonly settings: Settings }): ReactNode {
  const { t, language } = useSpeech();
  const { data: view, error, refetch } = useBackups();
  const { busy, make, restore, remove, cancel } = useBackupActions();
  const [openDialog, ask] = useState<BackupDialog | null>(null);
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
        <BackupList view={view} busy={busy} onAsk={ask} />
      ) : error === null ? (
        <SkeletonRows rows={2} />
      ) : (
        <Failure error={error} onRetry={() => void refetch()} />
      )}
      <SettingFields group="backups" settings={settings} />
      <p className="text-meta text-muted">{t.settings.notInBackups}</p>
      <Confirm
        open={openDialog?.about === "restore"}
        onClose={() => ask(null)}
        onConfirm={() => {
          if (openDialog !== null) void restore(openDialog.backup).then((done) => done && ask(null));
        }}
        title={t.settings.restoreTitle}
        description={t.settings.restoreHelp}
        action={t.settings.restore}
        busy={busy}
      />
      <Confirm
        open={openDialog?.about === "remove"}
        onClose={() => ask(null)}
        onConfirm={() => {
          if (openDialog !== null) void remove(openDialog.backup).then((done) => done && ask(null));
        }}
        title={openDialog === null ? "" : t.settings.deleteBackupTitle(formatMoment(openDialog.backup.at, language))}
        description={
          openDialog?.backup.kind === "before-restore" ? t.settings.deleteUndoHelp : t.settings.deleteBackupHelp
        }
        action={t.settings.deleteBackup}
        busy={busy}
      />
    </Group>
  );
}

function BackupList(props: {
  readonly view: BackupsView;
  readonly busy: boolean;
  readonly onAsk: (dialog: BackupDialog) => void;
}): ReactNode {
  const { t, language } = useSpeech();
  const { view, busy, onAsk } = props;
  if (view.data.length === 0) return <p className="text-muted">{t.settings.noneYet}</p>;
  return (
    <ul aria-label={t.settings.backups} className="max-h-80 overflow-y-auto">
      {view.data.map((backup) => {
        const when = formatMoment(backup.at, language);
        return (
          <li
            key={backup.name}
            className="flex min-h-9 items-center gap-3 border-b border-line/60 py-1 last:border-transparent"
          >
            <span className="flex min-w-0 grow flex-wrap items-center gap-x-3">
              <span className="numeric grow whitespace-nowrap" title={backup.name}>
                {when}
              </span>
              {backup.opens_keys && (
                <span title={t.settings.opensKeysHelp}>
                  <Badge tone="warning">{t.settings.opensKeys}</Badge>
                </span>
              )}
              {backup.kind !== "manual" && <Badge>{t.settings.kinds[backup.kind]}</Badge>}
              <span className="numeric text-right text-meta whitespace-nowrap text-faint wide:w-18">
                {formatBytes(backup.bytes)}
              </span>
            </span>
            <Button
              aria-label={t.settings.restoreNamed(when)}
              disabled={busy || view.pending === backup.name}
              onClick={() => onAsk({ about: "restore", backup })}
            >
              {t.settings.restore}
            </Button>
            <IconButton
              label={t.settings.deleteBackupNamed(when)}
              disabled={busy || view.pending === backup.name}
              onClick={() => onAsk({ about: "remove", backup })}
            >
              <Trash2 size={14} aria-hidden />
            </IconButton>
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
      notify.showError(error);
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
        notify.confirm(t.settings.backedUp(formatBytes(bytes)));
      }),
    remove: (backup: Backup) =>
      run(async () => {
        put(await client.call("removeBackup", { name: backup.name }));
        notify.confirm(t.settings.backupDeleted(formatMoment(backup.at, language)));
      }),
    restore: (backup: Backup) =>
      run(async () => {
        put(await client.call("restoreBackup", { name: backup.name }));
        notify.undoable(t.settings.restoreReady(formatMoment(backup.at, language)), () => void cancel());
      }),
  };
}
