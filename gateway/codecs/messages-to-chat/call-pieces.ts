import type { Called } from "./called.ts";
import { ToolArguments } from "./tool-arguments.ts";

/** A call as far as it was streamed. */
export interface StreamedCall {
  index: number | null;
  id: string | null;
  name: string | null;
  signature: string | null;
  readonly arguments: ToolArguments;
  /** Arguments received before the call's block could be opened. */
  unsent: string;
}

/**
 * Assembles the pieces of a stream's calls. Known values are never overwritten: DashScope repeats calls with an empty
 * id (docs/providers/dashscope.md#chat).
 */
export class CallPieces {
  readonly #calls: StreamedCall[] = [];
  readonly #byIndex = new Map<number, StreamedCall>();
  readonly #byId = new Map<string, StreamedCall>();

  /** The calls in the order of their first chunk. */
  get calls(): readonly StreamedCall[] {
    return this.#calls;
  }

  /** @returns the call that the piece belongs to, and the arguments that can be passed on. */
  add(piece: Called): { readonly call: StreamedCall; readonly sound: string } {
    const call = this.#readCall(piece) ?? this.#begin(piece);
    call.id ??= piece.id;
    if (call.id !== null && !this.#byId.has(call.id)) this.#byId.set(call.id, call);
    call.name ??= piece.name;
    call.signature ??= piece.signature;
    return { call, sound: call.arguments.push(piece.arguments) };
  }

  #readCall(piece: Called): StreamedCall | null {
    const last = this.#calls.at(-1) ?? null;
    const found =
      piece.index === null
        ? ((piece.id === null ? null : this.#byId.get(piece.id)) ?? last)
        : (this.#byIndex.get(piece.index) ?? null);
    return found === null || isAnother(found, piece) ? null : found;
  }

  #begin(piece: Called): StreamedCall {
    const call: StreamedCall = {
      index: piece.index,
      id: piece.id,
      name: piece.name,
      signature: piece.signature,
      arguments: new ToolArguments(),
      unsent: "",
    };
    this.#calls.push(call);
    if (call.index !== null) this.#byIndex.set(call.index, call);
    return call;
  }
}

/**
 * Tells whether a piece with the index of a known call starts a new call: Gemini numbers whole parallel calls 0, or not
 * at all. It has a name and another id; or, without ids, a name and arguments after the known call's are complete.
 */
function isAnother(known: StreamedCall, piece: Called): boolean {
  if (piece.name === null || known.name === null) return false;
  if (piece.id !== null && known.id !== null) return piece.id !== known.id;
  return known.arguments.complete && (piece.arguments !== "" || piece.name !== known.name);
}
