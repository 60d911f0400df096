import { useId, type ReactNode } from "react";
import { SelectField, TextAreaField, TextField } from "../ui/field.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import type { Messages } from "../../locales/messages.ts";
import { TEXT_CONTROLS, type FieldFault, type SchemaField } from "./schema-fields.ts";

export interface SchemaFieldProps {
  readonly field: SchemaField;
  readonly value: string;
  readonly fault: FieldFault | undefined;
  readonly onChange: (value: string) => void;
}

/** Control for one field, by the kind of its value. Its label is its name, as programs write it, unless it has one. */
export function SchemaFieldControl({ field, value, fault, onChange }: SchemaFieldProps): ReactNode {
  const t = useMessages();
  const list = useId();
  const { name, control, required, help, fallback, kinds, suggestions = [], rows = 3 } = field;
  const usual = fallback === null ? t.form.usual : t.form.byDefault(fallback);
  const isNeeded = required && fallback === null;
  const frame = {
    label: field.label ?? name,
    help: help === "" ? undefined : help,
    error: fault === undefined ? undefined : describeFault(fault, t),
    // An empty short field shows its default itself.
    optional: !required && TEXT_CONTROLS.has(control),
  };
  const input = {
    ...frame,
    value,
    required,
    placeholder: field.example ?? (isNeeded ? undefined : usual),
    onChange: (event: { readonly target: { readonly value: string } }) => onChange(event.target.value),
  };
  switch (control) {
    case "choice": {
      const known = field.choices.map(String);
      // An unlisted model stays as a choice until it is changed.
      const choices = value === "" || known.includes(value) ? known : [value, ...known];
      return (
        <SelectField
          {...frame}
          value={value}
          choices={[
            { id: "", label: isNeeded ? t.form.notGiven : usual },
            ...choices.map((choice) => ({ id: choice, label: choice })),
          ]}
          onChange={onChange}
        />
      );
    }
    case "long":
    case "lines":
      return <TextAreaField {...input} rows={rows} spellCheck={kinds.length === 1} />;
    case "json":
      return <TextAreaField {...input} rows={rows} mono placeholder={kinds.includes("array") ? "[ ]" : "{ }"} />;
    case "mixed":
      return <TextAreaField {...input} rows={kinds.includes("array") || kinds.includes("object") ? 2 : 1} mono />;
    default:
      return (
        <>
          <TextField
            {...input}
            inputMode={INPUT_MODES[control]}
            mono={control === "model"}
            list={suggestions.length > 0 ? list : undefined}
          />
          {suggestions.length > 0 && (
            <datalist id={list}>
              {suggestions.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </datalist>
          )}
        </>
      );
  }
}

const INPUT_MODES = { line: "text", model: "text", number: "decimal", integer: "numeric" } as const;

function describeFault({ fault, detail }: FieldFault, { form: { faults } }: Messages): string {
  return fault === "json" ? faults.json(detail) : faults[fault];
}
