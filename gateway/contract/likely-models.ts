import type { ModelView } from "./model-view.ts";

/** The name under which a client uses a model. */
export type Slot = "main" | "opus" | "sonnet" | "haiku";

export type Choice = Pick<ModelView, "id" | "output_nano_per_million" | "abilities" | "ends">;

/** Returns the chat models that are currently served. */
export function chatModels(models: readonly ModelView[]): readonly Choice[] {
  return models.filter(({ capabilities, served }) => capabilities.includes("chat") && served);
}

/** Number of current models: lists start with the newest ones. */
const CURRENT = 8;
/** Words in the ids of small models, for servers whose prices are not known. */
const SMALL = /haiku|nano|mini|lite|flash|small|luna/i;

/**
 * Returns the default model of a slot: one with the slot's name; else the cheapest current model with tools for small
 * tasks, and a mid-priced one for the rest, so that the most expensive is an explicit choice.
 * @returns its id; empty if no model is served
 */
export function likelyModel(slot: Slot, choices: readonly Choice[]): string {
  const lasting = choices.filter(({ ends }) => ends === undefined);
  const named =
    slot === "main" ? undefined : (lasting.find((one) => bears(one, slot)) ?? choices.find((one) => bears(one, slot)));
  if (named !== undefined) return named.id;
  const capable = lasting.filter(({ abilities }) => abilities?.tools === true);
  const current = (capable.length === 0 ? lasting : capable).slice(0, CURRENT);
  const priced = current
    .filter(({ output_nano_per_million: price }) => (price ?? 0) > 0)
    .toSorted((a, b) => (a.output_nano_per_million ?? 0) - (b.output_nano_per_million ?? 0));
  // The newest of several at one price is the first in the list.
  const pick = (place: number): Choice | undefined =>
    current.find(({ output_nano_per_million: price }) => price === priced[place]?.output_nano_per_million);
  const small = current.find(({ id }) => SMALL.test(id));
  const found = slot === "haiku" ? (pick(0) ?? small) : pick(Math.floor((priced.length - 1) / 2));
  return (found ?? current[0] ?? choices[0])?.id ?? "";
}

const bears = ({ id }: Choice, name: string): boolean => id.includes(name);
