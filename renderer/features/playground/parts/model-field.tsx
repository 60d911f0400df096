import type { ReactNode } from "react";
import { ModelPicker } from "../../../components/model-picker/model-picker.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { capabilityOf, type Kind } from "../kinds.ts";
import { useMemory } from "../memory.ts";
import { replacedMemory } from "../replaced.ts";

export interface ModelFieldProps {
  readonly kind: Kind;
  readonly value: string;
  readonly onChange: (model: string) => void;
}

/** The models that are served and can do it, and the one that is chosen. Says which one was given up, if one was. */
export function ModelField({ kind, value, onChange }: ModelFieldProps): ReactNode {
  const t = useMessages();
  const gone = useMemory(replacedMemory)[kind];
  return (
    <div className="min-w-0">
      <p aria-hidden className="mb-1 font-medium">
        {t.playground.model}
      </p>
      <ModelPicker
        label={t.playground.model}
        value={value}
        capability={capabilityOf[kind]}
        onChange={(model) => {
          replacedMemory.change({ [kind]: "" });
          onChange(model);
        }}
      />
      {gone !== "" && <p className="mt-1 text-meta text-faint wrap-anywhere">{t.playground.gone(gone)}</p>}
    </div>
  );
}
