import { CONVERSATIONS } from "../../contract/conversations.ts";
import type { CheckedInput } from "../../contract/control.ts";
import type { WhatIf as WhatIfView, WhatIfNote, WhatIfRow } from "../../contract/history.ts";
import { GatewayError } from "../../core/errors.ts";
import { EntryPricer } from "../../core/history/entry-pricer.ts";
import { HISTORY_UNITS, readPrompt } from "../../core/history/history-entry.ts";
import type { HistoryTokens } from "../../core/history/history-entry.ts";
import { addEntry } from "../../core/history/logged-request.ts";
import type { Totals } from "../../contract/totals.ts";
import { emptyTotals } from "../../core/usage/usage-totals.ts";
import { tokenizerRelation } from "../../core/history/tokenizers.ts";
import type { Search } from "../../contract/matches-request.ts";
import type { Clock } from "../../lib/clock.ts";
import { findDay } from "../../lib/zone.ts";
import { Slices } from "../../lib/slices.ts";
import type { Store } from "../../store/store.ts";
import type { HistoryPrices } from "./history-prices.ts";
import type { LoggedUsage } from "./logged-usage.ts";
import { listSources } from "../usage-series.ts";
import { findPeriod, getFilter } from "../usage-time.ts";

export interface WhatIfDeps {
  readonly store: Pick<Store, "usage">;
  readonly logged: Pick<LoggedUsage, "pass">;
  readonly prices: HistoryPrices;
  readonly clock: Clock;
}

type Source = WhatIfRow["source"];
/** Maps a model to its substitute. */
type Targets = (model: string) => string;

/** A response from a receipt or a log. */
interface Used {
  readonly source: Source;
  readonly model: string;
  readonly at: number;
  readonly tokens: HistoryTokens;
  /** 10⁻⁹ USD; null without a price. */
  readonly nano: number | null;
  /** Part of `nano` that does not depend on the model's tokens; null if other units than tokens were used. */
  readonly fees: number | null;
}

interface Row {
  readonly source: Source;
  readonly model: string;
  readonly to: string;
  readonly context: number | null;
  readonly totals: Totals;
  whatIf: number;
  tooLong: number;
  readonly notes: Set<WhatIfNote>;
}

/** Columns read of each receipt, in the order of rows. */
const PASSED = [...(["at", "endpoint", "model", "sandbox", "nano", "fees"] as const), ...HISTORY_UNITS];
type PassedRow = [number, string, string, number, number | null, number | null, ...HistoryTokens];

/** Estimates the cost of a time if other models had used the same tokens. */
export class WhatIf {
  readonly #deps: WhatIfDeps;

  constructor(deps: WhatIfDeps) {
    this.#deps = deps;
  }

  /** @throws GatewayError invalid_value, model_not_found */
  async ask(input: CheckedInput<"whatIf">): Promise<WhatIfView> {
    const targets = this.#targets(input);
    const { from, to, zone } = findPeriod(input, this.#deps.clock.now());
    const search = getFilter(input);
    const sources = listSources(input.source);
    const rows = new Map<string, Row>();
    const add = this.#adder(rows, targets);
    if (sources.includes("logs")) await this.#passLogs(from, to, search, add);
    const complete =
      !sources.includes("postern") || (await this.#passReceipts({ ...search, since: from, until: to }, add));
    const listed = Array.from(rows.values(), getView).toSorted((a, b) => b.nano - a.nano || b.requests - a.requests);
    const sum = (figure: (row: WhatIfRow) => number): number => listed.reduce((total, row) => total + figure(row), 0);
    return {
      since: findDay(zone ?? "UTC", from),
      until: findDay(zone ?? "UTC", to - 1),
      rows: listed,
      nano: sum(({ nano }) => nano),
      what_if_nano: sum(({ what_if_nano }) => what_if_nano),
      unpriced_requests: sum(({ unpriced_requests }) => unpriced_requests),
      tokenizers: this.#tokenizers(listed),
      complete,
    };
  }

  /** Resolves the substitute of each model. @throws GatewayError */
  #targets({ to, models = {} }: CheckedInput<"whatIf">): Targets {
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
    const byId = new Map(Object.entries(models).map(([name, target]) => [prices.getId(name), target]));
    return (model) => byId.get(prices.getId(model)) ?? to ?? model;
  }

  async #passLogs(from: number, to: number, search: Search, add: (used: Used) => void): Promise<void> {
    const { logged, prices, clock } = this.#deps;
    const pricer = new EntryPricer(prices, true);
    const slices = new Slices(clock);
    for await (const entries of logged.pass(from, to, search)) {
      for (const { id, model, served, at, tokens } of entries) {
        const { nano } = pricer.cost(model, served, at, tokens);
        add({ source: "logs", model: id, at, tokens, nano, fees: 0 });
      }
      if (slices.over) await slices.pause();
    }
  }

  /** Returns whether all receipts were read. */
  async #passReceipts(search: Search, add: (used: Used) => void): Promise<boolean> {
    const { store, clock } = this.#deps;
    const slices = new Slices(clock);
    let complete = true;
    for await (const { rows, rebuilding } of store.usage.pass(search, PASSED)) {
      complete = rebuilding === null;
      for (const row of rows) {
        const [at, endpoint, model, sandbox, nano, fees, ...tokens] = row as PassedRow;
        if (sandbox === 1 || !CONVERSATIONS.has(endpoint)) continue;
        if (tokens.some((count) => count > 0)) add({ source: "postern", model, at, tokens, nano, fees });
      }
      if (slices.over) await slices.pause();
    }
    return complete;
  }

  /** Adds usage to the rows of its source and model. */
  #adder(rows: Map<string, Row>, targets: Targets): (used: Used) => void {
    const { prices } = this.#deps;
    const other = new EntryPricer(prices, false);
    return ({ source, model, at, tokens, nano: paid, fees }) => {
      const key = `${source}\n${model}`;
      const row = rows.get(key) ?? this.#makeRow(source, model, targets);
      rows.set(key, row);
      const cost = row.to === model ? null : other.cost(row.to, "", at, tokens);
      const nano = cost === null ? paid : cost.nano === null || fees === null ? null : cost.nano + fees;
      const both = paid !== null && nano !== null;
      addEntry(row.totals, { tokens }, both ? paid : null);
      if (both) row.whatIf += nano;
      if (cost !== null) for (const note of cost.notes) row.notes.add(note);
      if (row.context !== null && readPrompt(tokens) > row.context) row.tooLong += 1;
    };
  }

  #makeRow(source: Source, model: string, targets: Targets): Row {
    const to = targets(model);
    const context = to === model ? null : this.#deps.prices.contextLength(to);
    return { source, model, to, context, totals: emptyTotals(), whatIf: 0, tooLong: 0, notes: new Set() };
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

function getView({ source, model, to, totals, whatIf, tooLong, notes }: Row): WhatIfRow {
  const { requests, input_tokens, cached_input_tokens, output_tokens, nano, unpriced_requests } = totals;
  const tokens = { input_tokens, cached_input_tokens, output_tokens };
  const money = { nano, what_if_nano: whatIf, unpriced_requests };
  return { source, model, to, requests, ...tokens, ...money, notes: [...notes].toSorted(), too_long: tooLong };
}
