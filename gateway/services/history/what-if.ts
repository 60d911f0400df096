import type { CheckedInput } from "../../contract/control.ts";
import type { WhatIf as WhatIfView, WhatIfNote, WhatIfRow } from "../../contract/history.ts";
import { GatewayError } from "../../core/errors.ts";
import { HISTORY_UNITS, promptOf } from "../../core/history/history-entry.ts";
import type { HistoryTokens } from "../../core/history/history-entry.ts";
import { HistorySums } from "../../core/history/history-sums.ts";
import { tokenizerRelation } from "../../core/history/tokenizers.ts";
import type { Clock } from "../../lib/clock.ts";
import { Slices } from "../../lib/slices.ts";
import type { Store } from "../../store/store.ts";
import type { CountedHistory } from "./counted-history.ts";
import { EntryPricer } from "./history-prices.ts";
import type { HistoryPrices } from "./history-prices.ts";
import { historyPeriod } from "./query-history.ts";

const STRETCH = 4_096;
const WIDTH = HISTORY_UNITS.length;
/** Where conversations come in. Pictures, speech and films are sold by other units. */
const CONVERSATIONS: ReadonlySet<string> = new Set(["chat", "messages", "responses"]);

export interface WhatIfDeps {
  readonly store: Pick<Store, "usage">;
  readonly counted: CountedHistory;
  readonly prices: HistoryPrices;
  readonly clock: Clock;
}

type Of = WhatIfRow["of"];

/** One response, whoever has noted it. */
interface Used {
  readonly of: Of;
  readonly model: string;
  readonly at: number;
  readonly tokens: HistoryTokens;
  /** 10⁻⁹ USD; null without a price. */
  readonly nano: number | null;
  /** Of it, what does not hang on the model's tokens; null where other units than tokens were used. */
  readonly fees: number | null;
}

interface Row {
  readonly of: Of;
  readonly model: string;
  readonly to: string;
  readonly context: number | null;
  readonly sums: HistorySums;
  whatIf: number;
  tooLong: number;
  readonly notes: Set<WhatIfNote>;
}

/** What a time would have cost if other models had used the same tokens. */
export class WhatIf {
  readonly #deps: WhatIfDeps;

  constructor(deps: WhatIfDeps) {
    this.#deps = deps;
  }

