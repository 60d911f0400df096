import type { ReactNode } from "react";

export interface ToggleProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function Toggle({ label, checked, onChange }: ToggleProps): ReactNode {
  return (
    <label className="flex min-h-7 items-center gap-2">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 shrink-0 accent-(--accent)"
      />
      {label}
    </label>
  );
}
