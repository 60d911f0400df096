import { Switch } from "@base-ui/react/switch";
import { useId, useState, type ReactNode } from "react";
import type { Settings } from "../../../gateway/contract/control.ts";
import { TextAreaField, TextField } from "../../components/ui/field.tsx";
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
  /** Why it cannot be changed here; shown in the place of the help. */
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
      <Switch.Root
        checked={checked}
        disabled={unavailable !== undefined}
        onCheckedChange={(next) => onChange(next)}
        aria-labelledby={id}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        className="mt-0.5 flex h-4.5 w-8 shrink-0 items-center rounded-full border border-line-strong bg-pressed p-0.5 transition-colors data-checked:border-accent data-checked:bg-accent data-disabled:opacity-50"
      >
        <Switch.Thumb className="size-3 rounded-full bg-muted transition-transform data-checked:translate-x-3.5 data-checked:bg-on-accent forced-colors:bg-[CanvasText]" />
      </Switch.Root>
    </div>
  );
}

type NamesOf<Value> = {
  [Name in keyof Settings]-?: Settings[Name] extends Value | null ? Name : never;
}[keyof Settings];

interface TypedSettingProps<Value> {
  readonly name: NamesOf<Value>;
  readonly settings: Settings;
  readonly label: string;
  readonly help?: ReactNode;
  /** What an empty field stands for, shown in it while it is empty; absent where there has to be a value. */
  readonly empty?: string;
}

interface TypedFieldProps<Value extends number | string> extends TypedSettingProps<Value> {
  /** @returns undefined for what is no such value */
  readonly read: (text: string) => Value | null | undefined;
  readonly wrong: string;
  readonly inputMode: "decimal" | "url";
  readonly className: string;
}

/** A value that is kept when the field is left or with Enter; Escape takes the typing back. */
function TypedField<Value extends number | string>(props: TypedFieldProps<Value>): ReactNode {
  const { name, settings, label, help, empty, read, wrong, inputMode, className } = props;
  const { error, save, clear } = useSetting(name, label);
  const [draft, setDraft] = useState<string | null>(null);
  const [isWrong, setWrong] = useState(false);
  const value = settings[name];

  const leave = async (): Promise<void> => {
    if (draft === null) return;
    const typed = read(draft);
    if (typed === undefined) return setWrong(true);
    if (typed === value || (await save(typed as Settings[NamesOf<Value>]))) setDraft(null);
  };
  const edit = (text: string | null): void => {
    setDraft(text);
    setWrong(false);
    clear();
  };
  return (
    <TextField
      className={className}
      label={label}
      help={help}
      error={isWrong ? wrong : error}
      inputMode={inputMode}
      {...(empty !== undefined && { placeholder: empty })}
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

export function NumberSetting(props: TypedSettingProps<number>): ReactNode {
  const t = useMessages();
  return (
    <TypedField
      {...props}
      className="max-w-80"
      inputMode="decimal"
      read={(text) => numberOf(text, props.empty !== undefined)}
      wrong={t.settings.notNumber}
    />
  );
}

export function UrlSetting(props: TypedSettingProps<string>): ReactNode {
  const t = useMessages();
  return <TypedField {...props} className="max-w-160" inputMode="url" read={urlOf} wrong={t.settings.notUrl} />;
}

/** @returns undefined for what is no URL of the web */
function urlOf(text: string): string | null | undefined {
  const clean = text.trim();
  if (clean === "") return null;
  return /^https?:$/.test(URL.parse(clean)?.protocol ?? "") ? clean : undefined;
}

/** @returns undefined for what is no number */
function numberOf(text: string, mayBeEmpty: boolean): number | null | undefined {
  const clean = text.trim().replace(/^\$/, "");
  if (clean === "") return mayBeEmpty ? null : undefined;
  const value = Number(clean);
  return Number.isFinite(value) ? value : undefined;
}

/** Addresses that may be reached, one a line. */
export function TargetsSetting({ settings }: { readonly settings: Settings }): ReactNode {
  const t = useMessages();
  const { error, save, clear } = useSetting("allow_targets", t.settings.targets);
  const [draft, setDraft] = useState<string | null>(null);
  const kept = settings.allow_targets.join("\n");
  const leave = async (): Promise<void> => {
    if (draft === null) return;
    const lines = draft.split(/[\n,]/).flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
    if (lines.join("\n") === kept || (await save(lines))) setDraft(null);
  };
  return (
    <TextAreaField
      className="max-w-120"
      label={t.settings.targets}
      help={t.settings.targetsHelp}
      error={error}
      mono
      rows={3}
      placeholder="nas.local:9000"
      value={draft ?? kept}
      onChange={(event) => {
        setDraft(event.target.value);
        clear();
      }}
      onBlur={() => void leave()}
    />
  );
}
