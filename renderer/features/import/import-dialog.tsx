import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { ImportPreview, ImportProgram, ImportSource } from "../../../gateway/contract/import-operations.ts";
import type { SetupResult } from "../../../gateway/contract/setup-operations.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { SetupDone } from "../../components/setup/setup-done.tsx";
import { SetupChanges } from "../../components/setup/setup-changes.tsx";
import { SetupWarnings } from "../../components/setup/setup-warnings.tsx";
import { useRenewSetup } from "../../components/setup/use-setups.ts";
import { Button } from "../../components/ui/button.tsx";
import { CheckBox } from "../../components/ui/check-box.tsx";
import { Modal, ModalFooter } from "../../components/ui/dialog.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { Section } from "../../components/ui/section.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useSentence } from "../../components/ui/toasts.tsx";
import { useBusy } from "../../components/ui/use-busy.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { FieldTable } from "./field-table.tsx";

export interface ImportDialogProps {
  readonly source: ImportSource | null;
  readonly programs: readonly ImportProgram[];
  readonly onClose: () => void;
}

/** Shows the found set-up, its planned result, and the button that imports it. */
export function ImportDialog({ source, programs, onClose }: ImportDialogProps): ReactNode {
  const t = useMessages();
  const label = programs.find(({ id }) => id === source?.program)?.label ?? "";
  return (
    <Modal
      open={source !== null}
      onClose={onClose}
      title={t.import.title(label)}
      description={t.import.previewHelp}
      size="wide"
    >
      {source !== null && <Preview source={source} onClose={onClose} />}
    </Modal>
  );
}

interface PreviewProps {
  readonly source: ImportSource;
  readonly onClose: () => void;
}

function Preview({ source: requested, onClose }: PreviewProps): ReactNode {
  const { client } = useGateway();
  const [addresses, setAddresses] = useState<Readonly<Record<string, string>>>({});
  const source = { ...requested, addresses };
  const [choices, setChoices] = useState<Choice>(ALL_KEYS);
  const { data, error, refetch } = useQuery({
    queryKey: [queryNames.importPreview, source],
    queryFn: () => client.call("previewImport", source),
    // Files may change at any time.
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    placeholderData: (before) => before,
  });
  const [result, setResult] = useState<SetupResult | null>(null);
  if (result !== null) return <SetupDone result={result} onClose={onClose} />;
  if (data === undefined)
    return error === null ? <SkeletonRows rows={8} /> : <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <Choices
      key={data.token}
      source={source}
      preview={data}
      onDone={setResult}
      onAddress={(name, url) => setAddresses({ ...addresses, [name]: url })}
      choice={choices}
      onChoice={setChoices}
      onStale={() => {
        setChoices(ALL_KEYS);
        void refetch();
      }}
      onClose={onClose}
    />
  );
}

/** Keys that are left, and routes that take over a name. */
interface Choice {
  readonly left: readonly string[];
  readonly over: readonly string[];
}

const ALL_KEYS: Choice = { left: [], over: [] };

const toggle = (all: readonly string[], one: string, isIn: boolean): readonly string[] =>
  isIn ? [...all, one] : all.filter((other) => other !== one);

interface ChoicesProps {
  readonly choice: Choice;
  readonly onChoice: (choice: Choice) => void;
  readonly source: ImportSource;
  readonly preview: ImportPreview;
  readonly onDone: (result: SetupResult) => void;
  readonly onAddress: (connection: string, url: string) => void;
  /** It is no longer as it was shown. */
  readonly onStale: () => void;
  readonly onClose: () => void;
}

function Choices({ source, preview, choice, onChoice, onDone, onAddress, onStale, onClose }: ChoicesProps): ReactNode {
  const t = useMessages();
  const { client } = useGateway();
  const sentenceOf = useSentence();
  const renew = useRenewSetup();
  const { changes, conflicts, keys, fields, files, addresses, token } = preview;
  const offered = conflicts.flatMap(({ name, takes_over: models }) => (models === undefined ? [] : [{ name, models }]));
  const { left, over } = choice;
  const fresh = keys.filter(({ known }) => !known);
  const [failure, setFailure] = useState<unknown>(null);
  const { busy, run } = useBusy((reason) => {
    setFailure(reason);
    onStale();
  });
  const apply = async (): Promise<void> => {
    setFailure(null);
    await run(async () => {
      const take_keys = keys.filter(({ id }) => !left.includes(id)).map(({ id }) => id);
      onDone(await client.call("applyImport", { ...source, token, take_keys, take_over: [...over] }));
      await renew();
    });
  };
  return (
    <>
      <div className="flex flex-col gap-4 px-4 pt-3">
        <p className="text-meta text-faint wrap-anywhere">{files.join(t.app.listed)}</p>
        <SetupWarnings {...preview} />
        <Section title={t.import.changes(changes.length)}>
          <SetupChanges changes={changes} />
        </Section>
        {addresses.length > 0 && (
          <Section title={t.import.addresses}>
            <p className="mb-1.5 text-meta text-muted">{t.import.addressesHelp}</p>
            {addresses.map(({ connection, base_url: url }) => (
              <TextField
                key={connection}
                label={connection}
                defaultValue={url}
                onBlur={({ target }) => target.value.trim() !== url && onAddress(connection, target.value.trim())}
              />
            ))}
          </Section>
        )}
        {offered.length > 0 && (
          <Section title={t.import.takeOver}>
            <p className="mb-1.5 text-meta text-muted">{t.import.takeOverHelp}</p>
            {offered.map(({ name, models }) => (
              <CheckBox
                key={name}
                label={name}
                help={models.join(t.app.listed)}
                checked={over.includes(name)}
                onChange={(checked) => onChoice({ left, over: toggle(over, name, checked) })}
              />
            ))}
          </Section>
        )}
        {fresh.length > 0 && (
          <Section title={t.import.keys}>
            <p className="mb-1.5 text-meta text-muted">{t.import.keysHelp}</p>
            <div className="flex flex-col">
              {fresh.map(({ id, connection, hint }) => (
                <CheckBox
                  key={id}
                  label={connection}
                  help={hint}
                  checked={!left.includes(id)}
                  onChange={(checked) => onChoice({ left: toggle(left, id, !checked), over })}
                />
              ))}
            </div>
          </Section>
        )}
        <FieldTable fields={fields} />
        {failure !== null && (
          <p role="alert" className="text-danger-text wrap-anywhere">
            {sentenceOf(failure)}
          </p>
        )}
      </div>
      <ModalFooter>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button
          look="primary"
          busy={busy}
          disabled={changes.length === 0 && over.length === 0}
          onClick={() => void apply()}
        >
          {busy ? t.import.importing : t.import.now}
        </Button>
      </ModalFooter>
    </>
  );
}
