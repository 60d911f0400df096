import type { HistoryTotals } from "../../contract/history.ts";
import { addNano } from "../../lib/money.ts";

/** Sums that grow. Tokens are in the classes of HISTORY_UNITS. */
export class HistorySums {
  requests = 0;
  subagents = 0;
  unpriced = 0;
  nano = 0;
  readonly tokens: [number, number, number, number, number, number] = [0, 0, 0, 0, 0, 0];

  /** @param place of the first figure @param nano null: no price is known */
  add(tokens: ArrayLike<number>, place: number, nano: number | null, subagent: boolean): void {
    this.requests += 1;
    if (subagent) this.subagents += 1;
    if (nano === null) this.unpriced += 1;
    else this.nano = addNano(this.nano, nano);
    for (let unit = 0; unit < this.tokens.length; unit += 1)
      this.tokens[unit] = (this.tokens[unit] as number) + (tokens[place + unit] as number);
  }

  /** All tokens, in and out. */
  get size(): number {
    return this.tokens.reduce((sum, count) => sum + count, 0);
  }

  get totals(): HistoryTotals {
    const [input, cached, write, writeHour, output, reasoning] = this.tokens;
    return {
      requests: this.requests,
      subagent_requests: this.subagents,
      input_tokens: input + cached + write + writeHour,
      cached_input_tokens: cached,
      cache_write_tokens: write + writeHour,
      output_tokens: output + reasoning,
      reasoning_tokens: reasoning,
      nano: this.nano,
      unpriced_requests: this.unpriced,
    };
  }
}

/** Returns the growth of some sums between two looks. Copies that turn out to be others' can reduce a sum again. */
export function grownBy(after: HistoryTotals, before: HistoryTotals): HistoryTotals {
  const less = (name: keyof HistoryTotals): number => Math.max(0, after[name] - before[name]);
  return {
    requests: less("requests"),
    subagent_requests: less("subagent_requests"),
    input_tokens: less("input_tokens"),
    cached_input_tokens: less("cached_input_tokens"),
    cache_write_tokens: less("cache_write_tokens"),
    output_tokens: less("output_tokens"),
    reasoning_tokens: less("reasoning_tokens"),
    nano: less("nano"),
    unpriced_requests: less("unpriced_requests"),
  };
}
