import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it, vi } from "vitest";
import { BodyRoom } from "../../../../gateway/http/body-room.ts";
import { jsonBody } from "../../../../gateway/http/middleware/json-body.ts";
import type { Context, RequestState } from "../../../../gateway/http/state.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (how?: { readonly type: "minor" }) => void;
function oldBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space")?.space_used_size ?? 0;
}

const read = jsonBody(new BodyRoom());
const SMALL = '{"messages":[]}';
/** A list whose items no one else has. */
const large = (name: string, times = 1_000): string =>
  JSON.stringify({ name, messages: Array.from({ length: 40 }, (_, index) => `${name} ${index} `.repeat(times)) });

interface Read {
  readonly state: Pick<RequestState, "body">;
  readonly done: Promise<void>;
}

/** A request whose body is there at once. @param next what gets the parsed body */
function arrive(
  text: string | Buffer,
  next: (state: Pick<RequestState, "body">) => Promise<void>,
  type: string | null = "application/json",
  readJson = read,
): Read {
  const req = Object.assign(new PassThrough(), { headers: type === null ? {} : { "content-type": type } });
  const res = Object.assign(new EventEmitter(), { onSlowBody: null, destroyed: false });
  const state = { key: { record: { id: "key" } }, body: undefined, raw: null };
  const done = readJson({ req, res, state } as unknown as Context, () => next(state));
  req.end(text);
  return { state, done };
}

it("parses large bodies one after another, and small ones meanwhile", async () => {
  const order: string[] = [];
  const reads: Read[] = [];
  const started: number[] = [];
  const turns: number[] = [];
  let turn = 0;
  const passTurn = (): void => void ((turn += 1), order.length < 4 && setImmediate(passTurn));
  passTurn();
  const add = (name: string, text: string): void => {
    const next = async (): Promise<void> => {
      order.push(name);
      turns.push(turn);
      started.push(reads.filter(({ state }) => state.body !== undefined).length);
      await Promise.resolve();
    };
    reads.push(arrive(text, next));
  };
  for (const name of ["first", "second", "third"]) add(name, large(name, 4_000));
  add("small", SMALL);
  await Promise.all(reads.map(({ done }) => done));
  expect(order).toEqual(["small", "first", "second", "third"]);
  expect(started).toEqual([1, 1, 1, 1]);
  // Some for the pieces of each, and one before it begins.
  for (const [index, before] of turns.slice(0, -1).entries()) expect(turns[index + 1]).toBeGreaterThan(before + 2);
});

it("goes on after a large body that is refused, and after one whose call never ends", async () => {
  const refused = arrive(large("refused").slice(0, -1), () => Promise.resolve());
  const called = Promise.withResolvers<void>();
  arrive(large("endless"), () => {
    called.resolve();
    return new Promise(() => undefined);
  });
  const last = arrive(large("last"), () => Promise.resolve());
  await expect(refused.done).rejects.toMatchObject({ code: "invalid_json" });
  await called.promise;
  await last.done;
});

it("leaves nothing of a large body among the old that had to wait for its turn", async () => {
  const COUNT = 20;
  const text = large("one of many");
  const mostOldBytes = async (): Promise<number> => {
    let most = 0;
    const next = (): Promise<void> => {
      // What waits behind the first one grows old with it. What the others leave does not survive two of these.
      collect({ type: "minor" });
      if (most === 0) collect({ type: "minor" });
      most = Math.max(most, oldBytes());
      return Promise.resolve();
    };
    await Promise.all(Array.from({ length: COUNT }, () => arrive(text, next).done));
    return most;
  };
  await mostOldBytes();
  collect();
  const before = oldBytes();
  // The first one, and no more.
  expect((await mostOldBytes()) - before).toBeLessThan(2 * text.length);
});

describe("a JSON body", () => {
  const nest = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
  const MANY = `${'"",'.repeat(249_998)}""`;
  const TYPE = "Send the body as JSON, with the header Content-Type: application/json.";
  it.each<[string, string | Buffer, string | null | undefined, string | null]>([
    ["of another type", "{}", "text/plain", TYPE],
    ["of no type", "{}", null, TYPE],
    ["of an empty type", "{}", "", TYPE],
    ["of a type that begins like JSON", "{}", "application/jsonx", TYPE],
    ["of a type in other letters", "{}", " Application/JSON ; charset=utf-8", null],
    ["of a type that is JSON as well", "{}", "application/vnd.api+json", null],
    ["that is empty", "", undefined, "The body is empty."],
    ["behind a byte order mark", '\uFEFF{"a":1}', undefined, null],
    ["that is a byte order mark", "\uFEFF", undefined, "The body is empty."],
    ["that is no text", Buffer.from([0xff]), undefined, "The body is not valid UTF-8."],
    ["that is no JSON", "{", undefined, "The body is not valid JSON: Expected property name"],
    ["of 64 levels", nest(64), undefined, null],
    ["of 65 levels", nest(65), undefined, "nested more than 64 levels deep"],
    ["of 250,000 pieces", `[${MANY}]`, undefined, null],
    ["of 250,001 pieces", `[${MANY},""]`, undefined, "more than 250000 objects, arrays and texts"],
    ["of 4 million values and one", `[${"1,".repeat(4_000_000)}1]`, undefined, null],
    ["of one value more than these", `[${"1,".repeat(4_000_001)}1]`, undefined, "more than 4000000 values"],
  ])("%s is read or refused", async (_what, text, type, refusal) => {
    const next = vi.fn<() => Promise<void>>(() => Promise.resolve());
    const { done } = arrive(text, next, type);
    const code = refusal === TYPE ? "unsupported_media_type" : "invalid_json";
    if (refusal === null) await done;
    else await expect(done).rejects.toMatchObject({ code, message: expect.stringContaining(refusal) as unknown });
    expect(next.mock.calls.length).toBe(refusal === null ? 1 : 0);
  });

  it("goes out as it came, unless a name in it could be understood in two ways", async () => {
    for (const [text, sent] of [
      ['{ "a": 1 }', '{ "a": 1 }'],
      ['{"a":1,"a":2}', '{"a":2}'],
      [String.raw`{"\u0061":1}`, '{"a":1}'],
    ] as const) {
      let raw = "";
      await arrive(text, (state) => Promise.resolve(void (raw = String((state as RequestState).raw)))).done;
      expect(raw).toBe(sent);
    }
  });

  it("has its share of the room for as long as its call runs, and is forgotten then", async () => {
    const room = new BodyRoom();
    const added: number[] = [];
    const close = vi.fn<() => void>();
    vi.spyOn(room, "open").mockReturnValue({ add: (bytes: number) => void added.push(bytes), close } as never);
    const readJson = jsonBody(room);
    const { state, done } = arrive(
      '{"a":[1,"b"]}',
      async () => {
        await Promise.resolve();
        expect(close).not.toHaveBeenCalled();
      },
      undefined,
      readJson,
    );
    await done;
    // The bytes three times, four pieces of 64 bytes and a value of 16.
    expect(added.reduce((sum, bytes) => sum + bytes, 0)).toBe(3 * 13 + 4 * 64 + 16);
    expect([close.mock.calls.length, state]).toEqual([1, { ...state, body: undefined, raw: null }]);
    added.length = 0;
    await arrive('"é"', () => Promise.resolve(), undefined, readJson).done;
    expect(added.reduce((sum, bytes) => sum + bytes, 0)).toBe(3 * 4 + 64 + 4);
    await expect(arrive("{", () => Promise.resolve(), undefined, readJson).done).rejects.toMatchObject({ status: 400 });
    expect(close).toHaveBeenCalledTimes(3);
  });
});
