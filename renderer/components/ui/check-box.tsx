import type { ReactNode } from "react";

export interface CheckBoxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  /** Muted text after the label. */
  readonly help?: string;
}

/** A choice of yes or no in a form that is sent as a whole. */
export function CheckBox({ label, checked, onChange, help }: CheckBoxProps): ReactNode {
  return (
    <label className="flex min-h-6 items-start gap-2">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0">
        {label}
        {help !== undefined && <span className="ml-2 text-meta text-faint">{help}</span>}
      </span>
    </label>
  );
}
