import type { ClientModels } from "./clients.ts";
import type { ModelView } from "./model-view.ts";

/** The name under which a client uses a model. */
export type Slot = keyof ClientModels;

/** A model that can be chosen. */
export type Choice = Pick<ModelView, "id" | "output_nano_per_million">;

/** Chat models that can be asked now. */
export function chatModels(models: readonly ModelView[]): readonly Choice[] {
  return models.filter(({ capabilities, served }) => capabilities.includes("chat") && served);
}

/** Max price relative to the first of the list, if no model has the name. */
const SHARE: Readonly<Record<Slot, number>> = { opus: 1, main: 1 / 2, sonnet: 1 / 2, haiku: 1 / 10 };

/**
 * The model that is likely to be wanted: one that bears the name; else one of the price that is meant by it, because
 * providers list their most expensive first and a client gives its small work to its smallest; else the first. Empty when nothing
 * is served.
 */
export function likelyModel(slot: Slot, choices: readonly Choice[]): string {
  const [first] = choices;
  const named = slot === "main" ? undefined : choices.find(({ id }) => id.includes(slot));
  if (first === undefined || named !== undefined) return named?.id ?? "";
  const most = (first.output_nano_per_million ?? 0) * SHARE[slot];
  const within = ({ output_nano_per_million: price }: Choice): boolean => price !== null && price > 0 && price <= most;
  return choices.find(within)?.id ?? (slot === "haiku" ? likelyModel("sonnet", choices) : first.id);
}
