import { useState, type ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { SchemaFieldControl } from "./schema-field.tsx";
import { isMain, TEXT_CONTROLS, type FieldFault, type SchemaField } from "./schema-fields.ts";

export interface SchemaFieldListProps {
  readonly fields: readonly SchemaField[];
  readonly typed: Readonly<Record<string, string>>;
  readonly faults: Readonly<Record<string, FieldFault>>;
  readonly onChange: (name: string, value: string) => void;
  /** Controls between the text fields and the other main fields. */
  readonly children?: ReactNode;
}

/** Fields of a form: the model, long texts, then the other main ones in two columns, then the rest, which a faulty field opens. */
export function SchemaFieldList({ fields, typed, faults, onChange, children }: SchemaFieldListProps): ReactNode {
  const t = useMessages();
  const [open, setOpen] = useState(false);
  const others = fields.filter((field) => !isMain(field));
  const isFaulty = others.some(({ name }) => name in faults);
  const renderField = (field: SchemaField): ReactNode => (
    <SchemaFieldControl
      key={field.name}
      field={field}
      value={typed[field.name] ?? ""}
      fault={faults[field.name]}
      onChange={(value) => onChange(field.name, value)}
    />
  );
  const main = fields.filter(isMain);
  const texts = main.filter(({ control }) => TEXT_CONTROLS.has(control));
  const short = main.filter(({ control }) => control !== "model" && !TEXT_CONTROLS.has(control));
  return (
    <>
      {main.filter(({ control }) => control === "model").map(renderField)}
      {texts.map(renderField)}
      {children}
      {short.length > 0 && (
        <div className={short.length === 1 ? "min-w-0" : "grid grid-cols-2 gap-3"}>{short.map(renderField)}</div>
      )}
      {others.length > 0 && (
        <details open={open || isFaulty} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary className="w-fit rounded-sm py-1 text-muted hover:text-text">{t.form.more(others.length)}</summary>
          <div className="mt-2.5 flex flex-col gap-3.5">{others.map(renderField)}</div>
        </details>
      )}
    </>
  );
}
