import type { Search } from "../../contract/matches-request.ts";
import type { UsageGroup } from "../../contract/usage.ts";
import { HourSums } from "../../core/usage/hour-sums.ts";
import { SUMS } from "../../core/usage/usage-totals.ts";
import type { ImportedUsage } from "../../store/history/imported-usage.ts";
import type { HistoryPrices } from "./history-prices.ts";

/** Usage imported from agents' logs, by the ids of models that receipts have, with the prices of today's knowledge. */
export class LoggedUsage {
  readonly #imported: Pick<ImportedUsage, "view" | "sumHours" | "pass">;
  readonly #prices: Pick<HistoryPrices, "price" | "getId">;

  constructor(
    imported: Pick<ImportedUsage, "view" | "sumHours" | "pass">,
    prices: Pick<HistoryPrices, "price" | "getId">,
  ) {
    this.#imported = imported;
    this.#prices = prices;
  }

  /** Returns the time of the oldest response, Unix ms; null without any. */
  async findFirst(): Promise<number | null> {
    return (await this.#imported.view()).first;
  }

  /** Sums UTC hours from one moment to another, Unix ms. */
  async sumHours(from: number, to: number, by: UsageGroup, search: Search): Promise<HourSums> {
    const { models } = await this.#imported.view();
    const prices = Object.fromEntries(models.map((model) => [model, this.#prices.price(model)]));
    const ids = this.#findIds(models);
    return new HourSums(await this.#imported.sumHours({ from, to, by, sums: SUMS, search, ids, prices }), by);
  }

  /** Passes responses with the ids of their models, some at a time, the oldest first. Unix ms; `to` left out. */
  async *pass(from: number, to: number, search: Search) {
    const { models } = await this.#imported.view();
    const ids = this.#findIds(models);
    for await (const entries of this.#imported.pass({ from, to, search, ids }))
      yield entries.map((entry) => ({ ...entry, id: ids[entry.model] ?? entry.model }));
  }

  #findIds(models: readonly string[]): Record<string, string> {
    return Object.fromEntries(models.map((model) => [model, this.#prices.getId(model)]));
  }
}
