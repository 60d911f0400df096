import { useId, useState, type ReactNode } from "react";
import {
  settingNames,
  getSetting,
  type SettingGroup,
  type Settings,
  type ShownSetting,
} from "../../../gateway/contract/settings.ts";
import { ModelField } from "../../components/model-picker/model-field.tsx";
import { Confirm } from "../../components/ui/dialog.tsx";
import { Toggle } from "../../components/ui/toggle.tsx";
import { SelectField, TextAreaField, TextField } from "../../components/ui/field.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { useSetting } from "./use-setting.ts";

/** Some settings under one heading. */
export function Group(props: {
  readonly title: string;
  readonly help?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <section className="panel" aria-label={props.title}>
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3.5 py-1.5">
        <div className="min-w-0 grow basis-60">
          <h2 className="font-semibold">{props.title}</h2>
          {props.help !== undefined && <p className="text-meta text-muted wrap-anywhere">{props.help}</p>}
        </div>
        {props.actions}
      </div>
      <div className="flex flex-col gap-4 px-3.5 py-3.5">{props.children}</div>
    </section>
  );
}

export interface SwitchRowProps {
  readonly label: string;
  readonly help?: ReactNode;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  /** Why it cannot be changed here; shown in place of the help. */
  readonly unavailable?: string | undefined;
}

export function SwitchRow({ label, help, checked, onChange, unavailable }: SwitchRowProps): ReactNode {
  const id = useId();
  const note = unavailable ?? help;
  return (
    <div className="flex items-start gap-4">
      <div className="min-w-0 grow">
        <p id={id} className="font-medium">
          {label}
        </p>
        {note !== undefined && (
          <p id={`${id}-note`} className="text-meta text-faint wrap-anywhere">
            {note}
          </p>
        )}
      </div>
      <span className="mt-0.5">
        <Toggle
          checked={checked}
          disabled={unavailable !== undefined}
          onChange={onChange}
          labelledBy={id}
          describedBy={note === undefined ? undefined : `${id}-note`}
        />
      </span>
    </div>
  );
}

interface SettingProps {
  readonly name: ShownSetting;
  readonly settings: Settings;
  /** Replacement for the setting's own help text. */
  readonly help?: string | undefined;
}

/** The settings of a group, in the order of their declarations. */
export function SettingFields(props: {
  readonly group: SettingGroup;
  readonly settings: Settings;
  /** Settings of the group that are shown; all by default. */
  readonly only?: readonly ShownSetting[];
  /** Replacements for the help texts of some settings. */
  readonly help?: { readonly [Name in ShownSetting]?: string | undefined };
}): ReactNode {
  const names = settingNames.filter((name): name is ShownSetting => getSetting(name).group === props.group);
  const shown = names.filter((name) => props.only?.includes(name) ?? true);
  return shown.map((name) => (
    <SettingField key={name} name={name} settings={props.settings} help={props.help?.[name]} />
  ));
}

function SettingField(props: SettingProps): ReactNode {
  switch (getSetting(props.name).kind) {
    case "switch":
      return <SwitchSetting {...props} />;
    case "choice":
      return <ChoiceSetting {...props} />;
    case "list":
      return <ListSetting {...props} />;
    case "model":
      return <ModelSetting {...props} />;
    default:
      return <TypedSetting {...props} />;
  }
}

/** Switching off is immediate; switching on may need a confirmation that explains the effect. */
function SwitchSetting({ name, settings, help }: SettingProps): ReactNode {
  const t = useMessages();
  const words = t.settings.fields[name];
  const setting = getSetting(name);
  const { save } = useSetting(name, words.label);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const needed = setting.kind === "switch" ? setting.needs : undefined;
  const write = async (on: boolean): Promise<void> => {
    setBusy(true);
    await save(on);
    setBusy(false);
    setAsking(false);
  };
  return (
    <>
      <SwitchRow
        label={words.label}
        help={help ?? words.help}
        checked={settings[name] === true}
        onChange={(on) => (on && words.confirm !== undefined ? setAsking(true) : void write(on))}
        unavailable={needed !== undefined && settings[needed] === null ? words.unavailable : undefined}
      />
      {words.confirm !== undefined && (
        <Confirm
          open={asking}
          onClose={() => setAsking(false)}
          onConfirm={() => void write(true)}
          title={words.confirm.title}
          description={
            <span className="flex flex-col gap-2">
              {words.confirm.text.split("\n").map((line) => (
                <span key={line}>{line}</span>
              ))}
            </span>
          }
          action={words.confirm.action}
          busy={busy}
        />
      )}
    </>
  );
}

