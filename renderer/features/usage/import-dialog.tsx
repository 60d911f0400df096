import { useState, type FormEvent, type ReactNode } from "react";
import { getAppName } from "../../../gateway/contract/apps.ts";
import type { HistoryImport } from "../../../gateway/contract/history.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useHistory, useHistoryPreview } from "../../api/history-queries.ts";
import { Button } from "../../components/ui/button.tsx";
import { Modal, ModalFooter } from "../../components/ui/dialog.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { Failure, NoticeLine } from "../../components/ui/states.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useBusy } from "../../components/ui/use-busy.ts";
import { formatBytes, formatCompact, formatCount, formatDay, formatMoney } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";

export interface ImportDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onImported: () => Promise<unknown>;
}

/** Shows what the logs contain, before anything is imported. */
export function ImportDialog({ open, onClose, onImported }: ImportDialogProps): ReactNode {
  const { t } = useSpeech();
  return (
    <Modal
      open={open}
      onClose={onClose}
      title={t.history.dialog.title}
      description={t.history.dialog.help}
      size="large"
    >
      {open && <ImportForm onClose={onClose} onImported={onImported} />}
    </Modal>
  );
}

function ImportForm({ onClose, onImported }: Omit<ImportDialogProps, "open">): ReactNode {
  const { t } = useSpeech();
  const words = t.history.dialog;
  const { client } = useGateway();
  const notify = useNotify();
  const [folder, setFolder] = useState("");
  /** The searched folder; empty for the usual ones. */
  const [looked, setLooked] = useState("");
  const { data: found, error, isFetching, refetch } = useHistoryPreview(looked);
  const importing = useBusy();
  const bring = (): Promise<unknown> =>
    importing.run(async () => {
      const done = await client.call("importHistory", looked === "" ? {} : { folders: [looked] });
      await onImported();
      notify.confirm(words.done(formatCount(done.new_totals.requests)));
      onClose();
    });
  const look = (path: string): void => {
    if (path === looked) void refetch();
    else setLooked(path);
  };
  const busy = isFetching || importing.busy;
  const nothing = found === undefined || found.new_totals.requests + found.through_postern.requests === 0;
  return (
    <>
      <div className="flex flex-col gap-3 px-4 pt-3">
        {busy ? (
          <Progress what={importing.busy ? words.importing : words.reading} />
        ) : error === null ? (
          found !== undefined && <Found found={found} />
        ) : (
          <Failure error={error} onRetry={() => void refetch()} />
        )}
        <form
          className="flex items-start gap-2"
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            if (!busy) look(folder.trim());
          }}
        >
          <TextField
            mono
            optional
            className="grow"
            label={words.folder}
            help={words.folderHelp}
            value={folder}
            onChange={(event) => setFolder(event.target.value)}
          />
          <Button type="submit" busy={busy} className="mt-6.5">
            {words.look}
          </Button>
        </form>
      </div>
      <ModalFooter>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button look="primary" busy={busy} disabled={!busy && nothing} onClick={() => void bring()}>
          {words.import}
        </Button>
      </ModalFooter>
    </>
  );
}

/** How far the reading is. */
function Progress({ what }: { readonly what: string }): ReactNode {
  const { t } = useSpeech();
  const { data } = useHistory(true);
  const running = data?.running ?? null;
  return (
    <output className="block rounded-md border border-line px-3 py-4">
      <span className="block font-medium">{what}</span>
      <span className="numeric block text-meta text-muted">
        {running !== null &&
          `${t.history.dialog.progress(formatCount(running.logs_done), formatCount(running.logs))} · ${formatBytes(running.bytes_done)}`}
        &nbsp;
      </span>
    </output>
  );
}

function Found({ found }: { readonly found: HistoryImport }): ReactNode {
  const { t, language } = useSpeech();
  const words = t.history.dialog;
  const { sources, new_totals: added, through_postern: ours, lines, failed } = found;
  if (sources.length === 0) return <NoticeLine level="info">{words.none}</NoticeLine>;
  const broken = lines.broken + lines.too_long;
  const day = (at: number): string => formatDay(at, language);
  return (
    <>
      <ul className="flex flex-col gap-2">
        {sources.map((source) => (
          <li key={`${source.agent} ${source.folder}`} className="rounded-md border border-line px-3 py-2">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-medium">{getAppName(source.agent)}</span>
              <code className="text-meta text-muted wrap-anywhere">{source.folder}</code>
            </p>
            <p className="numeric text-meta text-muted">
              {words.logs(formatCount(source.logs), formatCount(source.new_logs))}
              {` · ${formatBytes(source.bytes)}`}
            </p>
            {source.from !== null && source.to !== null && (
              <p className="numeric text-meta text-muted">
                {words.found(formatCount(source.requests), formatCount(source.sessions), formatCompact(source.tokens))}
                {` · ${words.days(day(source.from), day(source.to))}`}
              </p>
            )}
          </li>
        ))}
      </ul>
      <div className="numeric">
        {added.requests === 0 ? (
          <p>{words.nothingNew}</p>
        ) : (
          <p>
            {words.total(
              formatCount(added.requests),
              formatCompact(added.input_tokens + added.output_tokens),
              formatMoney(added.nano),
            )}
          </p>
        )}
        {added.unpriced_requests > 0 && (
          <p className="text-warning-text">{words.unpriced(formatCount(added.unpriced_requests))}</p>
        )}
        {ours.requests > 0 && <p className="text-muted">{words.through(formatCount(ours.requests))}</p>}
        {!found.receipts_complete && <p className="text-warning-text">{words.receipts}</p>}
        {broken > 0 && <p className="text-muted">{words.broken(formatCount(broken))}</p>}
      </div>
      {failed.length > 0 && (
        <div>
          <p className="text-warning-text">{words.failed(formatCount(failed.length))}</p>
          <ul className="text-meta text-muted">
            {failed.map(({ file, message }) => (
              <li key={file} className="wrap-anywhere">
                <code>{file}</code>: {message}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
