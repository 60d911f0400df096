import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { steadyCalls } from "../../../gateway/codecs/steady-calls.ts";
import type { Document } from "../../../gateway/codecs/translation.ts";

type Piece = Record<string, unknown>;
const piece = (fields: Piece, named: Piece): Piece => ({ ...fields, type: "function", function: named });
const chunk = (calls: readonly unknown[], choice = 0): Document => ({
  id: "1",
  object: "chat.completion.chunk",
  choices: [{ index: choice, delta: { tool_calls: calls }, finish_reason: null }],
});
/** The pieces of a stream as its client gets them. */
function told(...pieces: readonly Piece[]): unknown[] {
  const steady = steadyCalls();
  return pieces.map((each) => {
    const [choice] = steady(chunk([each]))["choices"] as { delta: { tool_calls: unknown[] } }[];
    return choice?.delta.tool_calls[0];
  });
}

const begun = piece({ index: 0, id: "call_a" }, { name: "f", arguments: "" });

describe("what goes on a call says neither its id nor its name again", () => {
  it.each([
    ["empty texts, as DashScope's", piece({ index: 0, id: "" }, { name: "", arguments: "{" })],
    ["null", piece({ index: 0, id: null }, { name: null, arguments: "{" })],
    ["the same again", piece({ index: 0, id: "call_a" }, { name: "f", arguments: "{" })],
    ["another id for each piece", piece({ index: 0, id: "call_x" }, { arguments: "{" })],
    ["nothing", piece({ index: 0 }, { arguments: "{" })],
    ["not even a number", piece({}, { arguments: "{" })],
  ])("%s", (_how, continuation) => {
    expect(told(begun, continuation)).toEqual([begun, piece({ index: 0 }, { arguments: "{" })]);
  });
});

it.each([
  ["id", piece({ index: 0, id: "" }, { name: "f" }), piece({ index: 0, id: "late" }, { arguments: "{" })],
  ["name", piece({ index: 0, id: "a" }, { name: "" }), piece({ index: 0, id: "" }, { name: "f", arguments: "{" })],
])("an %s that comes late is reported when it comes", (field, first, second) => {
  const [, shown] = told(first, second) as [Piece, Piece];
  expect(field === "id" ? shown["id"] : (shown["function"] as Piece)["name"]).toBe(field === "id" ? "late" : "f");
});

describe("each call has an index of its own", () => {
  const whole = (fields: Piece, name = "f"): Piece => piece(fields, { name, arguments: "{}" });
  const indexes = (...pieces: readonly Piece[]): unknown[] => told(...pieces).map((each) => (each as Piece)["index"]);

  it.each([
    ["all are numbered 0", [whole({ index: 0, id: "a" }), whole({ index: 0, id: "b" }), whole({ index: 0, id: "c" })]],
    ["none is numbered", [whole({ id: "a" }), whole({ id: "b" }), whole({ id: "c" })]],
    ["none has an id or a number", [whole({}), whole({}, "g"), whole({}, "f")]],
    ["they are numbered", [whole({ index: 0, id: "a" }), whole({ index: 1, id: "b" }), whole({ index: 2, id: "c" })]],
    ["they are numbered and have no ids", [whole({ index: 0 }), whole({ index: 1 }), whole({ index: 2 })]],
  ])("where %s", (_how, pieces) => {
    expect(indexes(...pieces)).toEqual([0, 1, 2]);
  });

  it("and a piece without an id goes on the call that was started under its number last", () => {
    const rest = piece({ index: 0, id: "" }, { arguments: "{" });
    expect(indexes(whole({ index: 0, id: "a" }), whole({ index: 0, id: "b" }), rest)).toEqual([0, 1, 1]);
  });

  it("within each choice", () => {
    const steady = steadyCalls();
    steady(chunk([whole({ index: 0, id: "a" })], 0));
    const other = chunk([whole({ index: 0, id: "b" })], 1);
    expect(steady(other)).toBe(other);
  });
});

it.each([
  chunk([begun, piece({ index: 1, id: "call_b" }, { name: "g", arguments: "" })]),
  chunk([null, 5]),
  chunk([]),
  { choices: [{ index: 0, delta: { content: "x" } }, null] },
  { choices: "x" },
  { error: { code: 429 } },
])("hands on the very chunk where nothing is wrong: %j", (event) => {
  expect(steadyCalls()(event)).toBe(event);
});

/** How a provider writes ids and names on pieces that go on a call. */
const HABITS = ["missing", "empty", "null", "again"] as const;
const written = (habit: (typeof HABITS)[number], name: string, value: string): Piece =>
  habit === "missing" ? {} : { [name]: habit === "empty" ? "" : habit === "null" ? null : value };

interface Client {
  readonly calls: Record<string, Record<string, { id: string; name: string; text: string }>>;
}

/** What clients make of a stream: some take the last value that is there, others join all. */
function clientOf(joins: boolean, chunks: readonly Document[]): Client["calls"] {
  const calls: Client["calls"] = {};
  for (const { choices } of chunks as { choices: { index: number; delta: { tool_calls: Piece[] } }[] }[]) {
    for (const { index, delta } of choices) {
      for (const each of delta.tool_calls) {
        const known = ((calls[index] ??= {})[String(each["index"])] ??= { id: "", name: "", text: "" });
        const named = each["function"] as Piece;
        const take = (before: string, value: unknown): string => (joins ? before : "") + String(value);
        if ("id" in each) known.id = take(known.id, each["id"]);
        if ("name" in named) known.name = take(known.name, named["name"]);
        if (typeof named["arguments"] === "string") known.text += named["arguments"];
      }
    }
  }
  return calls;
}

const callText = fc.json({ maxDepth: 1 });
const cutCalls = fc.array(
  fc.record({
    choice: fc.nat(2),
    text: callText,
    cuts: fc.array(fc.nat(40), { maxLength: 5 }),
    habit: fc.constantFrom(...HABITS),
  }),
  { minLength: 1, maxLength: 5 },
);

it("however calls are cut, mixed and repeated, every client puts them together as they were made", () => {
  fc.assert(
    fc.property(cutCalls, fc.infiniteStream(fc.nat(100)), fc.constantFrom(...HABITS), (made, dice, ids) => {
      const expected: Client["calls"] = {};
      const queues = made.map(({ choice, text, cuts, habit }, number) => {
        const index = Object.keys((expected[choice] ??= {})).length;
        const [id, name] = [`call_${number}`, `f${number}`];
        expected[choice][String(index)] = { id, name, text };
        const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b);
        const parts = [0, ...places].map((from, at) => text.slice(from, places[at] ?? text.length));
        return parts.map((part, at) =>
          at === 0
            ? { choice, piece: piece({ index, id }, { name, arguments: part }) }
            : {
                choice,
                piece: piece(
                  { index, ...written(ids, "id", id) },
                  { ...written(habit, "name", name), arguments: part },
                ),
              },
        );
      });
      // First pieces come in the order of the calls; what follows, in any.
      const stream = queues.map((queue) => queue.shift());
      for (const turn of dice) {
        const waiting = queues.filter((queue) => queue.length > 0);
        if (waiting.length === 0) break;
        stream.push(waiting[turn % waiting.length]?.shift());
      }
      const steady = steadyCalls();
      const chunks = stream.flatMap((each) => (each === undefined ? [] : [steady(chunk([each.piece], each.choice))]));
      expect(clientOf(false, chunks)).toEqual(expected);
      expect(clientOf(true, chunks)).toEqual(expected);
    }),
  );
});
