import { useMemo, useState } from "react";
import type { ReactNode } from "react";
import type { McpTool } from "../../../gateway/contract/mcp.ts";
import { useModels, useKeys } from "../../api/queries.ts";
import { RunForm } from "../../components/schema-form/run-form.tsx";
import { SchemaFieldList } from "../../components/schema-form/schema-field-list.tsx";
import { createFields, readForm, type FieldFault } from "../../components/schema-form/schema-fields.ts";
import { useOverlays } from "../../components/frame/overlays.ts";
import { Button } from "../../components/ui/button.tsx";
import { SelectField } from "../../components/ui/field.tsx";
import { NoticeLine } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { isPaid } from "./tool-marks.tsx";
import type { Trying } from "./use-try.ts";
import type { KeyView } from "../../../gateway/contract/key.ts";

/** The key that was chosen last, for the next tool that is opened. It is no secret: an id. */
let lastChosen: string | null = null;

interface ActingKey {
  /** Keys that can be given access; undefined until they are known. */
  readonly keys: readonly KeyView[] | undefined;
  /** Chosen key; the last used one by default. */
  readonly key: KeyView | undefined;
  choose(id: string): void;
}

/** Which of the owner's keys a tool runs under. Disabled and expired ones are not offered. */
function useActingKey(): ActingKey {
  const { data } = useKeys();
  const [chosen, setChosen] = useState(lastChosen);
  const keys = data
    ?.filter(({ state }) => state === "active" || state === "spent")
    .toSorted((a, b) => Number(a.state === "spent") - Number(b.state === "spent") || getLastUse(b) - getLastUse(a));
  return {
    keys,
    key: keys?.find(({ id }) => id === chosen) ?? keys?.[0],
    choose(id) {
      lastChosen = id;
      setChosen(id);
    },
  };
}

const getLastUse = ({ last_used_at, created_at }: KeyView): number => last_used_at ?? created_at;

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
  const acting = useActingKey();

  const start = (quote: boolean): void => {
    const { key } = acting;
    const read = readForm(fields, typed);
    setFaults(read.ok ? noFaults : read.faults);
    if (read.ok && key !== undefined) trying.start({ key: key.id, tool: tool.name, arguments: read.arguments, quote });
  };
  return (
    <RunForm
      running={trying.running}
      stopping={trying.ending}
      ready={acting.key !== undefined}
      stopLabel={t.mcp.cancel}
      faults={faults}
      onSend={() => start(false)}
      onStop={trying.cancel}
      actions={
        isPaid(tool) && (
          <Button disabled={acting.key === undefined} busy={trying.running} onClick={() => start(true)}>
            {t.mcp.quote}
          </Button>
        )
      }
    >
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
    </RunForm>
  );
}

/** Returns models with the tool's capability. */
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
