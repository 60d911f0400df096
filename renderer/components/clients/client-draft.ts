import type { ClientModels, ClientPart, ClientView, PlanClient } from "../../../gateway/contract/clients.ts";
import { MOST_USD } from "../../../gateway/contract/money.ts";
import { likelyModel, type Choice, type Slot } from "../../../gateway/contract/likely-models.ts";

/** Form state of the dialog. */
export interface ClientDraft {
  readonly parts: readonly ClientPart[];
  readonly models: Readonly<Partial<Record<Slot, string>>>;
  /** Limit as text; empty for none. */
  readonly limit: string;
  readonly onlyThese: boolean;
  /** Further models of its picker; null for all that are served. */
  readonly offered: readonly string[] | null;
}

/** Returns a client's current settings, or likely defaults: all parts, and for each slot a model with its name. */
export function getDraft(client: ClientView, choices: readonly Choice[]): ClientDraft {
  const { connected, slots, writes } = client;
  const models = Object.fromEntries(
    slots.map((slot) => [slot, connected?.models[slot] ?? likelyModel(slot, choices)]),
  ) as ClientDraft["models"];
  const offered = connected?.models.offered ?? null;
  return { parts: connected?.parts ?? writes, models, limit: "", onlyThese: false, offered };
}

/** The body of a plan; null while something that is needed is missing. */
export function createPlanInput(
  { slots, has_picker }: Pick<ClientView, "slots" | "has_picker">,
  draft: ClientDraft,
): PlanClient | null {
  if (draft.parts.length === 0) return null;
  const wanted = draft.parts.includes("models");
  if (wanted && slots.includes("main") && (draft.models.main ?? "") === "") return null;
  const models: ClientModels = {};
  if (wanted) for (const slot of slots) if ((draft.models[slot] ?? "") !== "") models[slot] = draft.models[slot];
  // A key restricted to models must allow the chosen ones.
  const offered = draft.offered ?? (draft.onlyThese ? [] : null);
  if (wanted && has_picker && offered !== null) models.offered = offered;
  return { parts: [...draft.parts], models };
}

/** Parses USD; null for no limit, undefined for an invalid amount. */
export function readLimit(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const amount = Number(trimmed);
  return /^\d+(\.\d+)?$/.test(trimmed) && amount <= MOST_USD ? amount : undefined;
}