function ChoiceSetting({ name, settings, help }: SettingProps): ReactNode {
  const words = useMessages().settings.fields[name];
  const setting = getSetting(name);
  const { error, save } = useSetting(name, words.label);
  const choices = setting.kind === "choice" ? setting.choices : [];
  return (
    <SelectField
      label={words.label}
      help={help ?? words.help}
      error={error}
      value={String(settings[name])}
      choices={choices.map((id) => ({ id, label: words.choices?.[id] ?? id }))}
      onChange={(id) => void save(id)}
    />
  );
}

function ModelSetting({ name, settings, help }: SettingProps): ReactNode {
  const t = useMessages();
  const words = t.settings.fields[name];
  const { error, save } = useSetting(name, words.label);
  const value = settings[name];
  return (
    <div className="max-w-120">
      <ModelField
        label={words.label}
        value={value === null ? "" : String(value)}
        none={t.settings.noModel}
        onChange={(id) => void save(id === "" ? null : id)}
        note={error ?? help ?? words.help}
        isInvalid={error !== undefined}
      />
    </div>
  );
}

/** A value saved on blur or Enter; Escape reverts the input. */
function TypedSetting({ name, settings, help }: SettingProps): ReactNode {
  const t = useMessages();
  const words = t.settings.fields[name];
  const setting = getSetting(name);
  const { error, save, clear } = useSetting(name, words.label);
  const [draft, setDraft] = useState<string | null>(null);
  const [isWrong, setWrong] = useState(false);
  const value = settings[name];
  const isUrl = setting.kind === "url";
  const isNumber = !isUrl && setting.kind !== "proxy";

  const leave = async (): Promise<void> => {
    if (draft === null) return;
    // An empty field means the default proxy setting; the gateway validates other values.
    const text = draft.trim() === "" ? String(setting.initial) : draft.trim();
    const typed = isUrl ? getUrl(draft) : isNumber ? getNumber(draft) : text;
    if (typed === undefined || (typed === null && !("none" in setting))) return setWrong(true);
    if (typed === value || (await save(typed))) setDraft(null);
  };
  const edit = (text: string | null): void => {
    setDraft(text);
    setWrong(false);
    clear();
  };
  return (
    <TextField
      className={isNumber ? "max-w-80" : "max-w-160"}
      label={words.label}
      help={help ?? words.help}
      error={isWrong ? (isUrl ? t.settings.notUrl : t.settings.notNumber) : error}
      inputMode={isNumber ? "decimal" : "url"}
      {...(words.empty !== undefined && { placeholder: words.empty })}
      value={draft ?? (value === null ? "" : String(value))}
      onChange={(event) => edit(event.target.value)}
      onBlur={() => void leave()}
      onKeyDown={(event) => {
        if (event.key === "Enter") void leave();
        if (event.key === "Escape") edit(null);
      }}
    />
  );
}

/** @returns undefined if it is not a web URL */
function getUrl(text: string): string | null | undefined {
  const clean = text.trim();
  if (clean === "") return null;
  return /^https?:$/.test(URL.parse(clean)?.protocol ?? "") ? clean : undefined;
}

/** @returns undefined if it is not a number */
function getNumber(text: string): number | null | undefined {
  const clean = text.trim().replace(/^\$/, "");
  if (clean === "") return null;
  const value = Number(clean);
  return Number.isFinite(value) ? value : undefined;
}

/** Entries, one a line. */
function ListSetting({ name, settings, help }: SettingProps): ReactNode {
  const words = useMessages().settings.fields[name];
  const { error, save, clear } = useSetting(name, words.label);
  const [draft, setDraft] = useState<string | null>(null);
  const value = settings[name];
  const stored = typeof value === "object" && value !== null ? value.join("\n") : "";
  const leave = async (): Promise<void> => {
    if (draft === null) return;
    const lines = draft.split(/[\n,]/).flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
    if (lines.join("\n") === stored || (await save(lines))) setDraft(null);
  };
  return (
    <TextAreaField
      className="max-w-120"
      label={words.label}
      help={help ?? words.help}
      error={error}
      mono
      rows={3}
      placeholder={words.empty}
      value={draft ?? stored}
      onChange={(event) => {
        setDraft(event.target.value);
        clear();
      }}
      onBlur={() => void leave()}
    />
  );
}
