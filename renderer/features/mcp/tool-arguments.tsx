import { Play, Square } from "lucide-react";
import { useMemo, useState } from "react";
import type { FormEvent, KeyboardEvent, ReactNode } from "react";
import type { McpTool } from "../../../gateway/contract/mcp.ts";
import { useModels, useKeys } from "../../api/queries.ts";
import { SchemaFieldList } from "../../components/schema-form/schema-field-list.tsx";
import { createFields, readForm, type FieldFault } from "../../components/schema-form/schema-fields.ts";
import { useOverlays } from "../../components/frame/overlays.ts";
import { Button } from "../../components/ui/button.tsx";
import { SelectField } from "../../components/ui/field.tsx";
import { NoticeLine } from "../../components/ui/states.tsx";
import { useFocusInvalid } from "../../lib/focus-invalid.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { isPaid } from "./tool-marks.tsx";
import type { Trying } from "./use-try.ts";
import type { KeyView } from "../../../gateway/contract/key.ts";

/** The key that was chosen last, for the next tool that is opened. It is no secret: an id. */
let lastChosen: string | null = null;

interface ActingKey {
  /** Those that can be let in; undefined until they are known. */
  readonly keys: readonly KeyView[] | undefined;
  /** The chosen one; the last used where none is chosen. */
  readonly key: KeyView | undefined;
  choose(id: string): void;
}

/** Which of the owner's keys a tool runs under. Disabled and expired ones are not offered. */
function useActingKey(): ActingKey {
  const { data } = useKeys();
  const [chosen, setChosen] = useState(lastChosen);
  const keys = data
    ?.filter(({ state }) => state === "active" || state === "spent")
    .toSorted((a, b) => Number(a.state === "spent") - Number(b.state === "spent") || usedAt(b) - usedAt(a));
  return {
    keys,
    key: keys?.find(({ id }) => id === chosen) ?? keys?.[0],
    choose(id) {
      lastChosen = id;
      setChosen(id);
    },
  };
}

const usedAt = ({ last_used_at, created_at }: KeyView): number => last_used_at ?? created_at;

type Typed = Readonly<Record<string, string>>;
type Faults = Readonly<Record<string, FieldFault>>;
const noFaults: Faults = {};

/** The arguments of a tool as a form that is made from its schema, and the key that it runs under. */
export function ToolArguments({ tool, trying }: { readonly tool: McpTool; readonly trying: Trying }): ReactNode {
  const t = useMessages();
  const overlays = useOverlays();
  const models = useModelIds(tool);
  const fields = useMemo(
    () =>
      createFields(tool.input, isPaid(tool)).map((field) =>
        field.control === "model" ? { ...field, suggestions: models } : field,
      ),
    [tool, models],
  );
  const [typed, setTyped] = useState<Typed>({});
  const [faults, setFaults] = useState<Faults>(noFaults);
  const form = useFocusInvalid(faults);
  const acting = useActingKey();

  const start = (quote: boolean): void => {
    const { key } = acting;
    const read = readForm(fields, typed);
    setFaults(read.ok ? noFaults : read.faults);
    if (read.ok && key !== undefined) trying.start({ key: key.id, tool: tool.name, arguments: read.arguments, quote });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    start(false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    start(false);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- A key of the form, wherever in it the focus is.
    <form ref={form} onSubmit={submit} onKeyDown={onKeyDown} noValidate className="flex min-w-0 flex-col gap-3.5">
      <h3 className="font-semibold">{t.mcp.tryIt}</h3>
      {fields.length === 0 && <p className="text-muted">{t.mcp.noArguments}</p>}
      <SchemaFieldList
        fields={fields}
        typed={typed}
        faults={faults}
        onChange={(name, value) => setTyped((before) => ({ ...before, [name]: value }))}
      />
      {acting.keys?.length === 0 ? (
        <NoticeLine
          level="warning"
          action={<Button onClick={() => overlays.open("createKey")}>{t.keys.create}</Button>}
        >
          {t.mcp.noKey}
        </NoticeLine>
      ) : (
        <SelectField
          label={t.mcp.runsAs}
          help={t.mcp.runsAsHelp}
          value={acting.key?.id ?? ""}
          choices={(acting.keys ?? []).map(({ id, name, state }) => ({
            id,
            label: state === "spent" ? t.mcp.keySpent(name) : name,
          }))}
          onChange={acting.choose}
        />
      )}
      <div className="flex flex-wrap justify-end gap-2 max-wide:*:grow">
        {isPaid(tool) && (
          <Button disabled={acting.key === undefined} busy={trying.running} onClick={() => start(true)}>
            {t.mcp.quote}
          </Button>
        )}
        {trying.running ? (
          <Button look="primary" icon={<Square size={12} aria-hidden />} busy={trying.ending} onClick={trying.cancel}>
            {t.mcp.cancel}
          </Button>
        ) : (
          <Button
            type="submit"
            look="primary"
            icon={<Play size={13} aria-hidden />}
            disabled={acting.key === undefined}
          >
            {t.mcp.run}
          </Button>
        )}
      </div>
    </form>
  );
}

/** Models that can do what the tool does. */
function useModelIds({ capability }: McpTool): readonly string[] {
  const { data: models } = useModels();
  return useMemo(
    () =>
      capability === null
        ? []
        : (models ?? []).filter(({ capabilities }) => capabilities.includes(capability)).map(({ id }) => id),
    [models, capability],
  );
}
