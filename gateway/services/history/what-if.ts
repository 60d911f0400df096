import type { CheckedInput } from "../../contract/control.ts";
import type { WhatIf as WhatIfView, WhatIfNote, WhatIfRow } from "../../contract/history.ts";
import { GatewayError } from "../../core/errors.ts";
import { EntryPricer } from "../../core/history/entry-pricer.ts";
import { HISTORY_UNITS, readPrompt } from "../../core/history/history-entry.ts";
import type { HistoryTokens } from "../../core/history/history-entry.ts";
import { HistorySums } from "../../core/history/history-sums.ts";
import { tokenizerRelation } from "../../core/history/tokenizers.ts";
import type { Clock } from "../../lib/clock.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import { Slices } from "../../lib/slices.ts";
import type { Store } from "../../store/store.ts";
import type { ImportedUsage } from "../../store/history/imported-usage.ts";
import type { HistoryPrices } from "./history-prices.ts";
import { historyPeriod } from "./query-history.ts";

/** Questions whose sums are kept: a page asks for some models, one after the other. */
const MOST_KEPT = 16;
/** Endpoints of conversations. Pictures, speech and films are sold by other units. */
const CONVERSATIONS: ReadonlySet<string> = new Set(["chat", "messages", "responses"]);

export interface WhatIfDeps {
  readonly store: Pick<Store, "usage">;
  readonly imported: Pick<ImportedUsage, "view" | "pass">;
  readonly prices: HistoryPrices;
  readonly clock: Clock;
}

type Of = WhatIfRow["of"];
/** Which model stands in for which. */
type Targets = (model: string) => string;

/** A response from a receipt or a log. */
interface Used {
  readonly of: Of;
  readonly model: string;
  readonly at: number;
  readonly tokens: HistoryTokens;
  /** 10⁻⁹ USD; null without a price. */
  readonly nano: number | null;
  /** Part of `nano` that does not depend on the model's tokens; null if other units than tokens were used. */
  readonly fees: number | null;
}

interface Row {
  /** Key of what its sums depend on besides usage: with another one they are computed again. */
  readonly hangsOn: string;
  readonly of: Of;
  readonly model: string;
  readonly to: string;
  readonly context: number | null;
  readonly sums: HistorySums;
  whatIf: number;
  tooLong: number;
  readonly notes: Set<WhatIfNote>;
}

/** Columns read of each receipt, in the order of rows. */
const PASSED = [...(["n", "at", "endpoint", "model", "sandbox", "nano", "fees"] as const), ...HISTORY_UNITS];
type PassedRow = [number, number, string, string, number, number | null, number | null, ...HistoryTokens];

/** Sums of a time's receipts, and how far the log was read for them. */
interface Kept {
  readonly rows: Map<string, Row>;
  /** Number of the last receipt in it. */
  upTo: number;
}

/** Estimates the cost of a time if other models had used the same tokens. */
export class WhatIf {
  readonly #deps: WhatIfDeps;
  /** Results by question: repeating a question reads only newer receipts. */
  readonly #kept = new BoundedMap<string, Kept | null>(MOST_KEPT);

  constructor(deps: WhatIfDeps) {
    this.#deps = deps;
  }

  /** @throws GatewayError invalid_value, model_not_found */
  async ask(input: CheckedInput<"whatIf">): Promise<WhatIfView> {
    const { imported, clock, store } = this.#deps;
    const targets = this.#targets(input);
    const of = input.of ?? "both";
    const { first } = await imported.view();
    const now = clock.now();
    const oldest = Math.min(
      of === "receipts" ? now : (first ?? now),
      of === "imported" ? now : ((await store.usage.oldest()) ?? now),
    );
    const { since, until, from, to } = historyPeriod(input, oldest, now);
    const rows = new Map<string, Row>();
    if (of !== "receipts") await this.#passImported(from, to, this.#adder(rows, targets));
    const receipts = of === "imported" ? null : await this.#receipts(input, from, to, targets);
    const complete = receipts?.complete ?? true;
    const all = [...rows.values(), ...(receipts?.rows ?? [])];
    const listed = all.map(getView).toSorted((a, b) => b.nano - a.nano || b.requests - a.requests);
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
    const byName = new Map(Object.entries(models));
    return (model) => byName.get(model) ?? byName.get(prices.identity(model)?.id ?? "") ?? to ?? model;
  }

