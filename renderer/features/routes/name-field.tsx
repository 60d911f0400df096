import { useId, type ReactNode } from "react";
import { useModels } from "../../api/queries.ts";
import { FilterChip } from "../../components/ui/chip.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { insistedNames } from "./route-templates.ts";

export interface NameFieldProps {
  readonly name: string;
  readonly error: string | undefined;
  /** Names of other routes. */
  readonly takenNames: readonly string[];
  readonly onChange: (name: string) => void;
}

/** The name of a route: free text, or the id that a tool insists on. */
export function NameField({ name, error, takenNames, onChange }: NameFieldProps): ReactNode {
  const t = useMessages();
  const listId = useId();
  const { data: models = [] } = useModels();
  const insisted = insistedNames(models, takenNames);
  const hidden = models.find(({ id, served }) => served && id === name.trim());
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={t.routes.name}
        placeholder="my-route"
        mono
        list={listId}
        value={name}
        error={error}
        help={hidden === undefined ? t.routes.nameHelp : t.routes.hidesHelp(hidden.id)}
        onChange={(event) => onChange(event.target.value)}
        required
      />
      <datalist id={listId}>
        {models.map(({ id }) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </datalist>
      {insisted.length > 0 && (
        <fieldset className="flex min-w-0 flex-wrap items-center gap-1">
          <legend className="float-left mr-1.5 text-meta leading-6 text-faint">{t.routes.nameInsisted}</legend>
          {insisted.map((id) => (
            <FilterChip key={id} pressed={id === name} onPress={() => onChange(id)}>
              <span className="font-mono">{id}</span>
            </FilterChip>
          ))}
        </fieldset>
      )}
    </div>
  );
}
