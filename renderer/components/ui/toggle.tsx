import { Switch } from "@base-ui/react/switch";
import type { ReactNode } from "react";

export interface ToggleProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  /** Accessible name, if no element has it. */
  readonly label?: string;
  /** Ids of the elements that label and describe it. */
  readonly labelledBy?: string;
  readonly describedBy?: string | undefined;
  readonly disabled?: boolean;
}

/** A switch with immediate effect. */
export function Toggle({ checked, onChange, label, labelledBy, describedBy, disabled }: ToggleProps): ReactNode {
  return (
    <Switch.Root
      checked={checked}
      disabled={disabled}
      onCheckedChange={(next) => onChange(next)}
      aria-label={label}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      className="flex h-4.5 w-8 shrink-0 items-center rounded-full border border-line-strong bg-pressed p-0.5 transition-colors data-checked:border-accent data-checked:bg-accent data-disabled:opacity-50"
    >
      <Switch.Thumb className="size-3 rounded-full bg-muted transition-transform data-checked:translate-x-3.5 data-checked:bg-on-accent forced-colors:bg-[CanvasText]" />
    </Switch.Root>
  );
}
