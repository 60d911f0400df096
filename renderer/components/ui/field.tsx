import { ChevronDown } from "lucide-react";
import { useId, type ComponentProps, type ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";

const controlClass =
  "h-8 w-full min-w-0 rounded-md border border-line-strong bg-surface px-2.5 text-text placeholder:text-faint transition-colors hover:border-faint aria-invalid:border-danger pointer-coarse:h-9 disabled:opacity-60";

interface FieldProps {
  readonly label: string;
  readonly help?: ReactNode;
  /** Error sentence; the control is marked invalid while there is one. */
  readonly error?: string | undefined;
  readonly optional?: boolean;
  readonly className?: string;
}

interface ControlMarks {
  readonly id: string;
  readonly "aria-invalid": true | undefined;
  readonly "aria-describedby": string | undefined;
}

function Field(props: FieldProps & { readonly children: (marks: ControlMarks) => ReactNode }): ReactNode {
  const t = useMessages();
  const id = useId();
  const note = props.error ?? props.help;
  const marks: ControlMarks = {
    id,
    "aria-invalid": props.error === undefined ? undefined : true,
    "aria-describedby": note === undefined ? undefined : `${id}-note`,
  };
  return (
    <div className={`min-w-0 ${props.className ?? ""}`}>
      <label htmlFor={id} className="mb-1 flex items-baseline gap-1.5 font-medium">
        {props.label}
        {props.optional === true && <span className="text-meta font-normal text-faint">{t.app.optional}</span>}
      </label>
      {props.children(marks)}
      {note !== undefined && (
        <div
          id={`${id}-note`}
          className={`mt-1 text-meta wrap-anywhere ${props.error === undefined ? "text-faint" : "text-danger-text"}`}
        >
          {note}
        </div>
      )}
    </div>
  );
}

export type TextFieldProps = FieldProps &
  Omit<ComponentProps<"input">, "className" | "id"> & { readonly mono?: boolean };

export function TextField({
  label,
  help,
  error,
  optional,
  className,
  mono = false,
  ...input
}: TextFieldProps): ReactNode {
  const field = { label, help, error, ...(optional && { optional }), ...(className !== undefined && { className }) };
  return (
    <Field {...field}>
      {(marks) => (
        <input
          autoComplete="off"
          spellCheck={false}
          {...input}
          {...marks}
          className={`${controlClass} ${mono ? "font-mono text-meta" : ""}`}
        />
      )}
    </Field>
  );
}

export type TextAreaFieldProps = FieldProps &
  Omit<ComponentProps<"textarea">, "className" | "id"> & { readonly mono?: boolean };

/** Text of several lines, as high as it is given `rows`; it can be drawn higher. */
export function TextAreaField({
  label,
  help,
  error,
  optional,
  className,
  mono = false,
  ...area
}: TextAreaFieldProps): ReactNode {
  const field = { label, help, error, ...(optional && { optional }), ...(className !== undefined && { className }) };
  return (
    <Field {...field}>
      {(marks) => (
        <textarea
          autoComplete="off"
          spellCheck={false}
          {...area}
          {...marks}
          className={`${controlClass} block h-auto! min-h-8 resize-y py-1.5 ${mono ? "font-mono text-meta" : ""}`}
        />
      )}
    </Field>
  );
}

export type SelectFieldProps<Value extends string> = FieldProps & {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly choices: readonly { readonly id: Value; readonly label: string }[];
};

export function SelectField<Value extends string>({
  value,
  onChange,
  choices,
  ...field
}: SelectFieldProps<Value>): ReactNode {
  return (
    <Field {...field}>
      {(marks) => (
        <span className="relative block">
          <select
            {...marks}
            value={value}
            onChange={(event) => {
              const chosen = choices.find(({ id }) => id === event.target.value);
              if (chosen !== undefined) onChange(chosen.id);
            }}
            className={`${controlClass} appearance-none pr-8`}
          >
            {choices.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
          <ChevronDown
            size={14}
            aria-hidden
            className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-muted"
          />
        </span>
      )}
    </Field>
  );
}
