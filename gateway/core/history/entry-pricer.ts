import type { Price } from "../models/model.ts";
import { priceNow } from "../money/price.ts";
import type { PriceNow } from "../money/price.ts";
import { readServed } from "./history-entry.ts";
import type { HistoryTokens } from "./history-entry.ts";
import { costOfTokens, servedPrice } from "./token-price.ts";
import type { TokenCost } from "./token-price.ts";

interface PriceOfModel {
  price(model: string): Price | null;
}

const HOUR_MS = 3_600_000;
const NO_PRICE: TokenCost = { nano: null, notes: [] };

/** Prices entries one at a time; a model's price is looked up once, and again after it has changed. */
export class EntryPricer {
  readonly #prices: PriceOfModel;
  readonly #strict: boolean;
  readonly #listed = new Map<string, Price | null>();
  readonly #now = new Map<string, PriceNow & { readonly from: number }>();

  /** @param strict as `costOfTokens` */
  constructor(prices: PriceOfModel, strict: boolean) {
    this.#prices = prices;
    this.#strict = strict;
  }

  /** @param at Unix milliseconds @param served as `servedText` writes it */
  cost(model: string, served: string, at: number, tokens: HistoryTokens): TokenCost {
    const key = served === "" ? model : `${model}\n${served}`;
    let now = this.#now.get(key);
    if (now === undefined || at < now.from || at >= now.until) {
      // Each price is valid for a whole hour: the log is passed from its newest receipt back.
      now = { ...this.#at(model, served, at), from: Math.floor(at / HOUR_MS) * HOUR_MS };
      this.#now.set(key, now);
    }
    return now.price === null ? NO_PRICE : costOfTokens(now.price, tokens, this.#strict);
  }

  #at(model: string, served: string, at: number): PriceNow {
    let listed = this.#listed.get(model);
    if (listed === undefined) {
      listed = this.#prices.price(model);
      this.#listed.set(model, listed);
    }
    const { price, until } = priceNow(listed, at);
    return { price: price === null ? null : servedPrice(price, readServed(served)), until };
  }
}
