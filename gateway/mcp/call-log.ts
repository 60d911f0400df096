import type { McpCall } from "../contract/mcp.ts";
import type { Receipt } from "../contract/receipt.ts";
import type { Clock } from "../lib/clock.ts";
import type { Events } from "../services/events.ts";

const MOST_CALLS = 200;

/** How a call of a tool began. */
export interface StartedCall {
  readonly id: string;
  readonly tool: string;
  readonly key: string;
  readonly app: string;
  readonly model: string | null;
  /** Whether the tool is free. */
  readonly free: boolean;
}

/** How it ended. */
export interface CallOver {
  readonly status: "done" | "failed" | "cancelled";
  readonly code: string | null;
  /** Null for calls without a provider, and for those that are settled later (videos). */
  readonly receipt: Receipt | null;
}

/** A call of a tool while it runs. */
export interface RunningCall {
  noteProgress(message: string): void;
  over(end: CallOver): void;
}

/** The newest calls of tools, for the pages: this run's only, because receipts are what lasts. */
export class CallLog {
  readonly #clock: Clock;
  readonly #events: Events;
  /** Oldest first. */
  readonly #calls = new Map<string, McpCall>();

  constructor(clock: Clock, events: Events) {
    this.#clock = clock;
    this.#events = events;
  }

  /** Newest first. */
  list(): McpCall[] {
    return [...this.#calls.values()].toReversed();
  }

  begin({ app, free, ...started }: StartedCall): RunningCall {
    const from = this.#clock.monotonic();
    let call: McpCall = {
      ...started,
      at: this.#clock.now(),
      client: app,
      status: "running",
      code: null,
      ms: null,
      nano: null,
      sandbox: false,
      progress: null,
    };
    const show = (change: Partial<McpCall>): void => {
      call = { ...call, ...change };
      // A call that was pushed out of the list stays out.
      if (!this.#calls.has(call.id)) return;
      this.#calls.set(call.id, call);
      this.#tell(call);
    };
    this.#add(call);
    return {
      noteProgress: (message) => show({ progress: message }),
      over: ({ status, code, receipt }) =>
        show({
          status,
          code,
          ms: Math.round((this.#clock.monotonic() - from) * 10) / 10,
          nano: receipt === null ? (free || status !== "done" ? 0 : null) : receipt.nano,
          sandbox: receipt?.sandbox ?? false,
        }),
    };
  }

  #add(call: McpCall): void {
    const [oldest] = this.#calls.keys();
    if (this.#calls.size >= MOST_CALLS && oldest !== undefined) this.#calls.delete(oldest);
    this.#calls.set(call.id, call);
    this.#tell(call);
  }

  #tell(call: McpCall): void {
    if (this.#events.hears("mcp.called")) this.#events.emit({ type: "mcp.called", call });
  }
}
