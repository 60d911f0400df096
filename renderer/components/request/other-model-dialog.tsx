import { useState, type FormEvent, type ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { ModelPicker } from "../model-picker/model-picker.tsx";
import { Button } from "../ui/button.tsx";
import { Modal, ModalFooter } from "../ui/dialog.tsx";
import { useMessages } from "../../lib/i18n.tsx";

/** Capability that a model needs, by the endpoint of a receipt. */
const CAPABILITIES: Readonly<Record<string, string>> = {
  chat: "chat",
  messages: "chat",
  responses: "chat",
  embeddings: "embedding",
  speech: "speech",
  transcriptions: "transcription",
  translations: "translation",
  images: "image",
  edits: "image_edit",
  videos: "video",
  moderations: "moderation",
};

export interface OtherModelDialogProps {
  readonly open: boolean;
  readonly receipt: Receipt;
  readonly keyName: string;
  readonly busy: boolean;
  readonly onSend: (model: string) => void;
  readonly onClose: () => void;
}

/** Asks which model a request is sent to instead. */
export function OtherModelDialog({ open, onClose, ...rest }: OtherModelDialogProps): ReactNode {
  const t = useMessages();
  return (
    <Modal open={open} onClose={onClose} title={t.requestLog.otherTitle} size="small">
      <OtherModelForm onClose={onClose} {...rest} />
    </Modal>
  );
}

function OtherModelForm({ receipt, keyName, busy, onSend, onClose }: Omit<OtherModelDialogProps, "open">): ReactNode {
  const t = useMessages();
  const [model, choose] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (model !== "" && !busy) onSend(model);
  };
  return (
    <form onSubmit={submit}>
      <div className="flex flex-col gap-3 px-4 pt-2">
        <p className="text-muted">{`${t.requestLog.replayHelp(keyName)} ${t.requestLog.otherHelp}`}</p>
        <ModelPicker
          label={t.requests.model}
          value={model}
          capability={CAPABILITIES[receipt.endpoint]}
          except={[receipt.model]}
          onChange={choose}
        />
      </div>
      <ModalFooter>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button type="submit" look="primary" busy={busy} disabled={model === ""}>
          {t.requestLog.send}
        </Button>
      </ModalFooter>
    </form>
  );
}
