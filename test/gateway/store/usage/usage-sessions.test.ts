import { expect, test } from "vitest";
import type { PassedReceipt, Store } from "../../../../gateway/store/store.ts";
import { UsageSessions } from "../../../../gateway/store/usage/usage-sessions.ts";
import { until } from "../../../support/running-gateway.ts";
import { NOON, open, receipt } from "../fixtures.ts";
import { SimFs } from "../sim-fs.ts";

const DIR = "/data";
const emptyFs = (): SimFs => new SimFs({ files: new Map(), folders: new Set([DIR]) });

const settle = (store: Store, place: number, session?: string): Promise<void> => {
  const terms = [
    { unit: "input" as const, quantity: 5, nano_per_million: 0, nano: 0 },
    { unit: "cached_input" as const, quantity: 4, nano_per_million: 0, nano: 0 },
    { unit: "output" as const, quantity: 3, nano_per_million: 0, nano: 0 },
  ];
  const told = session === undefined ? {} : { session, project: "shop" };
  return store.usage.settle(receipt(`req_${place}`, { at: NOON + place, terms, ...told }));
};

async function sessions({ usage }: Store): Promise<unknown> {
  const { sums, complete } = await usage.sessions({ now: () => NOON, monotonic: () => 0 });
  expect(complete).toBe(true);
  return sums
    .list()
    .map(({ id, requests, input_tokens, cached_input_tokens, output_tokens }) => [
      id,
      requests,
      input_tokens,
      cached_input_tokens,
      output_tokens,
    ]);
}

test("sessions hold what was settled before a restart, while it is read back, and after it, each receipt once", async () => {
  const fs = emptyFs();
  const { store } = await open({ dir: DIR, fs });
  for (const [place, session] of ["a", undefined, "b", "a"].entries()) await settle(store, place, session);
  await store.snapshot();
  const again = (await open({ dir: DIR, fs: new SimFs(fs.afterKill()) })).store;
  await settle(again, 10, "b");
  const reading = Promise.all([sessions(again), sessions(again)]);
  await settle(again, 11, "a");
  const expected = [
    ["a", 3, 27, 12, 9],
    ["b", 2, 18, 8, 6],
  ];
  expect(await reading).toEqual([expected, expected]);
  await settle(again, 12, "b");
  await settle(again, 13);
  expect(await sessions(again)).toEqual([
    ["b", 3, 27, 12, 9],
    ["a", 3, 27, 12, 9],
  ]);
});

test("what could not be read is read when somebody asks again", async () => {
  const fs = emptyFs();
  const { store } = await open({ dir: DIR, fs });
  await settle(store, 0, "a");
  await store.close();
  const later = new SimFs(fs.afterKill());
  const again = (await open({ dir: DIR, fs: later })).store;
  const list = later.list.bind(later);
  later.list = () => Promise.reject(new Error("EIO"));
  await expect(sessions(again)).rejects.toThrow("EIO");
  later.list = list;
  expect(await sessions(again)).toEqual([["a", 1, 9, 4, 3]]);
});

test("who asks does not wait for long, and hears that there is more to come", async () => {
  const sessions = new UsageSessions();
  const scan = Promise.withResolvers<void>();
  const reading = sessions.read(9, async (visit) => {
    visit(passed(8, "newer"));
    await scan.promise;
    visit(passed(3, "older"));
    // Settled since, and counted as it was.
    visit(passed(10, "newest"));
    return { scanned: 3, complete: false };
  });
  const first = await reading;
  expect([first.reading, first.sums.list().map(({ id }) => id)]).toEqual([true, ["newer"]]);
  sessions.count(receipt("r", { at: NOON + 50, session: "newest" }));
  scan.resolve();
  await until(async () => !(await sessions.read(9, () => Promise.reject(new Error("once")))).reading);
  const { sums, complete } = await sessions.read(9, () => Promise.reject(new Error("once")));
  expect([complete, sums.list().map(({ id, requests }) => [id, requests])]).toEqual([
    false,
    [
      ["newest", 1],
      ["newer", 1],
      ["older", 1],
    ],
  ]);
});

/** A line of the log as a scan passes it. */
function passed(n: number, session: string): PassedReceipt {
  const texts: Readonly<Record<string, string>> = { session, outcome: "completed", model: "m", provider: "p" };
  return {
    n,
    at: NOON + n,
    status: 200,
    ms: 1,
    first_ms: null,
    nano: 1,
    stream: false,
    sandbox: false,
    tokens: 1,
    output_tokens: 1,
    cached_tokens: 0,
    text: (field) => texts[field] ?? "",
    isWhole: () => true,
    used: () => ({ tokens: [1, 0, 0, 0, 0, 0], fees: 0 }),
    source: () => "",
  };
}
