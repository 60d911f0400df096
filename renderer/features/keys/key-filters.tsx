import { Search } from "lucide-react";
import type { ReactNode } from "react";
import type { KeyView } from "../../../gateway/contract/key.ts";
import { FilterChip } from "../../components/ui/chip.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams, useRoute } from "../../lib/router.ts";
import { keyStates } from "./filter-keys.ts";

/** Search and states above the keys. Both live in the address. */
export function KeyFilters({ keys }: { readonly keys: readonly KeyView[] }): ReactNode {
  const t = useMessages();
  const { params } = useRoute();
  const state = params.get("state");
  const present = keyStates.filter((each) => each === state || keys.some((key) => key.state === each));
  return (
    <>
      <label className="flex h-7 min-w-32 grow basis-40 items-center gap-2 rounded-md px-2 text-faint focus-within:outline-2 focus-within:outline-focus">
        <Search size={14} aria-hidden className="shrink-0" />
        <span className="sr-only">{t.table.filter}</span>
        <input
          data-filter
          type="search"
          value={params.get("q") ?? ""}
          placeholder={t.table.filter}
          onChange={(event) => replaceParams({ q: event.target.value })}
          className="min-w-0 grow bg-transparent text-text outline-none placeholder:text-faint"
        />
      </label>
      {present.length > 1 && (
        <fieldset className="flex gap-1 max-wide:order-last max-wide:basis-full max-wide:px-1.5 max-wide:pb-1">
          <legend className="sr-only">{t.keys.state}</legend>
          {present.map((each) => (
            <FilterChip
              key={each}
              pressed={each === state}
              onPress={() => replaceParams({ state: each === state ? null : each })}
            >
              {t.keys.states[each]}
            </FilterChip>
          ))}
        </fieldset>
      )}
    </>
  );
}
