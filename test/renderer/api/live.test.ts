import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { createLive, RECENT_ROWS, withReceipts, type RequestPage } from "../../../renderer/api/live.ts";

function receipt(id: string, change: Partial<Receipt> = {}): Receipt {
  return {
    id,
    at: 1,
    key: "k1",
    endpoint: "chat",
    model: "m1",
    provider: "openai",
    connection: "c1",
    client: "curl",
    status: 200,
    code: null,
    outcome: "completed",
    stream: false,
    ms: 1,
    first_ms: 1,
    sandbox: false,
    estimated: false,
    terms: [],
    nano: 0,
    price: null,
    ...change,
  };
}

const page = (...ids: string[]): RequestPage => ({
  data: ids.map((id) => receipt(id)),
  cursor: null,
  complete: true,
  rebuilding: null,
});
const idsOf = ({ data }: RequestPage): string[] => data.map(({ id }) => id);

describe("new receipts in a list", () => {
  it("stand on top, the newest first", () => {
    expect(idsOf(withReceipts(page("a"), [receipt("b"), receipt("c")], {}))).toEqual(["c", "b", "a"]);
  });

  it("stand there once, and the list is the same where nothing is new", () => {
    const before = page("a");
    expect(withReceipts(before, [receipt("a")], {})).toBe(before);
  });

  it("keep to the list's filter", () => {
    const others = [receipt("b", { key: "k2" }), receipt("c", { model: "m2" }), receipt("d")];
    expect(idsOf(withReceipts(page("a"), others, { key: "k1", model: "m1" }))).toEqual(["d", "a"]);
  });

  it("push nothing out, so that the cursor of the page stays right", () => {
    const full = page(...Array.from({ length: RECENT_ROWS }, (_, index) => `old${index}`));
    const after = idsOf(withReceipts(full, [receipt("new")], {}));
    expect([after.length, after[0], after.at(-1)]).toEqual([RECENT_ROWS + 1, "new", `old${RECENT_ROWS - 1}`]);
  });
});

describe("events", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function live() {
    const cache = new QueryClient();
    const renewed: unknown[] = [];
    vi.spyOn(cache, "invalidateQueries").mockImplementation(
      async (filters) => void renewed.push(filters?.queryKey?.[0]),
    );
    const frames: (() => void)[] = [];
    const feed = createLive(cache, (run) => frames.push(run));
    return { cache, renewed, frames, feed };
  }

  it("put receipts in once per frame and ask for figures once per second", () => {
    const { cache, renewed, frames, feed } = live();
    cache.setQueryData(["requests", {}], page("a"));
    for (let index = 0; index < 500; index += 1)
      feed.receive({ type: "request.settled", receipt: receipt(`r${index}`) });
    expect(frames).toHaveLength(1);
    frames[0]?.();
    expect(cache.getQueryData<RequestPage>(["requests", {}])?.data[0]?.id).toBe("r499");
    expect(renewed).toEqual(["state", "keys", "budgets", "usage"]);
    vi.advanceTimersByTime(1_000);
    expect(renewed).toEqual(["state", "keys", "budgets", "usage", "state", "keys", "budgets", "usage"]);
    vi.advanceTimersByTime(10_000);
    expect(renewed).toHaveLength(8);
  });

  it.each([
    ["a search that only what was recorded can answer", { q: "lighthouse" }, true, 1],
    ["a search while nothing is recorded", { q: "lighthouse" }, false, 0],
    ["a search that finds the receipt itself", { q: "curl" }, true, 0],
    ["a search that another filter keeps from it", { q: "lighthouse", key: "k2" }, true, 0],
    ["no search", {}, true, 0],
  ])("ask for a list again, once the recording is written, with %s", (_, filter, on, times) => {
    const { cache, renewed, frames, feed } = live();
    cache.setQueryData(["requests", filter], page("a"));
    cache.setQueryData(["recordings"], { on });
    for (const id of ["b", "c"]) feed.receive({ type: "request.settled", receipt: receipt(id) });
    frames[0]?.();
    vi.advanceTimersByTime(10_000);
    expect(renewed.filter((name) => name === "requests")).toHaveLength(times);
  });

  it("change what is in flight without asking, and ask what runs only where that is shown", () => {
    const { cache, renewed, feed } = live();
    cache.setQueryData(["state"], { in_flight: 0, url: "u" });
    feed.receive({ type: "traffic.changed", in_flight: 3 });
    expect([cache.getQueryData(["state"]), renewed]).toEqual([{ in_flight: 3, url: "u" }, ["running"]]);
  });

  it.each([
    ["keys.changed", ["keys"]],
    ["connections.changed", ["connections", "state", "models", "routes", "foundKeys", "localServers", "keyProtection"]],
    ["models.changed", ["models", "routes"]],
    [
      "settings.changed",
      ["state", "settings", "address", "recordings", "request", "priceList", "search", "telemetry", "models"],
    ],
    ["notices.changed", ["state"]],
    ["media.changed", ["media", "mediaItem"]],
  ] as const)("%s renews %o", (type, names) => {
    const { renewed, feed } = live();
    feed.receive({ type });
    expect(renewed).toEqual(names);
  });
});

/** A query that is observed, and whose responses come when the test says so. */
function slowly(
  cache: QueryClient,
  queryKey: readonly unknown[],
): { requestCount: number; respond(data: object): Promise<void> } {
  const responses: ((data: object) => void)[] = [];
  const queryFn = () => new Promise<object>((resolve) => responses.push(resolve));
  new QueryObserver(cache, { queryKey, queryFn, staleTime: Number.POSITIVE_INFINITY }).subscribe(() => undefined);
  return {
    get requestCount() {
      return responses.length;
    },
    async respond(data) {
      responses.at(-1)?.(data);
      // What is done with a response is done in the same turn.
      await new Promise(setImmediate);
    },
  };
}

describe("a response that is older than what was reported while it was under way", () => {
  const key = ["requests", {}];

  it.each([
    ["the first response", []],
    ["a later response", ["a"]],
  ])("does not take new receipts out of the list: %s", async (_, before) => {
    const cache = new QueryClient();
    const feed = createLive(cache, (run) => run());
    const list = slowly(cache, key);
    if (before.length > 0) {
      await list.respond(page(...before));
      void cache.invalidateQueries({ queryKey: key });
    }
    for (const id of ["b", "c"]) feed.receive({ type: "request.settled", receipt: receipt(id) });
    await list.respond(page("a"));
    expect(idsOf(cache.getQueryData<RequestPage>(key) ?? page())).toEqual(["c", "b", "a"]);
    feed.stop();
  });

  it("is followed by one more, however often it was out of date, where it is the first of a figure", async () => {
    const cache = new QueryClient();
    const feed = createLive(cache, (run) => run());
    const state = slowly(cache, ["state"]);
    for (let count = 0; count < 3; count++) feed.refreshAll();
    feed.receive({ type: "notices.changed" });
    expect(state.requestCount).toBe(1);
    await state.respond({ old: true });
    expect(state.requestCount).toBe(2);
    await state.respond({ old: false });
    expect(state.requestCount).toBe(2);
    feed.stop();
  });
});

it("asks for everything again when the events begin: what changed before was reported to no one", () => {
  const cache = new QueryClient();
  const feed = createLive(cache, (run) => run());
  const names = ["state", "keys", "connections", "models", "requests"];
  for (const name of names) cache.setQueryData([name], {});
  feed.refreshAll();
  const stale = cache.getQueryCache().findAll({ stale: true });
  expect(stale.map(({ queryKey }) => queryKey[0])).toEqual(names);
});
