import { Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Confirm, Modal, ModalFooter } from "../../components/ui/dialog.tsx";
import { Fact } from "../../components/ui/facts.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { formatBytes, formatMoment } from "../../lib/format.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";
import { useRecordingActions, useRecordings } from "../../components/request/use-request.ts";

export interface RecordingDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Whether bodies are recorded, how much is there, and the way to be rid of it. */
export function RecordingDialog({ open, onClose }: RecordingDialogProps): ReactNode {
  const t = useMessages();
  return (
    <Modal open={open} onClose={onClose} title={t.requestLog.recording} description={t.requestLog.recordingHelp}>
      <Recordings />
    </Modal>
  );
}

function Recordings(): ReactNode {
  const { t, language } = useSpeech();
  const { data, error, refetch } = useRecordings();
  const { set, clear } = useRecordingActions();
  const [asking, setAsking] = useState(false);
  if (data === undefined) {
    return error === null ? <SkeletonRows rows={3} /> : <Failure error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <dl className="grid grid-cols-[120px_minmax(0,1fr)] gap-x-3 gap-y-1 px-4 pt-3">
        <Fact label={t.requestLog.state}>
          <output>{data.on ? t.requestLog.stateOn : t.requestLog.stateOff}</output>
        </Fact>
        <Fact label={t.requestLog.onDisk}>{formatBytes(data.bytes)}</Fact>
        {data.oldest_at !== null && <Fact label={t.requestLog.oldest}>{formatMoment(data.oldest_at, language)}</Fact>}
        {data.lost > 0 && <Fact label={t.requestLog.lost}>{t.requestLog.lostHelp(data.lost)}</Fact>}
        <Fact label={t.requestLog.kept}>
          <a href={routeHash("settings", { section: "data" })}>{t.requestLog.retention}</a>
        </Fact>
      </dl>
      <ModalFooter>
        <Button icon={<Trash2 size={14} aria-hidden />} disabled={data.bytes === 0} onClick={() => setAsking(true)}>
          {t.requestLog.deleteAll}
        </Button>
        <Button look={data.on ? "plain" : "primary"} busy={set.isPending} onClick={() => set.mutate(!data.on)}>
          {data.on ? t.requestLog.switchOff : t.requestLog.switchOn}
        </Button>
      </ModalFooter>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => clear.mutate(undefined, { onSuccess: () => setAsking(false) })}
        title={t.requestLog.deleteTitle}
        description={t.requestLog.deleteHelp(formatBytes(data.bytes))}
        action={t.requestLog.deleteAll}
        busy={clear.isPending}
      />
    </>
  );
}
