import type { ClientModels, ClientPart, ClientView, PlanClient } from "../../../gateway/contract/clients.ts";
import type { ModelView } from "../../../gateway/contract/model-view.ts";

export type Slot = keyof ClientModels;

/** What the dialog asks for. */
export interface ClientDraft {
  readonly parts: readonly ClientPart[];
  readonly models: Readonly<Partial<Record<Slot, string>>>;
  /** As typed; empty for none. */
  readonly limit: string;
  readonly onlyThese: boolean;
}

/** A model that can be chosen. */
export type Choice = Pick<ModelView, "id" | "output_nano_per_million">;

/** Chat models that can be asked now. */
export function chatModels(models: readonly ModelView[]): readonly Choice[] {
  return models.filter(({ capabilities, served }) => capabilities.includes("chat") && served);
}

/** What a client has, or what is likely to be wanted: all parts, and for each name a model that bears it. */
export function draftOf(client: ClientView, choices: readonly Choice[]): ClientDraft {
  const { connected, slots, writes } = client;
  const models = Object.fromEntries(
    slots.map((slot) => [slot, connected?.models[slot] ?? likely(slot, choices)]),
  ) as ClientDraft["models"];
  return { parts: connected?.parts ?? writes, models, limit: "", onlyThese: false };
}

/** What a model may cost beside the first of the list, where none bears the name. */
const SHARE: Readonly<Record<Slot, number>> = { opus: 1, main: 1 / 2, sonnet: 1 / 2, haiku: 1 / 10 };

/**
 * A model that bears the name; else one of the price that is meant by it, because vendors list their dearest first and
 * a client gives its small work to its smallest; else the first. Empty: nothing is served.
 */
function likely(slot: Slot, choices: readonly Choice[]): string {
  const [first] = choices;
  const named = slot === "main" ? undefined : choices.find(({ id }) => id.includes(slot));
  if (first === undefined || named !== undefined) return named?.id ?? "";
  const most = (first.output_nano_per_million ?? 0) * SHARE[slot];
  const within = ({ output_nano_per_million: price }: Choice): boolean => price !== null && price > 0 && price <= most;
  return choices.find(within)?.id ?? (slot === "haiku" ? likely("sonnet", choices) : first.id);
}

/** The body of a plan; null while something that is needed is missing. */
export function planInput({ slots }: Pick<ClientView, "slots">, draft: ClientDraft): PlanClient | null {
  if (draft.parts.length === 0) return null;
  const wanted = draft.parts.includes("models");
  if (wanted && slots.includes("main") && (draft.models.main ?? "") === "") return null;
  const models: ClientModels = {};
  if (wanted) for (const slot of slots) if ((draft.models[slot] ?? "") !== "") models[slot] = draft.models[slot];
  return { parts: [...draft.parts], models };
}

/** USD; null for none, undefined for what is no amount. */
export function readLimit(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const amount = Number(trimmed);
  return /^\d+(\.\d+)?$/.test(trimmed) && amount <= 1e9 ? amount : undefined;
}
