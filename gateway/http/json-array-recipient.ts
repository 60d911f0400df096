import type { Recipient } from "../services/calls/client.ts";
import { HeaderRecipient } from "../services/search/header-recipient.ts";
import { FrameCutter, isBlank, splitFrames } from "../upstream/frames.ts";

const AS_JSON = { "content-type": "application/json; charset=UTF-8" } as const;

/** A stream of server-sent events as one JSON array, as Google streams without `alt=sse`: an item for each event. */
export class JsonArrayRecipient extends HeaderRecipient {
  readonly #to: Recipient;
  readonly #cutter = new FrameCutter();
  #hasItems = false;

  constructor(to: Recipient) {
    super(to, () => AS_JSON);
    this.#to = to;
  }

  override write(bytes: Buffer | string): boolean {
    const chunk = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
    // White space between items keeps the connection alive.
    if (this.#cutter.size === 0 && isBlank(chunk)) return this.#to.write(chunk);
    return this.#to.write(this.#writeItems(this.#cutter.push(chunk)));
  }

  override end(): Promise<void> {
    this.#to.write(this.#hasItems ? "]" : "[]");
    return this.#to.end();
  }

  #writeItems(events: Buffer | null): string {
    let text = "";
    for (const { data } of events === null ? [] : splitFrames(events.toString("utf8"))) {
      if (data === null) continue;
      text += this.#hasItems ? `,\r\n${data}` : `[${data}`;
      this.#hasItems = true;
    }
    return text;
  }
}
