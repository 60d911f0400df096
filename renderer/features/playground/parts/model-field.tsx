import { useMemo, type ReactNode } from "react";
import { useModels } from "../../../api/queries.ts";
import { SelectField } from "../../../components/ui/field.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { capabilityOf, type Kind } from "../kinds.ts";

export interface ModelFieldProps {
  readonly kind: Kind;
  readonly value: string;
  readonly onChange: (model: string) => void;
  readonly label?: string;
  /** What stands for no model, where none has to be chosen. */
  readonly none?: string;
}

/** The models that can do it. One that an address names is offered too, known or not. */
export function ModelField({ kind, value, onChange, label, none }: ModelFieldProps): ReactNode {
  const t = useMessages();
  const { data } = useModels();
  const choices = useMemo(() => {
    const ids = (data ?? []).filter(({ capabilities }) => capabilities.some((one) => one === capabilityOf[kind]));
    const offered = ids.map(({ id }) => ({ id, label: id }));
    const known = value === "" || offered.some(({ id }) => id === value);
    return [
      ...(none === undefined ? [] : [{ id: "", label: none }]),
      ...(known ? [] : [{ id: value, label: value }]),
      ...offered,
    ];
  }, [data, kind, value, none]);
  return <SelectField label={label ?? t.playground.model} value={value} choices={choices} onChange={onChange} />;
}
