import type { Clock } from "../../lib/clock.ts";
import type { Store } from "../../store/store.ts";
import type { Notices } from "../notices.ts";

/**
 * Calls that were under way when Postern was killed: whether the vendor finished and billed them is not known, so they
 * are neither charged nor forgotten, but listed as unknown.
 */
export class SettleUnfinished {
  readonly #deps: { store: Store; clock: Clock; notices: Notices };

  constructor(deps: { store: Store; clock: Clock; notices: Notices }) {
    this.#deps = deps;
  }

  settle(): void {
    const { store, clock, notices } = this.#deps;
    for (const call of store.unfinished) {
      void store.usage.settle({
        id: call.id,
        at: clock.now(),
        key: call.key,
        endpoint: call.endpoint,
        model: call.model,
        vendor: call.vendor,
        connection: call.connection,
        client: call.client,
        status: 0,
        code: "unknown_outcome",
        outcome: "unknown",
        stream: call.stream,
        ms: 0,
        first_ms: null,
        sandbox: call.sandbox,
        estimated: false,
        terms: [],
        nano: 0,
        price: null,
      });
    }
    const count = store.unfinished.filter((call) => !call.sandbox).length;
    if (count > 0) {
      notices.add(
        "info",
        `${count === 1 ? "One call was" : `${count} calls were`} under way when Postern was stopped hard. Your vendor may have billed ${count === 1 ? "it" : "them"}; here ${count === 1 ? "it is" : "they are"} listed as unknown and not charged.`,
      );
    }
  }
}
