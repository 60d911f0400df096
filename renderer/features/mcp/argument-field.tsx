import { useId, type ReactNode } from "react";
import { SelectField, TextAreaField, TextField } from "../../components/ui/field.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import type { Messages } from "../../locales/messages.ts";
import type { FieldFault, ToolField } from "./tool-form.ts";

export interface ArgumentFieldProps {
  readonly field: ToolField;
  readonly value: string;
  readonly fault: FieldFault | undefined;
  /** Ids that `model` is offered. */
  readonly models: readonly string[];
  readonly onChange: (value: string) => void;
}

/** One argument, by the kind of its value. Its label is its name, as models and programs write it. */
export function ArgumentField({ field, value, fault, models, onChange }: ArgumentFieldProps): ReactNode {
  const t = useMessages();
  const suggestions = useId();
  const { name, control, required, help, fallback, kinds } = field;
  const frame = {
    label: name,
    help: help === "" ? undefined : help,
    error: fault === undefined ? undefined : faultInWords(fault, t),
    optional: !required,
  };
  const input = {
    ...frame,
    value,
    required,
    placeholder: fallback === null ? undefined : t.mcp.byDefault(fallback),
    onChange: (event: { readonly target: { readonly value: string } }) => onChange(event.target.value),
  };
  switch (control) {
    case "choice":
      return (
        <SelectField
          {...frame}
          value={value}
          choices={[
            { id: "", label: fallback === null ? t.mcp.notGiven : t.mcp.byDefault(fallback) },
            ...field.choices.map((choice) => ({ id: String(choice), label: String(choice) })),
          ]}
          onChange={onChange}
        />
      );
    case "long":
      return <TextAreaField {...input} rows={3} />;
    case "json":
      return <TextAreaField {...input} rows={3} mono placeholder={kinds.includes("array") ? "[ ]" : "{ }"} />;
    case "mixed":
      return <TextAreaField {...input} rows={kinds.includes("array") || kinds.includes("object") ? 2 : 1} mono />;
    case "number":
      return <TextField {...input} inputMode="decimal" />;
    case "integer":
      return <TextField {...input} inputMode="numeric" />;
    case "model":
      return (
        <>
          <TextField {...input} mono list={suggestions} />
          <datalist id={suggestions}>
            {models.map((id) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </datalist>
        </>
      );
    case "line":
      return <TextField {...input} />;
  }
}

function faultInWords({ fault, detail }: FieldFault, { mcp: { faults } }: Messages): string {
  return fault === "json" ? faults.json(detail) : faults[fault];
}
