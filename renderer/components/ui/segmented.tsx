import { useId, type ReactNode } from "react";

export interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly id: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
  /** Explanation of the choice. */
  readonly help?: string;
}

/** Radio group of a few choices that are all visible. The arrows choose, as in any group of radio buttons. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>): ReactNode {
  const { label, value, choices, onChange, help } = props;
  const id = useId();
  return (
    <fieldset className="min-w-0" aria-describedby={help === undefined ? undefined : `${id}-help`}>
      <legend className="mb-1 font-medium">{label}</legend>
      <div className="inline-flex max-w-full flex-wrap rounded-md border border-line-strong bg-surface p-0.5">
        {choices.map((choice) => (
          <label
            key={choice.id}
            className={`relative flex h-6.5 items-center rounded-sm px-2.5 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-(--focus) pointer-coarse:h-8 ${
              choice.id === value ? "bg-accent-soft font-medium text-accent-text" : "text-muted hover:text-text"
            } forced-colors:has-checked:outline`}
          >
            <input
              type="radio"
              name={id}
              value={choice.id}
              checked={choice.id === value}
              onChange={() => onChange(choice.id)}
              className="absolute inset-0 size-full opacity-0"
            />
            {choice.label}
          </label>
        ))}
      </div>
      {help !== undefined && (
        <p id={`${id}-help`} className="mt-1 text-meta text-faint">
          {help}
        </p>
      )}
    </fieldset>
  );
}
