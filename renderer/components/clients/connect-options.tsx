import type { ReactNode } from "react";
import type { ClientPart, ClientView } from "../../../gateway/contract/clients.ts";
import { CheckBox } from "../ui/check-box.tsx";
import { ModelField } from "../model-picker/model-field.tsx";
import { TextField } from "../ui/field.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import type { ClientDraft } from "./client-draft.ts";

export interface ConnectOptionsProps {
  readonly client: ClientView;
  /** How many chat models are served. */
  readonly modelCount: number;
  readonly draft: ClientDraft;
  readonly onChange: (draft: ClientDraft) => void;
  readonly limitFails: boolean;
}

/** Parts to connect, with their models and limits. */
export function ConnectOptions({ client, modelCount, draft, onChange, limitFails }: ConnectOptionsProps): ReactNode {
  const t = useMessages();
  const models = draft.parts.includes("models");
  const toggle = (part: ClientPart, on: boolean): void =>
    onChange({ ...draft, parts: client.writes.filter((one) => (one === part ? on : draft.parts.includes(one))) });
  return (
    <>
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1 font-medium">{t.clients.what}</legend>
        {client.writes.map((part) => (
          <CheckBox
            key={part}
            checked={draft.parts.includes(part)}
            onChange={(on) => toggle(part, on)}
            label={t.clients.parts[part]}
            help={t.clients.partsHelp[part]}
          />
        ))}
      </fieldset>
      {models && client.slots.length > 0 && (
        <>
          {modelCount === 0 && <p className="text-warning-text">{t.clients.noModels}</p>}
          {client.slots.length > 1 && <p className="-mb-2 text-meta text-muted">{t.clients.tiersHelp}</p>}
          <div className="grid gap-3">
            {client.slots.map((slot) => (
              <ModelField
                key={slot}
                label={t.clients.slots[slot]}
                value={draft.models[slot] ?? ""}
                none={slot === "main" ? null : t.clients.ownName}
                onChange={(id) => onChange({ ...draft, models: { ...draft.models, [slot]: id } })}
              />
            ))}
          </div>
          {client.has_picker && (
            <CheckBox
              checked={draft.offered === null && !draft.onlyThese}
              onChange={(all) => onChange({ ...draft, offered: all ? null : [], onlyThese: false })}
              label={t.clients.offerAll(modelCount)}
              help={t.clients.offerAllHelp}
            />
          )}
        </>
      )}
      <div className="grid items-start gap-3 wide:grid-cols-2">
        <TextField
          label={t.clients.limit}
          optional
          inputMode="decimal"
          value={draft.limit}
          help={t.clients.limitHelp}
          error={limitFails ? t.clients.limitInvalid : undefined}
          onChange={(event) => onChange({ ...draft, limit: event.target.value })}
        />
        {models && client.slots.length > 0 && (
          <div className="wide:pt-7">
            <CheckBox
              checked={draft.onlyThese}
              onChange={(onlyThese) => onChange({ ...draft, onlyThese })}
              label={t.clients.onlyThese}
            />
          </div>
        )}
      </div>
    </>
  );
}
