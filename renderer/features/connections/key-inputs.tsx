import { Plus, X } from "lucide-react";
import type { ReactNode } from "react";
import { Button, IconButton } from "../../components/ui/button.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { useMessages } from "../../lib/i18n.tsx";

export interface KeyInputsProps {
  readonly keys: readonly string[];
  readonly onChange: (keys: readonly string[]) => void;
  readonly optional: boolean;
  readonly error: string | undefined;
  readonly help: ReactNode;
}

const MOST_KEYS = 20;

/** Inputs for one or more provider keys. If one is refused or used up, the next takes over. */
export function KeyInputs({ keys, onChange, optional, error, help }: KeyInputsProps): ReactNode {
  const t = useMessages();
  return (
    <div className="flex flex-col gap-2">
      {keys.map((key, index) => (
        <div key={index} className="flex items-start gap-1">
          <TextField
            className="grow"
            label={keys.length === 1 ? t.connections.providerKey : t.connections.providerKeyNumber(index + 1)}
            type="password"
            mono
            autoComplete="off"
            optional={optional && index === 0}
            value={key}
            error={index === 0 ? error : undefined}
            help={index === keys.length - 1 ? help : undefined}
            onChange={(event) => onChange(keys.with(index, event.target.value))}
          />
          {keys.length > 1 && (
            <IconButton
              label={t.connections.removeKey(index + 1)}
              className="mt-6.5"
              onClick={() => onChange(keys.toSpliced(index, 1))}
            >
              <X size={14} aria-hidden />
            </IconButton>
          )}
        </div>
      ))}
      {keys.length < MOST_KEYS && (
        <Button
          look="quiet"
          className="-ml-2 self-start"
          icon={<Plus size={14} aria-hidden />}
          onClick={() => onChange([...keys, ""])}
        >
          {t.connections.anotherKey}
        </Button>
      )}
    </div>
  );
}
