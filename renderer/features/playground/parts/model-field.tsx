import { useMemo, type ReactNode } from "react";
import { useModels } from "../../../api/queries.ts";
import { SelectField } from "../../../components/ui/field.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { capabilityOf, type Kind } from "../kinds.ts";
import { useMemory } from "../memory.ts";
import { replacedMemory, type ModelPlace } from "../replaced.ts";

export interface ModelFieldProps {
  readonly kind: Kind;
  /** Which field it is, where that is not its kind's first. */
  readonly place?: ModelPlace;
  readonly value: string;
  readonly onChange: (model: string) => void;
  readonly label?: string;
  /** What stands for no model, where none has to be chosen. */
  readonly none?: string;
}

/** The models that are served and can do it, and the one that is chosen. Says which one was given up, if one was. */
export function ModelField({ kind, place = kind, value, onChange, label, none }: ModelFieldProps): ReactNode {
  const t = useMessages();
  const { data } = useModels();
  const gone = useMemory(replacedMemory)[place];
  const choices = useMemo(() => {
    const able = (data ?? []).filter(({ served, capabilities }) => served && capabilities.includes(capabilityOf[kind]));
    const offered = able.map(({ id }) => ({ id, label: id }));
    const known = value === "" || offered.some(({ id }) => id === value);
    return [
      ...(none === undefined ? [] : [{ id: "", label: none }]),
      ...(known ? [] : [{ id: value, label: value }]),
      ...offered,
    ];
  }, [data, kind, value, none]);
  return (
    <SelectField
      label={label ?? t.playground.model}
      help={gone === "" ? undefined : t.playground.gone(gone)}
      value={value}
      choices={choices}
      onChange={(model) => {
        replacedMemory.change({ [place]: "" });
        onChange(model);
      }}
    />
  );
}
