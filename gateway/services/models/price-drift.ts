import { isFarFrom, priceUnits } from "../../core/money/price.ts";
import type { Units } from "../../core/models/model.ts";
import { dollars } from "../../lib/money.ts";
import type { Notices } from "../notices.ts";
import type { Candidate } from "./served-model.ts";

/** Tells the user of known prices that are out of date, since a provider charged something else; each once a start. */
export class PriceDrift {
  readonly #notices: Pick<Notices, "offer">;
  readonly #reported = new Set<string>();

  constructor(notices: Pick<Notices, "offer">) {
    this.#notices = notices;
  }

  /** @param charged nano USD, for tokens only */
  note(model: string, { connection, price }: Candidate, units: Units, charged: number): void {
    const table = price === null ? null : priceUnits(units, price).nano;
    if (table === null || price === null || !isFarFrom(table, charged)) return;
    const name = `${connection.id} ${model}`;
    if (this.#reported.has(name)) return;
    this.#reported.add(name);
    this.#notices.offer(
      "info",
      `The price of ${model} is out of date: ${connection.name} charged ${dollars(charged)} for a request that costs ${dollars(table)} by ${price.source}. Receipts have what was charged. Set your own price on the Models page, or update Postern.`,
    );
  }
}
