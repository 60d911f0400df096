import { isRecord, mapItems } from "../lib/records.ts";
import { numberOf, textOf } from "./messages-to-chat/fields.ts";
import { SteadyArguments } from "./steady-arguments.ts";
import type { Document } from "./translation.ts";

/** A tool call as its client knows it. */
interface ToldCall {
  /** As the provider numbers it; null where it does not. */
  readonly given: number | null;
  readonly index: number;
  id: string | null;
  name: string | null;
  readonly arguments: SteadyArguments;
}

/**
 * Puts the tool calls of a chat stream in the form in which OpenAI streams them, which is all that clients rely on: each
 * call of a choice has an index of its own, and its id, name and arguments are told once. DashScope repeats them as empty texts,
 * others as null or again; a client that takes the last one, or joins them, then has another id. Google's layer for
 * OpenAI clients numbers whole parallel calls all 0, or not at all.
 * @returns for one stream: a chunk in, the same chunk out where nothing is wrong.
 */
export function steadyCalls(): (chunk: Document) => Document {
  let told: Map<unknown, ToldCall[]> | null = null;
  const steadyChoice = (choice: Document, place: number): Document => {
    const { delta } = choice;
    if (!isRecord(delta) || !Array.isArray(delta["tool_calls"])) return choice;
    const of = choice["index"] ?? place;
    const calls = told?.get(of) ?? [];
    told = (told ?? new Map()).set(of, calls);
    const steady = mapItems(delta, "tool_calls", (piece) => steadyPiece(piece, calls));
    return steady === delta ? choice : { ...choice, delta: steady };
  };
  return (chunk) => mapItems(chunk, "choices", steadyChoice);
}

function steadyPiece(piece: Document, calls: ToldCall[]): Document {
  const given = numberOf(piece["index"]);
  const named = isRecord(piece["function"]) ? piece["function"] : {};
  const id = textOf(piece["id"]);
  const name = textOf(named["name"]);
  const known = callOf(calls, given, id);
  if (known === undefined || isAnother(known, given, id, name)) {
    const index = given !== null && !calls.some((call) => call.index === given) ? given : nextIndex(calls);
    const call = { given, index, id, name, arguments: new SteadyArguments() };
    calls.push(call);
    const steady = withSteadyArguments(piece, named, call);
    return piece["index"] === index ? steady : { ...steady, index };
  }
  const isIdTold = known.id !== null && "id" in piece;
  const isNameTold = known.name !== null && "name" in named && (name === null || name === known.name);
  known.id ??= id;
  known.name ??= name;
  const steady = withSteadyArguments(piece, named, known);
  if (!isIdTold && !isNameTold && piece["index"] === known.index) return steady;
  const { id: _id, ...withoutId } = steady;
  const { name: _name, ...withoutName } = isRecord(steady["function"]) ? steady["function"] : {};
  return {
    ...(isIdTold ? withoutId : steady),
    index: known.index,
    ...(isNameTold && { function: withoutName }),
  };
}

function withSteadyArguments(piece: Document, named: Document, call: ToldCall): Document {
  const { arguments: told } = named;
  if (typeof told !== "string" || told === "") return piece;
  const added = call.arguments.push(told);
  return added === told ? piece : { ...piece, function: { ...named, arguments: added } };
}

/** The call that a piece goes on. */
function callOf(calls: readonly ToldCall[], given: number | null, id: string | null): ToldCall | undefined {
  const same = id === null ? undefined : calls.find((call) => call.id === id && call.given === given);
  return same ?? (given === null ? calls.at(-1) : calls.findLast((call) => call.given === given));
}

/** A piece with a name begins a call where its id is another, whatever its number; or where nothing else says so. */
function isAnother(known: ToldCall, given: number | null, id: string | null, name: string | null): boolean {
  if (name === null || known.name === null) return false;
  if (id === null && known.id === null) return given === null;
  return id !== null && known.id !== null && known.id !== id;
}

function nextIndex(calls: readonly ToldCall[]): number {
  return calls.reduce((next, { index }) => Math.max(next, index + 1), 0);
}
