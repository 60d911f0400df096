import { useState, type FormEvent, type ReactNode } from "react";
import {
  readOwnModel,
  updateConnectionSchema,
  writeOwnModel,
  type ConnectionView,
} from "../../../gateway/contract/connection.ts";
import { Button } from "../../components/ui/button.tsx";
import { CheckBox } from "../../components/ui/check-box.tsx";
import { Modal, ModalFooter } from "../../components/ui/dialog.tsx";
import { TextAreaField, TextField } from "../../components/ui/field.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useFocusInvalid } from "../../lib/focus-invalid.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { AllowHttp } from "./allow-http.tsx";
import { connectionFields, isHttpUrl, getOrigin, type ConnectionField } from "./connection-draft.ts";
import { KeyInputs } from "./key-inputs.tsx";
import { useConnectionActions } from "./use-connection-actions.ts";
import { useFieldErrors } from "./use-field-errors.ts";
import { useBusy } from "../../components/ui/use-busy.ts";

export interface EditConnectionDialogProps {
  readonly target: ConnectionView | null;
  readonly onClose: () => void;
}

export function EditConnectionDialog({ target, onClose }: EditConnectionDialogProps): ReactNode {
  const t = useMessages();
  return (
    <Modal open={target !== null} onClose={onClose} title={t.connections.editTitle}>
      {target !== null && <Details key={target.id} target={target} onClose={onClose} />}
    </Modal>
  );
}

const showLimit = (limit: number | null): string => (limit === null ? "" : String(limit));
const readLimit = (text: string): number | null => (text.trim() === "" ? null : Number(text));

