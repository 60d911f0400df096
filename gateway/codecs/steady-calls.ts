import { isRecord, mapItems } from "../lib/records.ts";
import { readNumber, readText } from "./messages-to-chat/fields.ts";
import { SteadyArguments } from "./steady-arguments.ts";
import type { Document } from "./translation.ts";

/** A tool call as sent to the client. */
interface SentCall {
  /** The provider's index; null if it has no index. */
  readonly given: number | null;
  readonly index: number;
  id: string | null;
  name: string | null;
  readonly arguments: SteadyArguments;
}

/** The calls of a choice, found without a search: a stream may have tens of thousands. */
class SentCalls {
  readonly #byNumber = new Map<number | null, SentCall>();
  readonly #byId = new Map<string, SentCall>();
  readonly #indices = new Set<number>();
  #last: SentCall | undefined;
  #next = 0;

  /** Finds the call that a piece continues. */
  find(given: number | null, id: string | null): SentCall | undefined {
    const same = id === null ? undefined : this.#byId.get(`${given} ${id}`);
    return same ?? (given === null ? this.#last : this.#byNumber.get(given));
  }

  freeIndex(given: number | null): number {
    return given !== null && !this.#indices.has(given) ? given : this.#next;
  }

  add(call: SentCall): void {
    this.#last = call;
    this.#byNumber.set(call.given, call);
    this.#indices.add(call.index);
    this.#next = Math.max(this.#next, call.index + 1);
    this.identify(call, call.id);
  }

  identify(call: SentCall, id: string | null): void {
    call.id ??= id;
    const name = `${call.given} ${call.id}`;
    if (call.id !== null && !this.#byId.has(name)) this.#byId.set(name, call);
  }
}

/**
 * Normalizes the tool calls of a chat stream to OpenAI's format, on which clients rely: each call has a unique index,
 * and its id, name and arguments occur once. DashScope repeats them as empty strings, others as null or in full; a
 * client that uses the last one, or joins them, then has a wrong id. Google's OpenAI compatibility layer numbers
 * complete parallel calls all 0, or not at all.
 * @returns a function for one stream, which returns the same chunk if nothing has to change.
 */
export function steadyCalls(): (chunk: Document) => Document {
  let sent: Map<unknown, SentCalls> | null = null;
  const steadyChoice = (choice: Document, place: number): Document => {
    const { delta } = choice;
    if (!isRecord(delta) || !Array.isArray(delta["tool_calls"])) return choice;
    const of = choice["index"] ?? place;
    const calls = sent?.get(of) ?? new SentCalls();
    sent = (sent ?? new Map()).set(of, calls);
    const steady = mapItems(delta, "tool_calls", (piece) => steadyPiece(piece, calls));
    return steady === delta ? choice : { ...choice, delta: steady };
  };
  return (chunk) => mapItems(chunk, "choices", steadyChoice);
}

function steadyPiece(piece: Document, calls: SentCalls): Document {
  const given = readNumber(piece["index"]);
  const named = isRecord(piece["function"]) ? piece["function"] : {};
  const id = readText(piece["id"]);
  const name = readText(named["name"]);
  const known = calls.find(given, id);
  if (known === undefined || isAnother(known, given, id, name)) {
    const call = { given, index: calls.freeIndex(given), id, name, arguments: new SteadyArguments() };
    calls.add(call);
    const steady = withSteadyArguments(piece, named, call);
    return piece["index"] === call.index ? steady : { ...steady, index: call.index };
  }
  const isIdRepeated = known.id !== null && "id" in piece;
  const isNameRepeated = known.name !== null && "name" in named && (name === null || name === known.name);
  calls.identify(known, id);
  known.name ??= name;
  const steady = withSteadyArguments(piece, named, known);
  if (!isIdRepeated && !isNameRepeated && piece["index"] === known.index) return steady;
  const { id: _id, ...withoutId } = steady;
  const { name: _name, ...withoutName } = isRecord(steady["function"]) ? steady["function"] : {};
  return {
    ...(isIdRepeated ? withoutId : steady),
    index: known.index,
    ...(isNameRepeated && { function: withoutName }),
  };
}

function withSteadyArguments(piece: Document, named: Document, call: SentCall): Document {
  const { arguments: args } = named;
  if (typeof args !== "string" || args === "") return piece;
  const added = call.arguments.push(args);
  return added === args ? piece : { ...piece, function: { ...named, arguments: added } };
}

/** A piece with a name starts a new call if its id differs, whatever its index; or if it has neither id nor index. */
function isAnother(known: SentCall, given: number | null, id: string | null, name: string | null): boolean {
  if (name === null || known.name === null) return false;
  if (id === null && known.id === null) return given === null;
  return id !== null && known.id !== null && known.id !== id;
}
