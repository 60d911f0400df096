import { useId, type ReactNode } from "react";
import { SelectField, TextField } from "../../../components/ui/field.tsx";
import { useMessages } from "../../../lib/i18n.tsx";

export interface ChoiceFieldProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly string[];
  /** Whether something else may be typed. */
  readonly free: boolean;
  readonly help?: string;
  readonly numeric?: boolean;
  readonly onChange: (value: string) => void;
}

/** One of what the model accepts, or nothing; where more is accepted than can be listed, anything may be typed. */
export function ChoiceField({ label, value, choices, free, help, numeric, onChange }: ChoiceFieldProps): ReactNode {
  const t = useMessages();
  const list = useId();
  const note = help === undefined ? {} : { help };
  if (!free && choices.length > 0) {
    // What another model accepted stays in sight until it is changed.
    const all = value === "" || choices.includes(value) ? choices : [value, ...choices];
    return (
      <SelectField
        {...note}
        label={label}
        value={value}
        choices={[{ id: "", label: t.playground.byDefault }, ...all.map((choice) => ({ id: choice, label: choice }))]}
        onChange={onChange}
      />
    );
  }
  return (
    <>
      <TextField
        {...note}
        label={label}
        value={value}
        placeholder={t.playground.byDefault}
        inputMode={numeric === true ? "decimal" : "text"}
        list={list}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={list}>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </datalist>
    </>
  );
}
