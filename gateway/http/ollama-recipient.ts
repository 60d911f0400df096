import type { OllamaStream } from "../codecs/ollama-to-chat/response.ts";
import type { Document } from "../codecs/translation.ts";
import type { GatewayError } from "../core/errors.ts";
import { errorBody } from "../core/errors.ts";
import type { Recipient } from "../services/calls/client.ts";
import { chatDialect } from "../services/chat/dialects/chat.ts";
import type { Dialect } from "../services/chat/dialect.ts";
import { HeaderRecipient } from "../services/search/header-recipient.ts";

const AS_LINES = { "content-type": "application/x-ndjson" } as const;

/** White space before a line's JSON: Ollama's Python client fails at an empty line (ollama 0.6.3, `_client.py`, 2026-11-30). */
const SILENCE = " ";

/**
 * A chat stream as lines of Ollama's. Its chunks come as objects (`take`); the text that is written for the chat client
 * is only the signal to send them.
 */
export class OllamaRecipient extends HeaderRecipient {
  readonly #to: Recipient;
  readonly #stream: OllamaStream;
  readonly #spoken: Dialect;
  #lines = "";
  #hasFailed = false;

  /** @param spoken the chat dialect, or that of completions */
  constructor(to: Recipient, stream: OllamaStream, spoken: Dialect) {
    super(to, () => AS_LINES);
    this.#to = to;
    this.#stream = stream;
    this.#spoken = spoken;
  }

  /** The dialect in which the request runs, whose errors within a stream end it with Ollama's line. */
  get dialect(): Dialect {
    return {
      ...this.#spoken,
      inBand: (error: GatewayError, requestId: string): string => {
        this.#add([errorBody(error, "ollama", requestId)]);
        this.#hasFailed = true;
        return chatDialect.inBand(error, requestId);
      },
    };
  }

  take(chunk: Document): void {
    this.#add(this.#stream.read(chunk));
  }

  override write(bytes: Buffer | string): boolean {
    const lines = bytes === chatDialect.heartbeat ? SILENCE : this.#lines;
    if (lines === this.#lines) this.#lines = "";
    return this.#to.write(lines);
  }

  override end(): Promise<void> {
    if (!this.#hasFailed) this.#add(this.#stream.end());
    if (this.#lines !== "") this.#to.write(this.#lines);
    return this.#to.end();
  }

  #add(documents: readonly object[]): void {
    for (const document of documents) this.#lines += `${JSON.stringify(document)}\n`;
  }
}
