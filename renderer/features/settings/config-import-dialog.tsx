import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { SetupFile, SetupPlan, SetupResult } from "../../../gateway/contract/setup-operations.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { SetupChanges } from "../../components/setup/setup-changes.tsx";
import { SetupDone } from "../../components/setup/setup-done.tsx";
import { SetupWarnings } from "../../components/setup/setup-warnings.tsx";
import { useRenewSetup } from "../../components/setup/use-setups.ts";
import { Button } from "../../components/ui/button.tsx";
import { Modal, ModalFooter } from "../../components/ui/dialog.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { SkeletonRows } from "../../components/ui/states.tsx";
import { useSentence } from "../../components/ui/toasts.tsx";
import { useBusy } from "../../components/ui/use-busy.ts";
import { useMessages } from "../../lib/i18n.tsx";

/** A file that was chosen. */
export interface ConfigText {
  readonly name: string;
  readonly text: string;
}

/** Marker of such secrets (age-encryption.org/v1, armored). */
const ENCRYPTED = "BEGIN AGE ENCRYPTED FILE";

export interface ConfigImportDialogProps {
  readonly file: ConfigText | null;
  readonly onClose: () => void;
}

/** Changes of a configuration file, and the button that applies them. */
export function ConfigImportDialog({ file, onClose }: ConfigImportDialogProps): ReactNode {
  const t = useMessages();
  return (
    <Modal
      open={file !== null}
      onClose={onClose}
      title={t.config.importTitle(file?.name ?? "")}
      description={t.config.importHelp}
      size="large"
    >
      {file !== null && <Opened key={file.text} text={file.text} onClose={onClose} />}
    </Modal>
  );
}

interface OpenedProps {
  readonly text: string;
  readonly onClose: () => void;
}

function Opened({ text, onClose }: OpenedProps): ReactNode {
  const [passphrase, setPassphrase] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [result, setResult] = useState<SetupResult | null>(null);
  if (result !== null) return <SetupDone result={result} onClose={onClose} />;
  if (text.includes(ENCRYPTED) && passphrase === null)
    return <Locked failure={failure} onOpen={setPassphrase} onClose={onClose} />;
  return (
    <Preview
      file={{ text, ...(passphrase !== null && { passphrase }) }}
      onDone={setResult}
      onClose={onClose}
      onRefused={(reason) => {
        if (passphrase === null) return;
        setFailure(reason);
        setPassphrase(null);
      }}
    />
  );
}

interface LockedProps {
  readonly failure: unknown;
  readonly onOpen: (passphrase: string) => void;
  readonly onClose: () => void;
}

function Locked({ failure, onOpen, onClose }: LockedProps): ReactNode {
  const t = useMessages();
  const sentenceOf = useSentence();
  const [passphrase, setPassphrase] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (passphrase !== "") onOpen(passphrase);
      }}
    >
      <div className="px-4 pt-3">
        <TextField
          type="password"
          autoComplete="off"
          label={t.config.passphrase}
          help={t.config.openHelp}
          value={passphrase}
          onChange={({ target }) => setPassphrase(target.value)}
          {...(failure !== null && { error: sentenceOf(failure) })}
        />
      </div>
      <ModalFooter>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button type="submit" look="primary">
          {t.config.open}
        </Button>
      </ModalFooter>
    </form>
  );
}

interface PreviewProps {
  readonly file: SetupFile;
  readonly onDone: (result: SetupResult) => void;
  /** The file, or its passphrase, was refused. */
  readonly onRefused: (reason: unknown) => void;
  readonly onClose: () => void;
}

function Preview({ file, onDone, onRefused, onClose }: PreviewProps): ReactNode {
  const t = useMessages();
  const { client } = useGateway();
  const sentenceOf = useSentence();
  const renew = useRenewSetup();
  const [failure, setFailure] = useState<unknown>(null);
  const { data, error, refetch } = useQuery({
    queryKey: [queryNames.configPreview, file],
    queryFn: () =>
      client.call("previewSetup", file).catch((reason: unknown) => {
        onRefused(reason);
        throw reason;
      }),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  const { busy, run } = useBusy((reason) => {
    setFailure(reason);
    return refetch();
  });
  const apply = async ({ token }: SetupPlan): Promise<void> => {
    setFailure(null);
    await run(async () => {
      onDone(await client.call("applySetup", { ...file, token }));
      await renew();
    });
  };
  const isReady = data !== undefined && data.conflicts.length === 0 && data.changes.length > 0;
  return (
    <>
      <div className="flex flex-col gap-3 px-4 pt-3">
        {data === undefined && error === null && <SkeletonRows rows={6} />}
        {data !== undefined && (
          <>
            <SetupWarnings {...data} />
            <SetupChanges changes={data.changes} />
            {data.unconnected_clients.length > 0 && (
              <p className="text-muted">{t.config.unconnected(data.unconnected_clients.join(t.app.listed))}</p>
            )}
          </>
        )}
        {[error, failure].map(
          (reason, index) =>
            reason !== null && (
              <p
                key={index === 0 ? "file" : "import"}
                role="alert"
                className="whitespace-pre-wrap text-danger-text wrap-anywhere"
              >
                {sentenceOf(reason)}
              </p>
            ),
        )}
      </div>
      <ModalFooter>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button
          look="primary"
          busy={busy}
          disabled={!isReady}
          onClick={() => {
            if (data !== undefined) void apply(data);
          }}
        >
          {t.config.import}
        </Button>
      </ModalFooter>
    </>
  );
}
