import type { ReactNode } from "react";
import type { ModelFacts } from "../../../../gateway/contract/playground.ts";
import { Button } from "../../../components/ui/button.tsx";
import { SchemaFieldControl } from "../../../components/schema-form/schema-field.tsx";
import { createChoice } from "../../../components/schema-form/schema-fields.ts";
import { CheckBox } from "../../../components/ui/check-box.tsx";
import { TextAreaField, TextField } from "../../../components/ui/field.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import type { ChatState } from "./chat-memory.ts";
import { EXAMPLE_TOOLS, type ChatSettings } from "./chat-settings.ts";

export interface SettingsPanelProps {
  readonly state: ChatState;
  readonly facts: ModelFacts | undefined;
  readonly onChange: (fields: Partial<ChatState>) => void;
}

/** Request settings of the chat: the system prompt and other parameters. */
export function SettingsPanel({ state, facts, onChange }: SettingsPanelProps): ReactNode {
  const t = useMessages();
  const { settings, faults } = state;
  const set = (fields: Partial<ChatSettings>): void => onChange({ settings: { ...settings, ...fields }, faults: {} });
  const wrong = (name: keyof typeof faults): string | undefined => {
    const fault = faults[name];
    return fault === undefined ? undefined : t.playground.faults[fault];
  };
  const efforts = facts?.chat.efforts ?? null;
  return (
    <section aria-label={t.playground.settings} className="flex min-w-0 flex-col gap-3.5 p-3">
      <TextAreaField
        label={t.playground.system}
        rows={5}
        spellCheck
        value={settings.system}
        placeholder={t.playground.systemExample}
        onChange={(event) => set({ system: event.target.value })}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label={t.playground.temperature}
          value={settings.temperature}
          error={wrong("temperature")}
          inputMode="decimal"
          placeholder={t.playground.byDefault}
          onChange={(event) => set({ temperature: event.target.value })}
        />
        <TextField
          label={t.playground.maxTokens}
          value={settings.maxTokens}
          error={wrong("maxTokens")}
          inputMode="numeric"
          placeholder={t.playground.byDefault}
          onChange={(event) => set({ maxTokens: event.target.value })}
        />
        <TextField
          label={t.playground.seed}
          value={settings.seed}
          error={wrong("seed")}
          inputMode="numeric"
          placeholder={t.playground.byDefault}
          onChange={(event) => set({ seed: event.target.value })}
        />
        {efforts !== null && (
          <SchemaFieldControl
            field={createChoice(t.playground.effort, efforts)}
            value={settings.effort}
            fault={undefined}
            onChange={(effort) => set({ effort })}
          />
        )}
      </div>
      <CheckBox label={t.playground.json} checked={settings.json} onChange={(json) => set({ json })} />
      <div className="flex flex-col gap-2">
        <TextAreaField
          label={t.playground.tools}
          optional
          rows={settings.tools === "" ? 2 : 10}
          mono
          value={settings.tools}
          error={wrong("tools")}
          help={t.playground.toolsHelp}
          placeholder="[ ]"
          onChange={(event) => set({ tools: event.target.value })}
        />
        {settings.tools === "" && (
          <Button className="self-start" onClick={() => set({ tools: EXAMPLE_TOOLS })}>
            {t.playground.exampleTool}
          </Button>
        )}
      </div>
    </section>
  );
}
