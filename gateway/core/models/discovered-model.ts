import type { Abilities, Capability, Price } from "./model.ts";

/** A price as a provider's own list has it; who says so and when is known of the list. */
export type ListedPrice = Pick<Price, "tiers" | "always" | "unmetered">;

/** A model as a provider's own list describes it; null where the list is silent. */
export interface DiscoveredModel {
  readonly id: string;
  readonly owned_by: string | null;
  readonly created: number | null;
  readonly context_length: number | null;
  readonly max_output: number | null;
  readonly price: ListedPrice | null;
  /** Absent where the list says nothing of them. */
  readonly abilities?: Abilities;
  /** Endpoints that the list gives it; absent where it says nothing. */
  readonly kinds?: readonly Capability[];
  /** The first day without it, `YYYY-MM-DD`; absent where the list announces none. */
  readonly ends?: string;
}
