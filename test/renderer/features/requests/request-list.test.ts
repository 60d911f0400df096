import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import type { RequestPage } from "../../../../gateway/contract/requests.ts";
import { RECENT_ROWS as NEWEST } from "../../../../renderer/api/live.ts";
import { RequestList } from "../../../../renderer/features/requests/request-list.ts";

const receiptOf = (number: number): Receipt => ({ id: `req_${number}` }) as Receipt;

/** A log that grows, the gateway that answers for it when it is told to, and the list that a page shows of it. */
class World {
  /** Newest first. */
  log: Receipt[];
  atTop = true;
  readonly list: RequestList;
  readonly #asked: { response(): void; fail(): void }[] = [];
  #made = 0;

  constructor(count: number) {
    this.log = [];
    this.#grow(count);
    this.list = new RequestList({
      fetchPage: (before, limit) =>
        new Promise((resolve, reject) => {
          // What the gateway says is what it knew when it was asked, however late the response comes.
          const page = this.#page(before, limit);
          this.#asked.push({ response: () => resolve(page), fail: () => reject(new Error("unreachable")) });
        }),
    });
  }

  #grow(count: number): void {
    for (let each = 0; each < count; each += 1) this.log.unshift(receiptOf((this.#made += 1)));
  }

  #page(before: string | null, limit: number): RequestPage {
    const from = before === null ? 0 : this.log.findIndex(({ id }) => id === before) + 1;
    const data = this.log.slice(from, from + limit);
    const cursor = from + data.length < this.log.length ? (data.at(-1)?.id ?? null) : null;
    return { data, cursor, rebuilding: null };
  }

  /** New requests come in, and are told of. */
  live(count: number): void {
    this.#grow(count);
    this.list.takeHead(this.log.slice(0, NEWEST), () => this.atTop);
  }

  /** The oldest question that is open gets its response, or fails. */
  async answered(well: boolean): Promise<void> {
    const asked = this.#asked.shift();
    if (well) asked?.response();
    else asked?.fail();
    for (let turn = 0; turn < 4; turn += 1) await Promise.resolve();
  }

  check(first: number): void {
    this.list.rows.want?.(first, first + 40);
  }

  scrollToTop(): void {
    this.atTop = true;
    if (this.list.held > 0) void this.list.reload();
  }

  /** The ids that are here, by their places. */
  here(): readonly (string | undefined)[] {
    const { rows } = this.list;
    return Array.from({ length: rows.length }, (_, index) => rows.at(index)?.id);
  }

  /** Until nothing is open any more and everything is fetched, from the top to the end of the log. */
  async settle(): Promise<void> {
    this.scrollToTop();
    for (let round = 0; round < 200; round += 1) {
      if (this.list.error !== null) this.list.retry();
      this.check(Math.max(0, this.list.rows.length - 40));
      if (this.#asked.length === 0 && !this.list.more) return;
      await this.answered(true);
    }
    throw new Error("the list does not come to rest");
  }
}

const step = fc.oneof(
  fc.record({ do: fc.constant("live" as const), count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant("live" as const), count: fc.integer({ min: 40, max: 80 }) }),
  fc.record({ do: fc.constant("answer" as const) }),
  fc.record({ do: fc.constant("fail" as const) }),
  fc.record({ do: fc.constant("retry" as const) }),
  fc.record({ do: fc.constant("top" as const) }),
  fc.record({ do: fc.constant("look" as const), first: fc.integer({ min: 0, max: 900 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

async function take(world: World, taken: Step): Promise<void> {
  switch (taken.do) {
    case "live":
      return world.live(taken.count);
    case "answer":
      return world.answered(true);
    case "fail":
      return world.answered(false);
    case "retry":
      return world.list.retry();
    case "top":
      return world.scrollToTop();
    case "look":
      world.atTop = taken.first === 0;
      return world.check(taken.first);
  }
}

/** No row twice, and all in the order of the log. */
function expectSound(world: World): void {
  const places = new Map(world.log.map(({ id }, place) => [id, place]));
  const found = world.here().flatMap((id) => (id === undefined ? [] : [places.get(id) ?? -1]));
  expect(found).toEqual([...new Set(found)].toSorted((a, b) => a - b));
}

describe("the log of requests, whatever comes in between", () => {
  it("has no row twice and none in a wrong place, and lacks none once all is answered", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 900 }), fc.array(step, { maxLength: 40 }), async (count, steps) => {
        const world = new World(count);
        void world.list.reload();
        for (const each of steps) {
          await take(world, each);
          expectSound(world);
        }
        await world.settle();
        expectSound(world);
        expect(world.here().filter((id) => id !== undefined)).toEqual(loaded(world));
        expect(world.list.rows.length).toBe(world.log.length);
      }),
      { numRuns: 300 },
    );
  });

  it("keeps every row in its place while one reads further down", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 20 }), async (arrivals) => {
        const world = new World(900);
        void world.list.reload();
        await world.answered(true);
        world.atTop = false;
        world.check(150);
        const before = world.here();
        for (const [index, count] of arrivals.entries()) {
          world.live(count);
          if (index % 3 === 0) await world.answered(index % 2 === 0);
          expect(world.here().slice(0, 200)).toEqual(before.slice(0, 200));
        }
        expect(world.list.held > 0).toBe(arrivals.length > 0);
      }),
      { numRuns: 100 },
    );
  });
});

/** What of the log is here: parts that were far away are forgotten. */
function loaded(world: World): readonly string[] {
  const here = new Set(world.here());
  return world.log.map(({ id }) => id).filter((id) => here.has(id));
}

describe("what comes in while the list is being fetched", () => {
  it.each(["before the first response", "while it is fetched anew"])("%s is there with the response", async (when) => {
    const world = new World(300);
    void world.list.reload();
    if (when !== "before the first answer") {
      await world.answered(true);
      void world.list.reload();
    }
    world.live(2);
    await world.answered(true);
    expect(world.here().slice(0, 3)).toEqual(world.log.slice(0, 3).map(({ id }) => id));
  });

  it("is not mistaken for new when the page knows newer ones than the events", async () => {
    const world = new World(300);
    const told = world.log.slice(0, NEWEST);
    world.live(400);
    void world.list.reload();
    await world.answered(true);
    world.list.takeHead(told, () => true);
    await world.answered(true);
    expect(world.here().slice(0, 3)).toEqual(world.log.slice(0, 3).map(({ id }) => id));
    expectSound(world);
  });

  it("is found later than what came after it: the list is fetched anew at its top, and waits below", async () => {
    const world = new World(300);
    void world.list.reload();
    await world.answered(true);
    const late = receiptOf(9_001);
    world.log.splice(1, 0, late);
    world.list.takeHead(world.log.slice(0, NEWEST), () => false);
    expect([world.list.held, world.here().includes(late.id)]).toEqual([1, false]);
    world.list.takeHead(world.log.slice(0, NEWEST), () => true);
    await world.answered(true);
    expect(world.here()[1]).toBe(late.id);
    expectSound(world);
  });
});

it("gives up what it fetches when it begins anew, and when nobody looks any more", () => {
  const signals: AbortSignal[] = [];
  const list = new RequestList({
    fetchPage: (_before, _limit, signal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    },
  });
  for (let count = 0; count < 2; count++) void list.reload();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  list.stop();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});
