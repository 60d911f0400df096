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

/** Chat models that can be asked now. */
export function chatModels(models: readonly ModelView[]): readonly string[] {
  return models.filter(({ capabilities, served }) => capabilities.includes("chat") && served).map(({ id }) => id);
}

/** What a client has, or what is likely to be wanted: all parts, and for each name a model that bears it. */
export function draftOf(client: ClientView, choices: readonly string[]): ClientDraft {
  const { connected, slots, writes } = client;
  const models = Object.fromEntries(
    slots.map((slot) => [slot, connected?.models[slot] ?? likely(slot, choices)]),
  ) as ClientDraft["models"];
  return { parts: connected?.parts ?? writes, models, limit: "", onlyThese: false };
}

/** Empty: the client's own name for it is served, or nothing is. */
function likely(slot: Slot, choices: readonly string[]): string {
  if (slot === "main") return choices[0] ?? "";
  return choices.find((id) => id.includes(slot)) ?? choices[0] ?? "";
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
