import type { GatewayError } from "../../core/errors.ts";
import type { PromptDialect } from "../../core/chat/unseen-media.ts";
import type { Units } from "../../core/models/model.ts";
import type { ReportedBill } from "../../core/money/reported-bill.ts";
import type { StreamObserver } from "../calls/stream-reader.ts";
import type { Document } from "../../codecs/translation.ts";
import type { MapPiece } from "../../lib/records.ts";

/** The dialects of conversation. */
export type DialectName = RequestForm | "gemini" | "completions";

/** The dialects in whose forms requests are read: for limits, rules, sessions and media. */
export type RequestForm = PromptDialect;

/** A dialect of conversation: how its requests are checked, and what its responses and streams look like. */
export interface Dialect {
  /** Also the endpoint of receipts. */
  readonly name: DialectName;
  /** Form in which its requests are read. */
  readonly form: RequestForm;
  /** Converts a checked request to that form; absent if it already has it. */
  toForm?(body: Document): Document;
  /** Envelope of its errors. */
  readonly family: "nested" | "anthropic" | "google";
  /** Name in errors, as in "… is not {responseName}". */
  readonly responseName: string;
  /** @throws GatewayError naming the first field that is wrong (400). */
  check(body: unknown): Document & { readonly model: string };
  isResponse(response: unknown): response is Document;
  /** Returns the `usage` of a complete response. */
  getUsage(response: Document): unknown;
  /** Returns the billing facts of a complete response. */
  readBill(response: Document): ReportedBill;
  /** Returns all text of a complete response, for counting if the provider reports no usage. */
  getText(response: Document): string;
  observer(toUnits: (usage: unknown) => Units | null): StreamObserver;
  /**
   * Maps each piece of text in the events of a stream.
   * @param map receives the run of text that the piece continues.
   * @returns a function from an event to the mapped one; the same object if no piece changes.
   */
  mapText(map: MapPiece): (event: Document) => Document;
  /** Formats one event of a stream, with its blank line. */
  frame(data: Document): string;
  /** End mark after the last event. */
  readonly endMark: string;
  /** Closing event, sent if the provider reported the end without it. */
  readonly closing: string;
  /** Sent while the provider is silent, so that the connection does not time out. Clients skip it. */
  readonly heartbeat: string;
  /** An error to a client whose status was sent already. */
  inBand(error: GatewayError, requestId: string): string;
}
