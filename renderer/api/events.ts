import { createParser } from "eventsource-parser";
import { CONTROL_EVENTS_PATH } from "../../gateway/contract/control-paths.ts";
import type { GatewayEvent } from "../../gateway/contract/events.ts";

export interface EventStreamOptions {
  bearer(): string | null;
  onEvent(event: GatewayEvent): void;
  /** `true` when a stream is connected (again), `false` when it broke. Called on changes only. */
  onConnection(connected: boolean): void;
  /** The bearer was refused: the stream has ended for good. */
  onUnauthorized(): void;
  readonly signal: AbortSignal;
  fetch?: typeof fetch;
  /** Waits between two tries; ends early when the signal aborts. */
  pause?(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** The gateway sends a comment every 15 s; three missing ones mean that it is unreachable. */
const SILENCE_MS = 45_000;

/** Reads the gateway's events until `signal` aborts; reconnects with backoff when the stream breaks. */
export async function followEvents(options: EventStreamOptions): Promise<void> {
  let failures = 0;
  let connected: boolean | undefined;
  const report = (next: boolean): void => {
    if (connected !== next) options.onConnection(next);
    connected = next;
  };
  while (!options.signal.aborted) {
    try {
      const refused = await readStream(options, () => {
        failures = 0;
        report(true);
      });
      if (refused) return options.onUnauthorized();
    } catch {
      // All broken streams are handled alike: report, wait, reconnect.
    }
    if (options.signal.aborted) return;
    report(false);
    await (options.pause ?? pause)(waitBefore(failures, Math.random), options.signal);
    failures += 1;
  }
}

/** Milliseconds before try number `failures + 1`: doubling, capped, with up to half of it random. */
export function waitBefore(failures: number, random: () => number): number {
  const full = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
  return full / 2 + (full / 2) * random();
}

/** Reads a connection. Resolves `true` when the bearer was refused, `false` when the stream ended; throws when it broke. */
async function readStream(options: EventStreamOptions, onOpen: () => void): Promise<boolean> {
  const silence = new AbortController();
  const signal = AbortSignal.any([options.signal, silence.signal]);
  let alarm = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await (options.fetch ?? fetch)(CONTROL_EVENTS_PATH, {
      headers: { accept: "text/event-stream", authorization: `Bearer ${options.bearer() ?? ""}` },
      cache: "no-store",
      signal,
    });
    if (response.status === 401) return true;
    if (!response.ok || response.body === null) return false;
    onOpen();
    const { getEvent: eventOf } = await import("./schemas.ts");
    const parser = createParser({ onEvent: ({ data }) => deliver(eventOf(getFrame(data)), options.onEvent) });
    const decoder = new TextDecoder();
    for await (const bytes of getChunks(response.body)) {
      clearTimeout(alarm);
      alarm = setTimeout(() => silence.abort(), SILENCE_MS);
      parser.feed(decoder.decode(bytes, { stream: true }));
    }
    return false;
  } finally {
    clearTimeout(alarm);
  }
}

async function* getChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    reader.releaseLock();
  }
}

/** An event of a newer gateway that these pages do not know is ignored. */
function deliver(event: GatewayEvent | null, onEvent: (event: GatewayEvent) => void): void {
  if (event !== null) onEvent(event);
}

function getFrame(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done);
  });
}
