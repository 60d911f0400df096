import { Tag } from "lucide-react";
import type { ReactNode } from "react";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { Button } from "../../components/ui/button.tsx";
import { FilterChip } from "../../components/ui/chip.tsx";
import { ChoiceChip } from "../../components/ui/choice-chip.tsx";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams } from "../../lib/router.ts";
import { abilities, priceFilters } from "./model-filter.ts";

export interface ModelFiltersProps {
  readonly models: readonly ModelView[];
  readonly params: URLSearchParams;
  /** How many have no price, of those that are served and that the search lets in. */
  readonly unpriced: number;
}

/** Filters by capability and by price as chips; each lives in the address. */
export function ModelFilters({ models, params, unpriced }: ModelFiltersProps): ReactNode {
  const t = useMessages();
  const can = params.get("can");
  const price = priceFilters.find((each) => each === params.get("price"));
  const present = abilities.filter(
    (ability) => ability === can || models.some(({ capabilities }) => capabilities.includes(ability)),
  );
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-1 px-1.5 pb-1.5">
      <legend className="sr-only">{t.models.filters}</legend>
      {present.map((ability) => (
        <FilterChip
          key={ability}
          pressed={ability === can}
          onPress={() => replaceParams({ can: ability === can ? null : ability })}
        >
          {t.models.abilities[ability]}
        </FilterChip>
      ))}
      <ChoiceChip
        label={t.models.priceFilter}
        chosen={price === undefined ? null : t.models.priceFilters[price]}
        value={price ?? ""}
        choices={[
          { id: "", label: t.models.anyPrice },
          ...priceFilters.map((id) => ({ id, label: t.models.priceFilters[id] })),
        ]}
        onChoose={(value) => replaceParams({ price: value })}
        onRemove={() => replaceParams({ price: null })}
      />
      {unpriced > 0 && (
        <Button
          className="ml-auto"
          icon={<Tag size={14} aria-hidden />}
          onClick={() => replaceParams({ set: "prices" })}
        >
          {t.models.setPrices(formatCount(unpriced))}
        </Button>
      )}
    </fieldset>
  );
}
