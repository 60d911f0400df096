import type { Receipt } from "../../contract/receipt.ts";
import { identityFrom, selectSentFields } from "../../core/sessions/identity.ts";
import type { Clock } from "../../lib/clock.ts";
import type { OpenBill, Store } from "../../store/store.ts";
import type { Events } from "../events.ts";
import type { Notices } from "../notices.ts";

/** Open bill of calls from an earlier version, which did not record their cost. */
const NOT_NOTED: OpenBill = { terms: [], nano: null, price: null };

export interface SettleUnfinishedDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly notices: Notices;
  readonly events: Events;
}

/**
 * Calls that were under way when Postern was killed: whether their providers finished and billed them is not known, so
 * they are listed as unknown and booked with the estimate that was noted for this case.
 */
export class SettleUnfinished {
  readonly #deps: SettleUnfinishedDeps;

  constructor(deps: SettleUnfinishedDeps) {
    this.#deps = deps;
  }

  settle(): void {
    const { store, clock, notices, events } = this.#deps;
    for (const call of store.unfinished) {
      const receipt: Receipt = {
        id: call.id,
        at: clock.now(),
        key: call.key,
        endpoint: call.endpoint,
        model: call.model,
        provider: call.provider,
        connection: call.connection,
        client: call.client,
        status: 0,
        code: "unknown_outcome",
        outcome: "unknown",
        stream: call.stream,
        ms: 0,
        first_ms: null,
        sandbox: call.sandbox,
        ...(call.bill ?? NOT_NOTED),
        estimated: true,
        ...(call.kinds !== undefined && { kinds: call.kinds }),
        ...(call.route !== undefined && { route: call.route }),
        ...selectSentFields(identityFrom(call)),
      };
      void store.usage.settle(receipt);
      if (events.hears("request.settled")) events.emit({ type: "request.settled", receipt });
    }
    const count = store.unfinished.filter((call) => !call.sandbox).length;
    if (count > 0) {
      notices.add(
        "info",
        `${count === 1 ? "One call was" : `${count} calls were`} under way when Postern was stopped hard. Your provider may have billed ${count === 1 ? "it" : "them"}; here ${count === 1 ? "it is listed as unknown and counts with an estimate" : "they are listed as unknown and count with estimates"}.`,
      );
    }
  }
}
