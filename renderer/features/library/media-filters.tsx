import { ListFilter, Search } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import { useKeyNames } from "../../api/key-names.ts";
import { useKeys, useModels } from "../../api/queries.ts";
import { Button } from "../../components/ui/button.tsx";
import { ActiveFilter, FilterChip } from "../../components/ui/chip.tsx";
import { SelectField, TextField } from "../../components/ui/field.tsx";
import { Popover } from "../../components/ui/popover.tsx";
import { formatMoney } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams, useRoute } from "../../lib/router.ts";
import { getNano } from "../../lib/typed.ts";
import { mediaKinds, type FilterName } from "./media-filter.ts";

/** Search, kinds, and a button that opens the rest: all of it lives in the address. */
export function MediaFilters(): ReactNode {
  const t = useMessages();
  const { params } = useRoute();
  const kind = params.get("kind");
  return (
    <>
      <label className="flex h-7 min-w-32 grow basis-40 items-center gap-2 rounded-md px-2 text-faint focus-within:outline-2 focus-within:outline-focus">
        <Search size={14} aria-hidden className="shrink-0" />
        <span className="sr-only">{t.library.search}</span>
        <input
          data-filter
          type="search"
          maxLength={500}
          value={params.get("q") ?? ""}
          placeholder={t.library.search}
          onChange={(event) => replaceParams({ q: event.target.value })}
          className="min-w-0 grow bg-transparent text-text outline-none placeholder:text-faint"
        />
      </label>
      <fieldset className="flex gap-1 max-wide:order-last max-wide:px-1.5 max-wide:py-0.5">
        <legend className="sr-only">{t.library.kind}</legend>
        {mediaKinds.map((each) => (
          <FilterChip
            key={each}
            pressed={each === kind}
            onPress={() => replaceParams({ kind: each === kind ? null : each })}
          >
            {t.library.kinds[each]}
          </FilterChip>
        ))}
      </fieldset>
      <Popover
        title={t.library.filters}
        trigger={
          <Button look="quiet" icon={<ListFilter size={14} aria-hidden />}>
            {t.library.filters}
          </Button>
        }
      >
        <FilterForm />
      </Popover>
    </>
  );
}

/** Shows the active filters, each with a button to remove it. */
export function ActiveMediaFilters(): ReactNode {
  const t = useMessages();
  const { params } = useRoute();
  const keyName = useKeyNames();
  const words: Partial<Record<FilterName, (text: string) => string>> = {
    model: t.library.chip.model,
    key: (id) => t.library.chip.key(keyName(id)),
    since: t.library.chip.since,
    until: t.library.chip.until,
    cost: (text) => t.library.chip.cost(formatMoney(getNano(text) ?? 0)),
  };
  const shown = Object.entries(words).flatMap(([name, inWords]) => {
    const value = params.get(name) ?? "";
    return value === "" ? [] : [{ name, label: inWords(value) }];
  });
  if (shown.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-1.5 border-b border-line px-3 py-1.5">
      {shown.map(({ name, label }) => (
        <ActiveFilter key={name} label={label} onRemove={() => replaceParams({ [name]: null })} />
      ))}
    </div>
  );
}

function FilterForm(): ReactNode {
  const t = useMessages();
  const { params } = useRoute();
  const { data: keys = [] } = useKeys();
  const { data: models = [] } = useModels();
  const suggestions = useId();
  const value = (name: FilterName): string => params.get(name) ?? "";
  const put =
    (name: FilterName) =>
    (text: string): void =>
      replaceParams({ [name]: text });
  const makers = models.filter(({ capabilities }) => capabilities.some((each) => makes.has(each)));
  const key = value("key");
  const known = keys.some(({ id }) => id === key);
  return (
    <div className="grid grid-cols-2 gap-3">
      <Typed
        className="col-span-2"
        label={t.library.model}
        value={value("model")}
        list={suggestions}
        onCommit={put("model")}
      />
      <datalist id={suggestions}>
        {makers.map(({ id }) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </datalist>
      <SelectField
        className="col-span-2"
        label={t.library.key}
        value={key}
        choices={[
          { id: "", label: t.library.anyKey },
          // A key that was revoked since made results all the same.
          ...(key === "" || known ? [] : [{ id: key, label: key }]),
          ...keys.map(({ id, name }) => ({ id, label: name })),
        ]}
        onChange={put("key")}
      />
      <TextField
        type="date"
        label={t.library.since}
        value={value("since")}
        onChange={(event) => put("since")(event.target.value)}
      />
      <TextField
        type="date"
        label={t.library.until}
        value={value("until")}
        onChange={(event) => put("until")(event.target.value)}
      />
      <Typed
        className="col-span-2"
        label={t.library.cost}
        value={value("cost")}
        inputMode="decimal"
        check={(text) => (text === "" || getNano(text) !== null ? undefined : t.library.costInvalid)}
        onCommit={put("cost")}
      />
    </div>
  );
}

/** Capabilities whose results are stored in the library. */
const makes: ReadonlySet<string> = new Set(["image", "image_edit", "speech", "video"]);

interface TypedProps {
  readonly className: string;
  readonly label: string;
  readonly value: string;
  readonly list?: string;
  readonly inputMode?: "decimal";
  /** Returns the error of the text, as a sentence. */
  readonly check?: (text: string) => string | undefined;
  readonly onCommit: (text: string) => void;
}

/** Text that is meant as a whole: it filters when it is finished, not at each letter. */
function Typed({ value, check, onCommit, ...field }: TypedProps): ReactNode {
  const [draft, setDraft] = useState(value);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setDraft(value);
  }
  const error = check?.(draft.trim());
  const commit = (): void => {
    if (error === undefined && draft.trim() !== value) onCommit(draft.trim());
  };
  return (
    <TextField
      {...field}
      value={draft}
      error={error}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === "Enter" && commit()}
    />
  );
}
