import { Braces, Brain, Eye, Wrench, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { FilterChip } from "../ui/chip.tsx";
import { features, hasFeature, toggleDemand, type Demand, type Feature } from "./demands.ts";

const icons: Readonly<Record<Feature, LucideIcon>> = {
  pictures: Eye,
  tools: Wrench,
  reasoning: Brain,
  json_schema: Braces,
};

export interface TakesProps {
  readonly model: ModelView;
  /** Pixels. */
  readonly size: number;
}

/** Features of a model as labelled icons: pale if unknown, absent if missing. */
export function Takes({ model, size }: TakesProps): ReactNode {
  const t = useMessages();
  const isTalker = model.capabilities.includes("chat");
  return features.map((feature) => {
    const Icon = icons[feature];
    const has = hasFeature(model, feature);
    if (has === false || (has === undefined && !isTalker)) return null;
    const name = t.modelPicker.demands[feature];
    const words = has === true ? name : t.modelPicker.unknown(name);
    return (
      <span key={feature} title={words} className={`flex ${has === true ? "" : "opacity-30"}`}>
        <Icon size={size} aria-hidden />
        <span className="sr-only">{words} </span>
      </span>
    );
  });
}

interface DemandChipsProps {
  readonly choices: readonly Demand[];
  readonly chosen: ReadonlySet<Demand>;
  readonly onChoose: (chosen: ReadonlySet<Demand>) => void;
}

/** A chip for each demand. */
export function DemandChips({ choices, chosen, onChoose }: DemandChipsProps): ReactNode {
  const t = useMessages();
  return choices.map((demand) => (
    <FilterChip key={demand} pressed={chosen.has(demand)} onPress={() => onChoose(toggleDemand(chosen, demand))}>
      {t.modelPicker.demands[demand]}
    </FilterChip>
  ));
}