/** Reads JSON as people type it; what is no JSON stays text, which the schema refuses. */
function readFields(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function Details({ target, onClose }: { readonly target: ConnectionView; readonly onClose: () => void }): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const [draft, setDraft] = useState({
    name: target.name,
    base_url: target.base_url,
    priority: String(target.priority),
    proxy: target.proxy,
    headers: target.headers,
    body: Object.keys(target.body).length === 0 ? "" : JSON.stringify(target.body),
    rpm: showLimit(target.rpm),
    concurrency: showLimit(target.concurrency),
    credit_notice: showLimit(target.credit_notice),
  });
  const [keys, setKeys] = useState<readonly string[]>([""]);
  const [allowHttp, setAllowHttp] = useState(target.allow_http);
  const [models, setModels] = useState(target.own_models.map(writeOwnModel).join("\n"));
  const [caching, setCaching] = useState(target.prompt_caching);
  const origin = getOrigin(draft.base_url);
  const moves = origin !== null && origin !== getOrigin(target.base_url);
  // A key is only used for the address it was given for.
  const asksKeys = moves && target.credentials.some(({ hint }) => hint !== "no key");
  const { errors, refuse, mark } = useFieldErrors();
  const { busy, run } = useBusy(refuse);
  const form = useFocusInvalid(errors);
  const { update } = useConnectionActions();

  const submit = async (): Promise<void> => {
    const given = keys.map((key) => key.trim()).filter((key) => key !== "");
    const priority = draft.priority.trim() === "" ? Number.NaN : Number(draft.priority);
    const read = updateConnectionSchema.safeParse({
      ...draft,
      priority,
      body: readFields(draft.body),
      rpm: readLimit(draft.rpm),
      concurrency: readLimit(draft.concurrency),
      credit_notice: readLimit(draft.credit_notice),
      ...(allowHttp !== target.allow_http && { allow_http: allowHttp }),
      ...(caching !== null && { prompt_caching: caching }),
      models: models.split("\n").flatMap((line) => (line.trim() === "" ? [] : [readOwnModel(line)])),
      ...(asksKeys && { keys: given }),
    });
    const invalid = new Set<ConnectionField>(isHttpUrl(draft.base_url) ? [] : ["base_url"]);
    if (asksKeys && given.length === 0) invalid.add("keys");
    for (const { path } of read.error?.issues ?? []) {
      const field = connectionFields.find((each) => each === path[0]);
      if (field !== undefined) invalid.add(field);
    }
    if (!read.success || invalid.size > 0) return mark(invalid);
    if (!(await run(() => update(target.id, read.data)))) return;
    onClose();
    const { name, base_url, priority: before, proxy } = target;
    const message = t.connections.changed(read.data.name ?? name);
    // The way back would need the key or the value that is forgotten now.
    if (asksKeys || read.data.headers !== target.headers) return notify.confirm(message);
    notify.undoable(message, () => {
      const caches = target.prompt_caching === null ? {} : { prompt_caching: target.prompt_caching };
      const all = {
        models: target.own_models,
        name,
        base_url,
        priority: before,
        proxy,
        body: target.body,
        rpm: target.rpm,
        concurrency: target.concurrency,
        credit_notice: target.credit_notice,
        allow_http: target.allow_http,
        ...caches,
      };
      update(target.id, all).catch(notify.showError);
    });
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy) void submit();
  };
  const edit = (field: keyof typeof draft) => (event: { readonly target: { readonly value: string } }) =>
    setDraft({ ...draft, [field]: event.target.value });
  return (
    <form ref={form} onSubmit={onSubmit} noValidate>
      <div className="flex flex-col gap-3.5 px-4 pt-3">
        <TextField label={t.connections.name} value={draft.name} error={errors.name} onChange={edit("name")} />
        <TextField
          label={t.connections.baseUrl}
          mono
          inputMode="url"
          help={t.connections.baseUrlHelp}
          value={draft.base_url}
          error={errors.base_url}
          onChange={(event) => {
            edit("base_url")(event);
            setAllowHttp(target.allow_http && getOrigin(event.target.value) === getOrigin(target.base_url));
          }}
        />
        <AllowHttp checked={allowHttp} error={errors.allow_http} onChange={setAllowHttp} />
        {asksKeys && (
          <KeyInputs
            keys={keys}
            onChange={setKeys}
            optional={false}
            error={errors.keys}
            help={t.connections.movedHelp(getOrigin(target.base_url) ?? target.base_url)}
          />
        )}
        <TextField
          label={t.connections.priority}
          inputMode="numeric"
          help={t.connections.priorityHelp}
          value={draft.priority}
          error={errors.priority}
          onChange={edit("priority")}
        />
        <TextField
          label={t.connections.proxy}
          mono
          help={t.connections.proxyHelp}
          value={draft.proxy}
          error={errors.proxy}
          onChange={edit("proxy")}
        />
        <div className="grid grid-cols-2 items-start gap-3">
          <TextField
            label={t.connections.rpm}
            inputMode="numeric"
            value={draft.rpm}
            error={errors.rpm}
            onChange={edit("rpm")}
          />
          <TextField
            label={t.connections.concurrency}
            inputMode="numeric"
            help={t.connections.paceHelp}
            value={draft.concurrency}
            error={errors.concurrency}
            onChange={edit("concurrency")}
          />
        </div>
        {(target.credit_notice !== null || target.credentials.some(({ credit }) => credit !== null)) && (
          <TextField
            label={t.connections.creditNotice}
            inputMode="decimal"
            help={t.connections.creditNoticeHelp}
            value={draft.credit_notice}
            error={errors.credit_notice}
            onChange={edit("credit_notice")}
          />
        )}
        <TextAreaField
          label={t.connections.headers}
          mono
          rows={2}
          help={t.connections.headersHelp}
          value={draft.headers}
          error={errors.headers}
          onChange={edit("headers")}
        />
        <TextAreaField
          label={t.connections.body}
          mono
          rows={2}
          help={t.connections.bodyHelp}
          value={draft.body}
          error={errors.body}
          onChange={edit("body")}
        />
        <TextAreaField
          label={t.connections.ownModels}
          mono
          rows={2}
          help={t.connections.ownModelsHelp}
          value={models}
          error={errors.models}
          onChange={(event) => setModels(event.target.value)}
        />
        {caching !== null && (
          <CheckBox
            label={t.connections.promptCaching}
            help={t.connections.promptCachingHelp}
            checked={caching}
            onChange={setCaching}
          />
        )}
      </div>
      <ModalFooter>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button type="submit" look="primary" busy={busy}>
          {t.app.save}
        </Button>
      </ModalFooter>
    </form>
  );
}
