import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
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
/** A list whose items nobody else has. */
const large = (name: string): string =>
  JSON.stringify({ name, messages: Array.from({ length: 40 }, (_, index) => `${name} ${index} `.repeat(1_000)) });

interface Read {
  readonly state: Pick<RequestState, "body">;
  readonly done: Promise<void>;
}

/** A request whose body is there at once. @param next what gets the parsed body */
function arrive(text: string, next: (state: Pick<RequestState, "body">) => Promise<void>): Read {
  const req = Object.assign(new PassThrough(), { headers: { "content-type": "application/json" } });
  const res = Object.assign(new EventEmitter(), { onSlowBody: null, destroyed: false });
  const state = { key: { record: { id: "key" } }, body: undefined, raw: null, texts: null };
  const done = read({ req, res, state } as unknown as Context, () => next(state));
  req.end(text);
  return { state, done };
}

it("parses large bodies one after another, and small ones meanwhile", async () => {
  const order: string[] = [];
  const reads: Read[] = [];
  const begun: number[] = [];
  const add = (name: string, text: string): void => {
    const next = async (): Promise<void> => {
      order.push(name);
      begun.push(reads.filter(({ state }) => state.body !== undefined).length);
      await Promise.resolve();
    };
    reads.push(arrive(text, next));
  };
  for (const name of ["first", "second", "third"]) add(name, large(name));
  add("small", SMALL);
  await Promise.all(reads.map(({ done }) => done));
  expect(order).toEqual(["small", "first", "second", "third"]);
  expect(begun).toEqual([1, 1, 1, 1]);
});

it("goes on behind a large body that is refused, and behind one whose call never ends", async () => {
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
