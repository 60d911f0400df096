import type { Units } from "../../core/models/model.ts";
import type { Document, StreamTranslation } from "../translation.ts";
import { NOTHING_CARRIED, carry, joinThinking } from "../carried-thinking.ts";
import type { CarriedThinking } from "../carried-thinking.ts";
import { readFinish } from "../finish.ts";
import { createEmptyMessage, findFirstChoice } from "./response.ts";
import type { RequestFacts } from "./response.ts";
import { CallPieces } from "./call-pieces.ts";
import type { StreamedCall } from "./call-pieces.ts";
import { findCalled } from "./called.ts";
import type { Called } from "./called.ts";
import { readRecord } from "./fields.ts";
import { readMessage } from "./spoken.ts";
import { readStop } from "./stop.ts";
import { ToolUseIds } from "./tool-ids.ts";
import { NO_USAGE, buildMessagesUsage } from "./usage.ts";

/**
 * Writes the content blocks of a stream of Anthropic's: one open at a time, indexes from 0
 * (docs/providers/anthropic.md#streams).
 */
class BlockWriter {
  #index = -1;
  #open = false;

  /** Closes the previous block. @param block initial block, without content */
  open(block: Document, events: Document[]): void {
    this.close(events);
    this.#index += 1;
    this.#open = true;
    events.push({ type: "content_block_start", index: this.#index, content_block: block });
  }

  delta(delta: Document, events: Document[]): void {
    events.push({ type: "content_block_delta", index: this.#index, delta });
  }

  close(events: Document[]): void {
    if (!this.#open) return;
    this.#open = false;
    events.push({ type: "content_block_stop", index: this.#index });
  }
}

type Kind = "thinking" | "text";

/**
 * Translates a stream of chat chunks into Anthropic's events (docs/dialects.md#chat-stream-to-messages). Calls are sent
 * sequentially, although providers may interleave them: content of a later block waits until the open call is complete.
 */
export class MessagesStream implements StreamTranslation {
  readonly #request: RequestFacts;
  readonly #ids: ToolUseIds;
  readonly #blocks = new BlockWriter();
  readonly #pieces = new CallPieces();
  #hasStarted = false;
  /** The kind of the open block, if it is no call. */
  #openKind: Kind | null = null;
  /** The call whose block is open: its arguments are not complete. */
  #openCall: StreamedCall | null = null;
  /** How many calls had their turn. */
  #shownCalls = 0;
  #hasCalls = false;
  /** Text and thinking that arrived while a call was open. */
  #deferred: { readonly kind: Kind; readonly piece: string; readonly carried: CarriedThinking }[] = [];
  /** The fields that the provider wants back with the thought whose block is open. */
  #carried = NOTHING_CARRIED;
  #finish: Document = {};
  #refused = false;

  constructor(request: RequestFacts) {
    this.#request = request;
    this.#ids = new ToolUseIds(request.context);
  }

  event(chunk: Document): readonly Document[] {
    const events: Document[] = [];
    this.#begin(events);
    const choice = findFirstChoice(chunk);
    // A server without streaming may send one chunk with the whole message.
    const delta = readRecord(choice["delta"] ?? choice["message"]);
    const { thinking, carried, text, refusal } = readMessage(delta);
    if (thinking !== "" || carried !== NOTHING_CARRIED) this.#say("thinking", thinking, events, carried);
    if (text + refusal !== "") this.#say("text", text + refusal, events);
    for (const called of findCalled(delta)) this.#addToolCall(called, events);
    if (refusal !== "") this.#refused = true;
    if (readFinish(choice) !== null) this.#finish = choice;
    return events;
  }

  /** Usage comes after the finish reason, if at all, so the message is closed only here. */
  end(units: Units): readonly Document[] {
    const events: Document[] = [];
    this.#begin(events);
    this.#flushCalls(true, events);
    this.#close(events);
    const { stop_reason, stop_sequence } = readStop(this.#finish, this.#hasCalls, this.#request.stopSequences);
    const delta = { stop_reason: this.#refused ? "refusal" : stop_reason, stop_sequence };
    events.push({ type: "message_delta", delta, usage: buildMessagesUsage(units) }, { type: "message_stop" });
    return events;
  }

  #begin(events: Document[]): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    const message = { ...createEmptyMessage(this.#request.context), usage: NO_USAGE };
    events.push({ type: "message_start", message });
  }

  #say(kind: Kind, piece: string, events: Document[], carried = NOTHING_CARRIED): void {
    if (this.#openCall !== null) {
      this.#deferred.push({ kind, piece, carried });
      return;
    }
    const isText = kind === "text";
    if (this.#openKind !== kind) {
      this.#close(events);
      this.#blocks.open(
        isText ? { type: "text", text: "" } : { type: "thinking", thinking: "", signature: "" },
        events,
      );
      this.#openKind = kind;
    }
    if (carried !== NOTHING_CARRIED) this.#carried = joinThinking(this.#carried, carried);
    if (piece === "") return;
    const delta = isText ? { type: "text_delta", text: piece } : { type: "thinking_delta", thinking: piece };
    this.#blocks.delta(delta, events);
  }

  /** Closes the block that is open; a thought is signed with what its provider wants back. */
  #close(events: Document[]): void {
    const signature = this.#carried === NOTHING_CARRIED ? "" : carry(this.#carried);
    if (signature !== "") this.#blocks.delta({ type: "signature_delta", signature }, events);
    this.#carried = NOTHING_CARRIED;
    this.#blocks.close(events);
  }

  #addToolCall(called: Called, events: Document[]): void {
    const { call, sound } = this.#pieces.add(called);
    if (this.#openCall === call) this.#emitArguments(sound, events);
    else call.unsent += sound;
    this.#flushCalls(false, events);
  }

  #emitArguments(sound: string, events: Document[]): void {
    if (sound !== "") this.#blocks.delta({ type: "input_json_delta", partial_json: sound }, events);
  }

  /** Sends the calls that are ready, then the text received meanwhile. At the end of the stream all calls are sent. */
  #flushCalls(ended: boolean, events: Document[]): void {
    for (;;) {
      if (this.#openCall !== null && !this.#isOver(this.#openCall, ended, events)) return;
      const call = this.#pieces.calls[this.#shownCalls];
      if (call === undefined || !mayBeShown(call, ended)) break;
      this.#shownCalls += 1;
      if (call.name !== null) this.#show(call, call.name, events);
    }
    const late = this.#deferred.splice(0);
    for (const { kind, piece, carried } of late) this.#say(kind, piece, events, carried);
  }

  #show(call: StreamedCall, name: string, events: Document[]): void {
    const shownName = this.#request.names.toClient(name);
    this.#close(events);
    this.#blocks.open({ type: "tool_use", id: this.#ids.shown(call), name: shownName, input: {} }, events);
    this.#hasCalls = true;
    this.#openKind = null;
    this.#openCall = call;
    this.#emitArguments(call.unsent, events);
    call.unsent = "";
  }

  #isOver(call: StreamedCall, ended: boolean, events: Document[]): boolean {
    if (ended) this.#emitArguments(call.arguments.end(), events);
    else if (!call.arguments.complete) return false;
    this.#blocks.close(events);
    this.#openCall = null;
    return true;
  }
}

/** A block starts with id and name. At the end a missing id is generated; a call without a name is skipped. */
function mayBeShown(call: StreamedCall, ended: boolean): boolean {
  return ended || (call.name !== null && (call.id !== null || call.arguments.complete));
}
