import type { Abilities, Capability, Price } from "./model.ts";

/** A price as a provider's own list has it; who says so and when is known of the list. */
export type ListedPrice = Pick<Price, "tiers" | "always" | "unmetered">;

/** A model as described by a provider's own list; null for missing facts. */
export interface DiscoveredModel {
  readonly id: string;
  readonly owned_by: string | null;
  readonly created: number | null;
  readonly context_length: number | null;
  readonly max_output: number | null;
  readonly price: ListedPrice | null;
  /** Absent if the list does not state them. */
  readonly abilities?: Abilities;
  /** Endpoints according to the list; absent if not stated. */
  readonly kinds?: readonly Capability[];
  /** First day without the model, `YYYY-MM-DD`; absent if none is announced. */
  readonly ends?: string;
}
