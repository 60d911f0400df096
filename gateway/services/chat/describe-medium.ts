import { createDescriptionRequest } from "../../core/chat/description-prompt.ts";
import type { UnseenMedium } from "../../core/chat/unseen-media.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Identity } from "../../core/sessions/identity.ts";
import type { Clock } from "../../lib/clock.ts";
import { newRequestId } from "../../lib/ids.ts";
import { isRecord } from "../../lib/records.ts";
import type { Admission } from "../calls/admission.ts";
import { ClientCancelled } from "../calls/attempts.ts";
import type { Recipient } from "../calls/client.ts";
import { LocalRecipient } from "../calls/local-recipient.ts";
import { isSandbox } from "../calls/paid-call.ts";
import type { CallInput } from "../calls/paid-call.ts";
import { withinRequest } from "../keys/key-ring.ts";
import type { RingKey } from "../keys/key-ring.ts";
import type { ServedModel } from "../models/served-model.ts";
import type { ChatResponse } from "./chat-plan.ts";

/** Client name in its receipts. */
const CLIENT = "postern-pictures";
/** Max characters of a description that are kept. */
const LONGEST = 32_000;

/** A request of the chat dialect. */
export interface DescribingCall extends CallInput {
  readonly raw: Buffer;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

export interface DescribeDeps {
  /** Makes a conversation in the chat dialect, along no route, and describes nothing in it. */
  readonly converse: (call: DescribingCall, to: Recipient) => Promise<ChatResponse | null>;
  readonly admission: Pick<Admission, "isMetered">;
  readonly clock: Clock;
}

/** The key and session that a description is made for. */
export interface Asker {
  readonly key: RingKey;
  readonly identity?: Identity | undefined;
}

/** A medium as text, or the reason for its absence. */
export type Described = { readonly text: string } | { readonly reason: string };

/** Asks a model to describe a picture or a file: a separate chat call with its own hold and receipt. */
export class DescribeMedium {
  readonly #deps: DescribeDeps;

  constructor(deps: DescribeDeps) {
    this.#deps = deps;
  }

  /** Whether a limit of money applies. */
  isMetered(by: ServedModel, { key, identity }: Asker): boolean {
    const project = identity?.project ?? undefined;
    return this.#deps.admission.isMetered(key, isSandbox(by), { client: CLIENT, project });
  }

  /**
   * @param url of the medium
   * @throws GatewayError insufficient_quota where the key has not the money for it; ClientCancelled once `signal` is aborted
   */
  async run(by: ServedModel, medium: UnseenMedium, url: string, asker: Asker, signal: AbortSignal): Promise<Described> {
    const { spec, discovered, id } = by;
    const longest = spec?.maxOutput ?? discovered?.max_output ?? Infinity;
    const body = createDescriptionRequest(id, medium, url, this.isMetered(by, asker) ? longest : null);
    const caller = new LocalRecipient(signal);
    let isSent = false;
    try {
      const response = await this.#deps.converse(
        {
          requestId: newRequestId(),
          arrivedAt: this.#deps.clock.monotonic(),
          // It is a part of the request that it is for, which counts for the rate of the key.
          key: withinRequest(asker.key),
          app: CLIENT,
          identity: asker.identity,
          raw: Buffer.from(JSON.stringify(body)),
          body,
          headers: {},
          note: () => undefined,
          noteProvider: () => {
            isSent = true;
          },
        },
        caller,
      );
      if (response === null) throw new ClientCancelled();
      const text = "document" in response ? getText(response.document).slice(0, LONGEST).trim() : "";
      return text === "" ? { reason: "its response had no words." } : { text };
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      // The key's own money, or the month's: a provider's empty account is a failure like others.
      if (error.code === "insufficient_quota" && !isSent) throw error;
      return { reason: error.message };
    } finally {
      caller.release();
    }
  }
}

/** Returns the text of a chat completion, given as a string or as parts. */
function getText({ choices }: Readonly<Record<string, unknown>>): string {
  const first: unknown = Array.isArray(choices) ? choices[0] : null;
  const message = isRecord(first) ? first["message"] : null;
  const content = isRecord(message) ? message["content"] : null;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isRecord(part) && typeof part["text"] === "string" ? part["text"] : "")).join("");
}
