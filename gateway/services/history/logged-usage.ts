import type { Search } from "../../contract/matches-request.ts";
import type { UsageGroup } from "../../contract/usage.ts";
import { HourSums } from "../../core/usage/hour-sums.ts";
import { SUMS } from "../../core/usage/usage-totals.ts";
import type { ImportedUsage } from "../../store/history/imported-usage.ts";
import type { HistoryPrices } from "./history-prices.ts";

/** Usage imported from agents' logs, with the prices of today's knowledge. */
export class LoggedUsage {
  readonly #imported: Pick<ImportedUsage, "view" | "sumHours">;
  readonly #prices: Pick<HistoryPrices, "price">;

  constructor(imported: Pick<ImportedUsage, "view" | "sumHours">, prices: Pick<HistoryPrices, "price">) {
    this.#imported = imported;
    this.#prices = prices;
  }

  /** When the oldest response came, Unix ms; null without any. */
  async findFirst(): Promise<number | null> {
    return (await this.#imported.view()).first;
  }

  /** Sums UTC hours from one moment to another, Unix ms. */
  async sumHours(from: number, to: number, by: UsageGroup, search: Search): Promise<HourSums> {
    const { models } = await this.#imported.view();
    const prices = Object.fromEntries(models.map((model) => [model, this.#prices.price(model)]));
    return new HourSums(await this.#imported.sumHours({ from, to, by, sums: SUMS, search, prices }), by);
  }
}
