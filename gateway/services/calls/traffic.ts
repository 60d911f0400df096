import type { Events } from "../events.ts";

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
