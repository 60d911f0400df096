import type { Timeouts } from "../../upstream/transfer.ts";
import type { AppSettings } from "../settings.ts";

const SECOND_MS = 1_000;
/** Max milliseconds until a non-streamed response starts, if the user sets no total timeout. */
const WHOLE_MS = 600_000;

/** How long providers may take, as the owner sets it. */
export class TimeLimits {
  readonly #settings: Pick<AppSettings, "get" | "stored">;
  /** Cached until the settings change, because each call reads it. */
  #made: { readonly by: unknown; readonly stream: Timeouts; readonly whole: Timeouts } | null = null;

  constructor(settings: Pick<AppSettings, "get" | "stored">) {
    this.#settings = settings;
  }

  get connectMs(): number {
    return this.#settings.get("connect_timeout_s") * SECOND_MS;
  }

  /** @param isStreamed whether the response is a stream: another one begins when it is whole */
  of(isStreamed: boolean): Timeouts {
    const settings = this.#settings;
    if (this.#made === null || this.#made.by !== settings.stored) {
      const seconds = settings.get("call_timeout_s");
      const call = seconds === null ? undefined : seconds * SECOND_MS;
      const gap = settings.get("silence_timeout_s") * SECOND_MS;
      const head = settings.get("first_byte_timeout_s") * SECOND_MS;
      this.#made = {
        by: settings.stored,
        stream: { head, gap, call, headLimit: "first_byte" },
        whole: { head: call ?? WHOLE_MS, gap, call, headLimit: "call" },
      };
    }
    return isStreamed ? this.#made.stream : this.#made.whole;
  }
}
