import { Combobox } from "@base-ui/react/combobox";
import { ChevronDown, Search } from "lucide-react";
import { useId, useMemo, useRef, useState, type ComponentProps, type ReactElement, type ReactNode } from "react";
import { useModels } from "../../api/queries.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { ProviderGlyph } from "../glyph.tsx";
import { useLayer } from "../ui/layers.ts";
import { ModelList, type ModelListHandle } from "./model-list.tsx";
import { choosableDemands, listPickerRows } from "./model-choices.ts";
import { rememberModel, useRecentModels } from "./recent-models.ts";
import type { Demand } from "./demands.ts";
import { DemandChips } from "./takes.tsx";

const NONE: ReadonlySet<Demand> = new Set();

export interface ModelPickerProps {
  /** Accessible name of the control. */
  readonly label: string;
  /** An id, an alias, or empty. A model that is not served stays visible until another is chosen. */
  readonly value: string;
  /** Text of a field without a model, if that is a valid choice. */
  readonly emptyLabel?: string | null | undefined;
  /** Offers only models with this capability, as the gateway names it (`chat`, `image_edit`). */
  readonly capability?: string | undefined;
  /** Ids that are not offered. */
  readonly except?: readonly string[];
  readonly onChange: (id: string) => void;
  /** Custom control that opens it, in place of a field: e.g. a button. */
  readonly trigger?: ReactElement<Record<string, unknown>>;
}

/**
 * Chooses a served model: by typing any part of its id, name or provider, or from recent choices; optionally only
 * models that certainly meet a demand, such as tools or a price.
 */
export function ModelPicker(props: ModelPickerProps): ReactNode {
  const { label, value, emptyLabel, capability, except, onChange, trigger } = props;
  const t = useMessages();
  const { data: models } = useModels();
  const recent = useRecentModels();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [demands, setDemands] = useState<ReadonlySet<Demand>>(NONE);
  const isForOther = useLayer(open, "other");
  const list = useRef<ModelListHandle>(null);
  const rows = useMemo(
    () =>
      open
        ? listPickerRows(models ?? [], {
            typed,
            capability,
            demands,
            except,
            recent,
            recentLabel: t.modelPicker.recent,
          })
        : [],
    [open, models, typed, capability, demands, except, recent, t],
  );
  const ids = useMemo(() => rows.flatMap((row) => (row.kind === "model" ? [row.model.id] : [])), [rows]);
  return (
    <Combobox.Root
      virtualized
      items={ids}
      filteredItems={ids}
      filter={null}
      value={value === "" ? null : value}
      onValueChange={(id) => {
        if (id === null) return;
        rememberModel(id);
        onChange(id);
      }}
      inputValue={typed}
      onInputValueChange={setTyped}
      open={open}
      onOpenChange={(next, details) => {
        if (!next && isForOther(details)) return;
        setOpen(next);
        if (!next) return;
        setTyped("");
        setDemands(NONE);
      }}
      autoHighlight
      onItemHighlighted={(_, { reason, index }) => {
        if (reason !== "pointer") queueMicrotask(() => list.current?.reveal(index));
      }}
    >
      {trigger === undefined ? (
        <FieldTrigger label={label} value={value} emptyLabel={emptyLabel} />
      ) : (
        <Combobox.Trigger aria-label={label} render={trigger} />
      )}
      <Combobox.Portal>
        <Combobox.Positioner align="start" sideOffset={4} collisionPadding={8} className="z-50 outline-none">
          <Combobox.Popup
            aria-label={label}
            className="overlay flex max-h-(--available-height) w-[min(480px,calc(100vw-16px))] flex-col overflow-hidden outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            <div className="flex h-9 shrink-0 items-center gap-2 border-b border-line px-3">
              <Search size={14} aria-hidden className="shrink-0 text-faint" />
              <Combobox.Input
                aria-label={t.modelPicker.search}
                placeholder={t.modelPicker.search}
                className="h-full min-w-0 grow bg-transparent outline-none placeholder:text-faint"
              />
            </div>
            {open && (
              <DemandFilter
                choices={choosableDemands(models ?? [], { capability, except })}
                chosen={demands}
                onChoose={setDemands}
              />
            )}
            <Combobox.Empty className="px-3 text-muted not-empty:py-5">
              {typed === "" && demands.size === 0 ? t.modelPicker.none : t.modelPicker.empty}
            </Combobox.Empty>
            <ModelList key={`${[...demands].join(" ")} ${typed}`} ref={list} label={label} rows={rows} />
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

function DemandFilter(props: ComponentProps<typeof DemandChips>): ReactNode {
  const t = useMessages();
  if (props.choices.length === 0) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- A press leaves the focus in the search.
    <fieldset
      onMouseDown={(event) => event.preventDefault()}
      className="flex shrink-0 flex-wrap gap-1 border-b border-line px-2 py-1.5"
    >
      <legend className="sr-only">{t.modelPicker.filters}</legend>
      <DemandChips {...props} />
    </fieldset>
  );
}

function FieldTrigger({
  label,
  value,
  emptyLabel,
}: Pick<ModelPickerProps, "label" | "value" | "emptyLabel">): ReactNode {
  const t = useMessages();
  const { data: models } = useModels();
  const id = useId();
  const model = models?.find((each) => each.id === value);
  return (
    <Combobox.Trigger
      aria-labelledby={`${id}-label ${id}-value`}
      className="flex h-8 w-full min-w-0 items-center gap-2 rounded-md border border-line-strong bg-surface px-2.5 text-left text-text transition-colors hover:border-faint pointer-coarse:h-9"
    >
      <span id={`${id}-label`} className="sr-only">
        {label}
      </span>
      {model !== undefined && (
        <ProviderGlyph
          id={model.owner === "" ? model.provider : model.owner}
          name={model.group === "" ? undefined : model.group}
        />
      )}
      <span
        id={`${id}-value`}
        className={`min-w-0 grow truncate ${value === "" ? "text-faint" : "font-mono text-meta"}`}
      >
        {value === "" ? (emptyLabel ?? t.modelPicker.choose) : value}
      </span>
      <ChevronDown size={14} aria-hidden className="shrink-0 text-muted" />
    </Combobox.Trigger>
  );
}
