import type { Price } from "../../core/models/model.ts";
import type { Document, StoredPrice } from "../../store/document.ts";

/** The user's aliases and custom prices, as the store has them. */
export type OwnSayings = Pick<Document, "aliases" | "prices">;

/** Settings of a gateway without aliases or custom prices. */
export const NOTHING_SAID: OwnSayings = { aliases: new Map(), prices: new Map() };

/** The source that receipts name for the owner's own price. */
export const OWNER = "owner";

/** The owner's own price as calls are billed with it. */
export function ownPrice({ rates, as_of }: StoredPrice): Price {
  return { tiers: [{ above: 0, rates }], always: true, source: OWNER, as_of };
}
