import type { RequestFilter, RunningPage, RunningRequest } from "../../contract/requests.ts";
import type { Events } from "../events.ts";
import { matchesRunning } from "../../contract/matches-request.ts";

/** More than anybody reads at once. */
const MOST = 200;

/** A call as the log of requests shows it while it runs. */
export interface RunningCall {
  running(): RunningRequest;
}

/**
 * The calls that were let in and are not settled. A call pays two steps in a set for it; what is shown of it is put
 * together only when somebody looks.
 */
export class RunningCalls {
  readonly #calls = new Set<RunningCall>();

  enter(call: RunningCall): void {
    this.#calls.add(call);
  }

  leave(call: RunningCall): void {
    this.#calls.delete(call);
  }

  /** The newest, and how many there are in all. */
  list(filter: Partial<RequestFilter>): RunningPage {
    const matching = [...this.#calls].map((call) => call.running()).filter((call) => matchesRunning(call, filter));
    return { data: matching.slice(-MOST).toReversed(), total: matching.length };
  }
}

const EVERY_MS = 500;

/** Tells how many calls are in flight, at most twice a second, the last figure always. */
export function trafficTicker(events: Events): (inFlight: number) => void {
  let latest = 0;
  let timer: NodeJS.Timeout | null = null;
  return (inFlight) => {
    latest = inFlight;
    if (timer !== null || events.idle) return;
    timer = setTimeout(() => {
      timer = null;
      events.emit({ type: "traffic.changed", in_flight: latest });
    }, EVERY_MS).unref();
  };
}
