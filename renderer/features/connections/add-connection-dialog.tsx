import { useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent, type ReactNode } from "react";
import { usePresets } from "../../api/queries.ts";
import { Button } from "../../components/ui/button.tsx";
import { CheckBox } from "../../components/ui/check-box.tsx";
import { Modal, ModalFooter } from "../../components/ui/dialog.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { Failure, NoticeLine, SkeletonRows } from "../../components/ui/states.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { navigate, parseRoute } from "../../lib/router.ts";
import type { ConnectionTest, CreateConnection } from "../../../gateway/contract/connection.ts";
import type { Preset } from "../../../gateway/contract/control.ts";
import { useFocusInvalid } from "../../lib/focus-invalid.ts";
import {
  draftOfLink,
  draftOfPreset,
  readConnection,
  type ConnectionDraft,
  type LinkedConnection,
} from "./connection-draft.ts";
import { AllowHttp } from "./allow-http.tsx";
import { KeyInputs } from "./key-inputs.tsx";
import { PresetPicker } from "./preset-picker.tsx";
import { useConnectionActions } from "./use-connection-actions.ts";
import { keepTestResult } from "./use-connection-test.ts";
import { useFieldErrors } from "./use-field-errors.ts";
import { useTestedSave } from "./use-tested-save.ts";
import { useBusy } from "../../components/ui/use-busy.ts";

export interface AddConnectionDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Values that a link from outside filled in. */
  readonly link?: LinkedConnection | undefined;
}

export function AddConnectionDialog({ open, onClose, link }: AddConnectionDialogProps): ReactNode {
  const t = useMessages();
  const { data: presets, error, refetch } = usePresets();
  return (
    <Modal open={open} onClose={onClose} title={t.connections.addTitle} size="large">
      {presets?.[0] !== undefined ? (
        <NewConnection presets={presets} first={presets[0]} link={link} onClose={onClose} />
      ) : error === null ? (
        <SkeletonRows />
      ) : (
        <Failure error={error} onRetry={() => void refetch()} />
      )}
    </Modal>
  );
}

interface NewConnectionProps {
  readonly presets: readonly Preset[];
  readonly first: Preset;
  readonly link: LinkedConnection | undefined;
  readonly onClose: () => void;
}

function NewConnection({ presets, first, link, onClose }: NewConnectionProps): ReactNode {
  const t = useMessages();
  const [draft, setDraft] = useState<ConnectionDraft>(() =>
    link === undefined ? draftOfPreset(first) : draftOfLink(link, presets, first),
  );
  const { errors, refuse, mark, say, clear } = useFieldErrors();
  const { busy, run } = useBusy(refuse);
  const form = useFocusInvalid(errors);
  const connect = useConnect();
  const tested = useTestedSave(say);
  const edit = (next: ConnectionDraft): void => {
    setDraft(next);
    tested.forget();
  };

  const submit = async (anyway = false): Promise<void> => {
    const read = readConnection(draft);
    if (!read.ok) return mark(read.invalid);
    clear();
    const { body } = read;
    let saved = anyway;
    const work = async (): Promise<void> => {
      if (anyway) await connect(body, null);
      else saved = await tested.save(body, (test) => connect(body, test));
    };
    if ((await run(work)) && saved) onClose();
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy) void submit();
  };
  const { preset } = draft;
  return (
    <form ref={form} onSubmit={onSubmit} noValidate>
      <div className="flex flex-col gap-3.5 px-4 pt-3">
        {link !== undefined && (
          <NoticeLine level="warning">
            {t.link.connect}
            {/* A field shows only the start of a long URL, and its end matters too. */}
            <span className="mt-1 block font-mono text-meta wrap-anywhere">
              <span className="sr-only">{t.link.base} </span>
              {draft.baseUrl}
            </span>
          </NoticeLine>
        )}
        <PresetPicker
          presets={presets}
          chosen={preset}
          onChoose={(next) => {
            edit(draftOfPreset(next));
            clear();
          }}
        />
        <div className="grid gap-3.5 wide:grid-cols-2 wide:gap-x-3">
          <TextField
            label={t.connections.name}
            value={draft.name}
            error={errors.name}
            onChange={(event) => edit({ ...draft, name: event.target.value })}
          />
          <TextField
            label={t.connections.baseUrl}
            mono
            inputMode="url"
            placeholder="http://127.0.0.1:11434/v1"
            help={preset.base_url === "" ? t.connections.baseUrlHelp : undefined}
            value={draft.baseUrl}
            error={errors.base_url}
            onChange={(event) => edit({ ...draft, baseUrl: event.target.value, allowHttp: false })}
          />
        </div>
        <AllowHttp
          checked={draft.allowHttp}
          error={errors.allow_http}
          onChange={(allowHttp) => edit({ ...draft, allowHttp })}
        />
        <KeyInputs
          keys={draft.keys}
          onChange={(keys) => edit({ ...draft, keys })}
          optional={!preset.needs_key}
          error={errors.keys}
          help={
            <>
              {preset.needs_key ? t.connections.keyHelp : t.connections.keyOptionalHelp}{" "}
              {preset.keys_url !== null && (
                <a href={preset.keys_url} target="_blank" rel="noreferrer">
                  {t.connections.getKey(preset.label)}
                </a>
              )}
            </>
          }
        />
        {preset.caches && (
          <CheckBox
            label={t.connections.promptCaching}
            help={t.connections.promptCachingHelp}
            checked={draft.promptCaching}
            onChange={(promptCaching) => setDraft({ ...draft, promptCaching })}
          />
        )}
      </div>
      <ModalFooter>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        {tested.failed && (
          <Button aria-disabled={busy} onClick={() => void (busy || submit(true))}>
            {t.connections.saveAnyway}
          </Button>
        )}
        <Button type="submit" look="primary" busy={busy}>
          {t.connections.add}
        </Button>
      </ModalFooter>
    </form>
  );
}

/** Adds a connection and shows it, except during the first run. @param test result of the test just made */
function useConnect(): (body: CreateConnection, test: ConnectionTest | null) => Promise<void> {
  const t = useMessages();
  const cache = useQueryClient();
  const notify = useNotify();
  const { create } = useConnectionActions();
  return async (body, test) => {
    const { id, name } = await create(body);
    if (test !== null) keepTestResult(cache, id, test);
    notify.confirm(t.connections.added(name));
    if (!onOverview()) navigate("connections");
  };
}

const onOverview = (): boolean => ["", "overview"].includes(parseRoute(location.hash).path);