  async #passImported(from: number, to: number, add: (used: Used) => void): Promise<void> {
    const { imported, prices, clock } = this.#deps;
    const pricer = new EntryPricer(prices, true);
    const slices = new Slices(clock);
    for await (const entries of imported.pass(from, to)) {
      for (const { model, served, at, tokens } of entries)
        add({ of: "imported", model, at, tokens, nano: pricer.cost(model, served, at, tokens).nano, fees: 0 });
      if (slices.over) await slices.pause();
    }
  }

  /** Returns the sums of receipts, and whether all of them were read. */
  async #receipts(
    { to: target, models }: CheckedInput<"whatIf">,
    since: number,
    until: number,
    targets: Targets,
  ): Promise<{ readonly rows: Iterable<Row>; readonly complete: boolean }> {
    const question = JSON.stringify([since, until, target, models]);
    const known = this.#kept.get(question) ?? null;
    const isGood =
      known !== null && [...known.rows.values()].every((row) => row.hangsOn === this.#hangsOn(row.model, targets));
    const kept = isGood ? known : { rows: new Map<string, Row>(), upTo: -1 };
    // Nothing else adds to it meanwhile, and an incomplete result is not kept.
    this.#kept.set(question, null);
    const complete = await this.#passReceipts(since, until, kept, targets);
    if (complete) this.#kept.set(question, kept);
    return { rows: kept.rows.values(), complete };
  }

  async #passReceipts(since: number, until: number, kept: Kept, targets: Targets): Promise<boolean> {
    const { store, clock } = this.#deps;
    const add = this.#adder(kept.rows, targets);
    const slices = new Slices(clock);
    const { upTo } = kept;
    let complete = true;
    for await (const { rows, rebuilding } of store.usage.pass({ since, until }, PASSED, Math.max(0, upTo))) {
      complete = rebuilding === null;
      for (const row of rows) {
        const [n, at, endpoint, model, sandbox, nano, fees, ...tokens] = row as PassedRow;
        kept.upTo = Math.max(kept.upTo, n);
        if (sandbox === 1 || !CONVERSATIONS.has(endpoint)) continue;
        if (tokens.some((count) => count > 0)) add({ of: "receipts", model, at, tokens, nano, fees });
      }
      if (slices.over) await slices.pause();
    }
    return complete;
  }

  /** Adds to rows what was used, each to that of its model: of receipts, or of what was imported. */
  #adder(rows: Map<string, Row>, targets: Targets): (used: Used) => void {
    const { prices } = this.#deps;
    const other = new EntryPricer(prices, false);
    let last: Row | null = null;
    return (used) => {
      const { of, model } = used;
      const row =
        last?.model === model && last.of === of ? last : (rows.get(model) ?? this.#row(rows, of, model, targets));
      last = row;
      const cost = row.to === model ? null : other.cost(row.to, "", used.at, used.tokens);
      const nano = cost === null ? used.nano : cost.nano === null || used.fees === null ? null : cost.nano + used.fees;
      const both = used.nano !== null && nano !== null;
      row.sums.add(used.tokens, 0, both ? used.nano : null, false);
      if (both) row.whatIf += nano;
      if (cost !== null) for (const note of cost.notes) row.notes.add(note);
      if (row.context !== null && readPrompt(used.tokens) > row.context) row.tooLong += 1;
    };
  }

  #row(rows: Map<string, Row>, of: Of, model: string, targets: Targets): Row {
    const to = targets(model);
    const context = to === model ? null : this.#deps.prices.contextLength(to);
    const sums = { sums: new HistorySums(), whatIf: 0, tooLong: 0, notes: new Set<WhatIfNote>() };
    const row = { hangsOn: this.#hangsOn(model, targets), of, model, to, context, ...sums };
    rows.set(model, row);
    return row;
  }

  #hangsOn(model: string, targets: Targets): string {
    const { prices } = this.#deps;
    const to = targets(model);
    return to === model ? to : JSON.stringify([to, prices.price(to), prices.contextLength(to)]);
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

function getView({ of, model, to, sums, whatIf, tooLong, notes }: Row): WhatIfRow {
  const { requests, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, nano, unpriced_requests } =
    sums.totals;
  const tokens = { input_tokens, cached_input_tokens, cache_write_tokens, output_tokens };
  const money = { nano, what_if_nano: whatIf, unpriced_requests };
  return { of, model, to, requests, ...tokens, ...money, notes: [...notes].toSorted(), too_long: tooLong };
}
