import { X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../ui/button.tsx";
import { ModelPicker } from "./model-picker.tsx";

export interface ModelFieldProps {
  readonly label: string;
  /** Model id; empty for none. */
  readonly value: string;
  /** Label of the empty choice; null if a model is required. */
  readonly none: string | null;
  /** Called with the id; empty for none. */
  readonly onChange: (id: string) => void;
  readonly note?: string | undefined;
  /** Whether the note is an error. */
  readonly isInvalid?: boolean;
}

/** A chat model in a form: its label, the picker, and a button that takes the choice back. */
export function ModelField({ label, value, none, onChange, note, isInvalid = false }: ModelFieldProps): ReactNode {
  return (
    <div className="min-w-0">
      <p aria-hidden className="mb-1 font-medium">
        {label}
      </p>
      <div className="flex items-center gap-1">
        <div className="min-w-0 grow">
          <ModelPicker label={label} value={value} emptyLabel={none} capability="chat" onChange={onChange} />
        </div>
        {none !== null && value !== "" && (
          <IconButton label={`${label}: ${none}`} onClick={() => onChange("")}>
            <X size={14} aria-hidden />
          </IconButton>
        )}
      </div>
      {note !== undefined && (
        <p className={`mt-1 text-meta wrap-anywhere ${isInvalid ? "text-danger-text" : "text-faint"}`}>{note}</p>
      )}
    </div>
  );
}
