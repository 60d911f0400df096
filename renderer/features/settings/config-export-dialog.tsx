import { useState, type ReactNode } from "react";
import { useGateway } from "../../api/gateway.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Modal, ModalFooter } from "../../components/ui/dialog.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { Segmented } from "../../components/ui/segmented.tsx";
import { useBusy } from "../../components/ui/use-busy.ts";
import { download } from "../../lib/download.ts";
import { useMessages } from "../../lib/i18n.tsx";

const FILE_NAME = "postern.yaml";

export interface ConfigExportDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks what becomes of secrets, and hands the file to the browser. */
export function ConfigExportDialog({ open, onClose }: ConfigExportDialogProps): ReactNode {
  const t = useMessages();
  return (
    <Modal open={open} onClose={onClose} title={t.config.title} description={t.config.exportHelp}>
      {open && <Choices onClose={onClose} />}
    </Modal>
  );
}

/** Returns the proof of the user's consent: the desktop app asks for it, a browser gets an address from the command. */
async function consent(address: string): Promise<string | null> {
  if (window.desktop !== undefined) return (await window.desktop.consentToExport())?.token ?? null;
  return address.trim().replace(/^.*#token=/, "");
}

function Choices({ onClose }: { readonly onClose: () => void }): ReactNode {
  const t = useMessages();
  const { client } = useGateway();
  const { busy, run } = useBusy();
  const [secrets, setSecrets] = useState<"without" | "encrypted">("without");
  const [passphrase, setPassphrase] = useState("");
  const [address, setAddress] = useState("");
  const [missing, setMissing] = useState(false);
  const save = async (): Promise<void> => {
    const isEncrypted = secrets === "encrypted";
    setMissing(isEncrypted && passphrase === "");
    if (isEncrypted && passphrase === "") return;
    const done = await run(async () => {
      const token = isEncrypted ? await consent(address) : undefined;
      if (token === null) return;
      const { text } = await client.call("exportSetup", isEncrypted ? { passphrase, page_token: token } : {});
      download(FILE_NAME, new Blob([text], { type: "application/yaml;charset=utf-8" }));
    });
    if (done) onClose();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className="flex flex-col gap-3 px-4 pt-3">
        <div>
          <Segmented
            label={t.config.secrets}
            value={secrets}
            onChange={setSecrets}
            choices={[
              { id: "without", label: t.config.without },
              { id: "encrypted", label: t.config.encrypted },
            ]}
          />
          <p className="mt-1 text-meta text-faint">
            {secrets === "without" ? t.config.withoutHelp : t.config.encryptedHelp}
          </p>
        </div>
        {secrets === "encrypted" && (
          <TextField
            type="password"
            autoComplete="new-password"
            label={t.config.passphrase}
            value={passphrase}
            onChange={({ target }) => {
              setMissing(false);
              setPassphrase(target.value);
            }}
            {...(missing && { error: t.config.passphraseMissing })}
          />
        )}
        {secrets === "encrypted" && window.desktop === undefined && (
          <TextField
            type="password"
            autoComplete="off"
            label={t.config.consent}
            help={t.config.consentHelp}
            value={address}
            onChange={({ target }) => setAddress(target.value)}
          />
        )}
      </div>
      <ModalFooter>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button type="submit" look="primary" busy={busy}>
          {t.config.download}
        </Button>
      </ModalFooter>
    </form>
  );
}
