import { Tag } from "lucide-react";
import type { ReactNode } from "react";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { Button } from "../../components/ui/button.tsx";
import {
  isContext,
  isFeature,
  isPrice,
  listUseful,
  replaceDemand,
  type Demand,
} from "../../components/model-picker/demands.ts";
import { DemandChips } from "../../components/model-picker/takes.tsx";
import { FilterChip } from "../../components/ui/chip.tsx";
import { ChoiceChip } from "../../components/ui/choice-chip.tsx";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams } from "../../lib/router.ts";
import { abilities, getDemands, priceFilters } from "./model-filter.ts";

export interface ModelFiltersProps {
  readonly models: readonly ModelView[];
  readonly params: URLSearchParams;
  /** Number of served and matching models without a price. */
  readonly unpriced: number;
}

/** Filters by capability and by price as chips; each lives in the address. */
export function ModelFilters({ models, params, unpriced }: ModelFiltersProps): ReactNode {
  const t = useMessages();
  const can = params.get("can");
  const demands = getDemands(params);
  const useful = listUseful(models.filter(({ capabilities }) => can === null || capabilities.includes(can)));
  const demandChoice = (id: Demand) => ({ id, label: t.modelPicker.demands[id] });
  const [contexts, underPrices] = [isContext, isPrice].map((isKind) => useful.filter(isKind)) as [Demand[], Demand[]];
  const context = [...demands].find(isContext);
  const under = [...demands].find(isPrice);
  const price = under ?? priceFilters.find((each) => each === params.get("price"));
  const prices = [
    ...underPrices.map(demandChoice),
    ...priceFilters.map((id) => ({ id, label: t.models.priceFilters[id] })),
  ];
  const choose = (chosen: ReadonlySet<Demand>): void => replaceParams({ has: [...chosen].join(",") || null });
  const setPrice = (value: string): void => {
    const isState = priceFilters.some((each) => each === value);
    const has = [...replaceDemand(demands, under, isState ? "" : value)].join(",");
    replaceParams({ has: has || null, price: isState ? value : null });
  };
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
      <span aria-hidden className="mx-1 h-4 w-px bg-line" />
      <DemandChips choices={useful.filter((demand) => isFeature(demand))} chosen={demands} onChoose={choose} />
      {contexts.length > 0 && (
        <ChoiceChip
          label={t.models.context}
          chosen={context === undefined ? null : t.modelPicker.demands[context]}
          value={context ?? ""}
          choices={[{ id: "", label: t.models.anyContext }, ...contexts.map(demandChoice)]}
          onChoose={(value) => choose(replaceDemand(demands, context, value))}
          onRemove={() => choose(replaceDemand(demands, context, ""))}
        />
      )}
      <ChoiceChip
        label={t.models.priceFilter}
        chosen={price === undefined ? null : (prices.find(({ id }) => id === price)?.label ?? null)}
        value={price ?? ""}
        choices={[{ id: "", label: t.models.anyPrice }, ...prices]}
        onChoose={setPrice}
        onRemove={() => setPrice("")}
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
