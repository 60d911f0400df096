import type { GatewayEvent } from "../../contract/events.ts";
import type { Events } from "../../services/events.ts";
import type { HttpReply } from "../http-reply.ts";

const HEARTBEAT_MS = 15_000;
/** Events are sent in batches, so that a page costs the same at ten requests a second and at ten thousand. */
const BATCH_MS = 100;
/** The longest pause between two batches. */
const LONGEST_BATCH_MS = 1_000;
/** Max receipts per batch, the newest: users cannot read faster. */
const RECEIPTS_PER_BATCH = 20;
/** Max buffered bytes; a page that does not read is disconnected, and refetches everything when it reconnects. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/** Sends events to a page until it disconnects. @param onBeat called at each heartbeat */
export function streamEvents(events: Events, reply: HttpReply, onBeat: () => void): Promise<void> {
  return new Promise((resolve) => {
    let batch: GatewayEvent[] = [];
    let wait = BATCH_MS;
    let timer: NodeJS.Timeout | null = null;
    reply.open({ "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" });
    reply.write(": connected\n\n");
    const flush = (): void => {
      timer = null;
      wait = waitAfter(batch);
      const frames = newest(batch).map((event) => `data: ${JSON.stringify(event)}\n\n`);
      batch = [];
      reply.write(frames.join(""));
      if (reply.bufferedBytes > MAX_BUFFERED_BYTES) reply.destroy();
    };
    const unsubscribe = events.subscribe((event) => {
      batch.push(event);
      timer ??= setTimeout(flush, wait);
    });
    const beat = setInterval(() => {
      reply.write(": keep-alive\n\n");
      onBeat();
    }, HEARTBEAT_MS);
    reply.onCancelled(() => {
      if (timer !== null) clearTimeout(timer);
      clearInterval(beat);
      unsubscribe();
      resolve();
    });
  });
}

/**
 * Returns how long the next batch is collected, ms. On average at most 20 receipts per second are sent, because
 * rendering each as a row takes CPU time from calls on a small machine.
 */
export function waitAfter(batch: readonly GatewayEvent[]): number {
  const receipts = batch.filter((event) => event.type === "request.settled").length;
  return Math.min(LONGEST_BATCH_MS, Math.max(BATCH_MS, receipts * (LONGEST_BATCH_MS / RECEIPTS_PER_BATCH)));
}

/** The newest receipts, and of each thing that changed its newest change, in the order of these. */
export function newest(batch: readonly GatewayEvent[]): GatewayEvent[] {
  const receipts = batch.filter((event) => event.type === "request.settled").slice(-RECEIPTS_PER_BATCH);
  const changes = new Map<string, GatewayEvent>();
  for (const event of batch) {
    if (event.type === "request.settled") continue;
    const subject = getSubject(event);
    changes.delete(subject);
    changes.set(subject, event);
  }
  return [...receipts, ...changes.values()];
}

/** Two tasks that change at once are two changes; the newest figures make the earlier ones moot. */
function getSubject(event: Exclude<GatewayEvent, { type: "request.settled" }>): string {
  switch (event.type) {
    case "task.changed":
      return `task ${event.task.id}`;
    case "mcp.called":
      return `call ${event.call.id}`;
    default:
      return event.type;
  }
}
