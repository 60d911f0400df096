import type { Units } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import { NOTHING_CARRIED, joinThinking } from "../carried-thinking.ts";
import type { CarriedThinking } from "../carried-thinking.ts";
import { readFinish } from "../finish.ts";
import { findCalled } from "../messages-to-chat/called.ts";
import type { Called } from "../messages-to-chat/called.ts";
import { readMessage } from "../messages-to-chat/spoken.ts";
import type { Document, StreamTranslation } from "../translation.ts";
import { firstChoice, findLogprobs } from "./whole-response.ts";
import { ItemEvents } from "./item-events.ts";
import { keepResponse, type ResponsesContext } from "./item-memory.ts";
import { CallIds, callPiece, isWhole, readItemId, type Piece } from "./pieces.ts";
import type { ChatRequest } from "./request.ts";
import { readEnding, writeEnding, readEnvelope, readUsage } from "./response.ts";

/** The provider's output for one item so far. */
interface Strand {
  readonly kind: Piece["kind"];
  /** Text that the client has not received yet. */
  text: string;
  logprobs: readonly unknown[];
  /** The provider's own data of reasoning, which must return to it. */
  carried: CarriedThinking;
  /** Complete input of a call. */
  input: string;
  /** The provider's index and names of a call. */
  readonly index: number;
  id: string | null;
  name: string | null;
  signature: string | null;
  /** Null until the client has received its start. */
  events: ItemEvents | null;
}

/**
 * Translates chat chunks to the events of a response. Items are sent sequentially, as at OpenAI: while one is open,
 * content of the next waits, unless the open one is complete. It usually is: a text when another item starts, a call
 * when its arguments are complete JSON.
 */
export class ResponseStream implements StreamTranslation {
  readonly #request: Document;
  readonly #chat: ChatRequest;
  readonly #context: ResponsesContext;
  readonly #envelope: Document;
  readonly #callIds: CallIds;
  /** Strands that are not yet complete towards the client, in order. */
  readonly #strands: Strand[] = [];
  /** All calls. */
  readonly #calls: Strand[] = [];
  readonly #callsByIndex = new Map<number, Strand>();
  readonly #output: Document[] = [];
  #sequence = 0;
  #finish: Document = {};
  #events: Document[] = [];

  constructor(request: Document, chat: ChatRequest, context: ResponsesContext) {
    this.#request = request;
    this.#chat = chat;
    this.#context = context;
    this.#envelope = readEnvelope(request, context);
    this.#callIds = new CallIds(context.newId);
  }

  event(data: Document): readonly Document[] {
    this.#begin();
    const choice = firstChoice(data);
    // A server without streaming may send one chunk with the whole message.
    const message = choice["delta"] ?? choice["message"];
    const delta = isRecord(message) ? message : {};
    const { thinking, carried, text, refusal } = readMessage(delta);
    if (thinking !== "" || carried !== NOTHING_CARRIED) this.#think(thinking, carried);
    this.#say("text", text, findLogprobs(choice["logprobs"]));
    this.#say("refusal", refusal, []);
    for (const called of findCalled(delta)) this.#call(called);
    if (readFinish(choice) !== null) this.#finish = choice;
    this.#advance();
    return this.#takeEvents();
  }