  /** @throws GatewayError invalid_value, model_not_found */
  async ask(input: CheckedInput<"whatIf">): Promise<WhatIfView> {
    const { counted, clock, store } = this.#deps;
    const targets = this.#targets(input);
    const of = input.of ?? "both";
    const { table } = await counted.table();
    const now = clock.now();
    const oldest = Math.min(
      of === "receipts" ? now : (table.at[0] ?? now),
      of === "imported" ? now : ((await store.usage.oldest()) ?? now),
    );
    const { since, until, from, to } = historyPeriod(input, oldest, now);
    const rows = new Map<string, Row>();
    const other = new EntryPricer(this.#deps.prices, false);
    const add = (used: Used): void => this.#add(rows, used, targets, other);
    if (of !== "receipts") await this.#passImported(from, to, add);
    const complete = of === "imported" || (await this.#passReceipts(from, to, add));
    const listed = [...rows.values()].map(viewOf).toSorted((a, b) => b.nano - a.nano || b.requests - a.requests);
    const sum = (figure: (row: WhatIfRow) => number): number => listed.reduce((total, row) => total + figure(row), 0);
    return {
      since,
      until,
      rows: listed,
      nano: sum(({ nano }) => nano),
      what_if_nano: sum(({ what_if_nano }) => what_if_nano),
      unpriced_requests: sum(({ unpriced_requests }) => unpriced_requests),
      tokenizers: this.#tokenizers(listed),
      complete,
    };
  }

  /** Which model stands in for which. @throws GatewayError */
  #targets({ to, models = {} }: CheckedInput<"whatIf">): (model: string) => string {
    const { prices } = this.#deps;
    if (to === undefined && Object.keys(models).length === 0)
      throw new GatewayError("missing_required_parameter", "Name a model with `to`, or one for each with `models`.", {
        param: "to",
      });
    for (const name of [...(to === undefined ? [] : [to]), ...Object.values(models)])
      if (!prices.knows(name))
        throw new GatewayError(
          "model_not_found",
          `Nothing is known of a model ${name.slice(0, 100)}. Name one of the page Models, or give it a price there.`,
          { param: "to" },
        );
    const byName = new Map(Object.entries(models));
    return (model) => byName.get(model) ?? byName.get(prices.identity(model)?.id ?? "") ?? to ?? model;
  }

  async #passImported(from: number, to: number, add: (used: Used) => void): Promise<void> {
    const { table } = await this.#deps.counted.table();
    const pricer = new EntryPricer(this.#deps.prices, true);
    const slices = new Slices(this.#deps.clock);
    const end = table.from(to);
    for (let row = table.from(from); row < end; row += 1) {
      if (row % STRETCH === 0 && slices.over) await slices.pause();
      // It has a receipt.
      if (table.postern[row] === 1) continue;
      const model = table.names.text(table.model[row] as number);
      const served = table.names.text(table.served[row] as number);
      const at = table.at[row] as number;
      const tokens = [...table.tokens.subarray(row * WIDTH, (row + 1) * WIDTH)] as unknown as HistoryTokens;
      add({ of: "imported", model, at, tokens, nano: pricer.cost(model, served, at, tokens).nano, fees: 0 });
    }
  }

  /** @returns whether all of them were looked at */
  async #passReceipts(since: number, until: number, add: (used: Used) => void): Promise<boolean> {
    const { store, clock } = this.#deps;
    const { complete } = await store.usage.scan(
      { since, until },
      (passed) => {
        if (passed.sandbox || !passed.isWhole()) return;
        if (!CONVERSATIONS.has(passed.text("endpoint"))) return;
        const { tokens, fees } = passed.used();
        if (!tokens.some((count) => count > 0)) return;
        add({ of: "receipts", model: passed.text("model"), at: passed.at, tokens, nano: passed.nano, fees });
      },
      clock,
    );
    return complete;
  }

  #add(rows: Map<string, Row>, used: Used, targets: (model: string) => string, other: EntryPricer): void {
    const { prices } = this.#deps;
    const key = `${used.of}\n${used.model}`;
    let row = rows.get(key);
    if (row === undefined) {
      const to = targets(used.model);
      const context = to === used.model ? null : prices.contextLength(to);
      const { of, model } = used;
      row = { of, model, to, context, sums: new HistorySums(), whatIf: 0, tooLong: 0, notes: new Set() };
      rows.set(key, row);
    }
    const { nano, notes } =
      row.to === row.model
        ? { nano: used.nano, notes: [] }
        : withFees(other.cost(row.to, "", used.at, used.tokens), used);
    const both = used.nano !== null && nano !== null;
    row.sums.add(used.tokens, 0, both ? used.nano : null, false);
    if (both) row.whatIf += nano;
    for (const note of notes) row.notes.add(note);
    if (row.context !== null && promptOf(used.tokens) > row.context) row.tooLong += 1;
  }

  #tokenizers(rows: readonly WhatIfRow[]): WhatIfView["tokenizers"] {
    const { prices } = this.#deps;
    const pairs = new Map(
      rows.filter(({ model, to }) => model !== to).map(({ model, to }) => [`${model}\n${to}`, { from: model, to }]),
    );
    return [...pairs.values()].map(({ from, to }) => ({
      from,
      to,
      ...tokenizerRelation(prices.identity(from), prices.identity(to)),
    }));
  }
}

function withFees(cost: { readonly nano: number | null; readonly notes: readonly WhatIfNote[] }, { fees }: Used) {
  return { nano: cost.nano === null || fees === null ? null : cost.nano + fees, notes: cost.notes };
}

function viewOf({ of, model, to, sums, whatIf, tooLong, notes }: Row): WhatIfRow {
  const { requests, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, nano, unpriced_requests } =
    sums.totals;
  const tokens = { input_tokens, cached_input_tokens, cache_write_tokens, output_tokens };
  const money = { nano, what_if_nano: whatIf, unpriced_requests };
  return { of, model, to, requests, ...tokens, ...money, notes: [...notes].toSorted(), too_long: tooLong };
}