  end(units: Units): readonly Document[] {
    this.#begin();
    const ending = readEnding(this.#finish);
    while (this.#strands.length > 0) this.#close(this.#strands.length === 1 ? ending.status : "completed");
    const end = writeEnding(ending, this.#context);
    const response = { ...this.#envelope, ...end, output: this.#output, usage: readUsage(units) };
    keepResponse(response, this.#request, this.#context);
    this.#emit({ type: `response.${ending.status}`, response });
    return this.#takeEvents();
  }

  #begin(): void {
    if (this.#sequence > 0) return;
    this.#emit({ type: "response.created", response: this.#envelope });
    this.#emit({ type: "response.in_progress", response: this.#envelope });
  }

  #think(text: string, carried: CarriedThinking): void {
    const strand = this.#readStrand("reasoning");
    strand.text += text;
    if (carried !== NOTHING_CARRIED) strand.carried = joinThinking(strand.carried, carried);
  }

  #say(kind: "text" | "refusal", text: string, logprobs: readonly unknown[]): void {
    if (text === "") return;
    const strand = this.#readStrand(kind);
    strand.text += text;
    strand.logprobs = strand.logprobs.length === 0 ? logprobs : [...strand.logprobs, ...logprobs];
  }

  #readStrand(kind: "reasoning" | "text" | "refusal"): Strand {
    const last = this.#strands.at(-1);
    if (last?.kind === kind) return last;
    const strand = newStrand(kind, -1);
    this.#strands.push(strand);
    return strand;
  }

  #call(called: Called): void {
    const strand = this.#readCall(called);
    strand.id ??= called.id;
    strand.signature ??= called.signature;
    strand.name ??= called.name;
    strand.text += called.arguments;
    strand.input += called.arguments;
  }

  /**
   * Finds the call of a delta. Continuations have the index, and an id that is missing, empty or repeated. Some
   * providers number several complete calls 0, or not at all: a name starts a new call if the id differs, or if the
   * call of that index is complete.
   */
  #readCall({ index, id, name }: Called): Strand {
    const known = index === null ? this.#calls.at(-1) : this.#callsByIndex.get(index);
    if (known !== undefined && !(name !== null && isAnother(known, id))) return known;
    const strand = newStrand("call", index ?? this.#calls.length);
    this.#calls.push(strand);
    this.#callsByIndex.set(strand.index, strand);
    this.#strands.push(strand);
    return strand;
  }

  /** Emits all events that are ready for the client. */
  #advance(): void {
    for (let strand = this.#strands[0]; strand !== undefined; strand = this.#strands[0]) {
      if (isNameless(strand)) return;
      this.#tell(strand);
      if (this.#strands.length === 1 || (strand.kind === "call" && !isWhole(strand.input))) return;
      this.#close("completed");
    }
  }

  #tell(strand: Strand): ItemEvents {
    if (strand.events === null) {
      const piece = this.#readPiece(strand, strand.kind === "call" ? this.#callIds.readId(strand) : "");
      const id = readItemId(piece, this.#context.newId);
      strand.events = new ItemEvents(piece, id, this.#output.length);
      for (const event of strand.events.open()) this.#emit(event);
    }
    for (const event of strand.events.grow(strand.text, strand.logprobs)) this.#emit(event);
    strand.text = "";
    strand.logprobs = [];
    return strand.events;
  }

  #readPiece(strand: Strand, callId: string): Piece {
    switch (strand.kind) {
      case "call":
        return callPiece(this.#chat.toolIndex, strand.name ?? "", "", callId);
      case "text":
        return { kind: "text", text: "", logprobs: [] };
      case "reasoning":
        return { kind: "reasoning", text: "", carried: {} };
      case "refusal":
        return { kind: "refusal", text: "" };
    }
  }

  #close(status: "completed" | "incomplete"): void {
    const strand = this.#strands.shift();
    // No client can run a call without a name.
    if (strand === undefined || isNameless(strand)) return;
    const events = this.#tell(strand);
    events.sign(strand.carried);
    for (const event of events.close(status)) this.#emit(event);
    this.#output.push(events.item(status));
  }

  #emit(event: Document): void {
    this.#events.push({ ...event, sequence_number: this.#sequence });
    this.#sequence += 1;
  }

  #takeEvents(): readonly Document[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

function isNameless({ kind, name }: Strand): boolean {
  return kind === "call" && name === null;
}

function isAnother(known: Strand, id: string | null): boolean {
  return id !== null && known.id !== null ? known.id !== id : isWhole(known.input);
}

function newStrand(kind: Piece["kind"], index: number): Strand {
  return {
    kind,
    text: "",
    logprobs: [],
    carried: {},
    input: "",
    index,
    id: null,
    name: null,
    signature: null,
    events: null,
  };
}
