import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { RequestPage } from "../../../gateway/contract/requests.ts";
import { PagedList } from "../../../renderer/lib/paged-list.ts";

const receiptOf = (number: number): Receipt => ({ id: `req_${number}` }) as Receipt;

/** Rows of the first page. */
const HEAD = 50;

/** A log that grows, the gateway that answers for it when it is ordered to, and the list that a page shows of it. */
class World {
  /** Newest first. */
  log: Receipt[];
  atTop = true;
  readonly list: PagedList<Receipt, RequestPage>;
  /** The first page, as events change it. */
  head: RequestPage;
  readonly #requests: { response(): void; fail(): void }[] = [];
  #made = 0;

  constructor(count: number) {
    this.log = [];
    this.#grow(count);
    this.list = new PagedList({
      pageRows: 200,
      pause: () => Promise.resolve(),
      now: () => 1,
      fetchPage: ({ before }, limit) =>
        new Promise((resolve, reject) => {
          // What the gateway says is what it knew when it was asked, however late the response comes.
          const page = this.#page(before, limit);
          this.#requests.push({ response: () => resolve(page), fail: () => reject(new Error("unreachable")) });
        }),
    });
    this.head = this.#page(null, HEAD);
  }

  #grow(count: number): void {
    for (let each = 0; each < count; each += 1) this.log.unshift(receiptOf((this.#made += 1)));
  }

  #page(before: string | null, limit: number): RequestPage {
    const from = before === null ? 0 : this.log.findIndex(({ id }) => id === before) + 1;
    const data = this.log.slice(from, from + limit);
    const cursor = from + data.length < this.log.length ? (data.at(-1)?.id ?? null) : null;
    return { data, cursor, complete: true, rebuilding: null };
  }

  /** New requests come in, and are reported of. */
  live(count: number): void {
    this.#grow(count);
    this.head = { ...this.head, data: [...this.log.slice(0, count), ...this.head.data] };
    this.#follow();
  }

  /** The first page is fetched again. */
  open(): void {
    this.head = this.#page(null, HEAD);
    this.#follow();
  }

  #follow(): void {
    this.list.takeHead(this.head, this.atTop);
  }

  /** The oldest question that is open gets its response, or fails. */
  async answered(well: boolean): Promise<void> {
    const request = this.#requests.shift();
    if (well) request?.response();
    else request?.fail();
    for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
  }

  check(first: number): void {
    this.list.rows.want?.(first, first + 40);
  }

  scrollToTop(): void {
    this.atTop = true;
    this.list.takePending();
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
      if (this.#requests.length === 0 && !this.list.more) return;
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

async function take(world: World, received: Step): Promise<void> {
  switch (received.do) {
    case "live":
      return world.live(received.count);
    case "answer":
      return world.answered(true);
    case "fail":
      return world.answered(false);
    case "retry":
      return world.list.retry();
    case "top":
      return world.scrollToTop();
    case "look":
      world.atTop = received.first === 0;
      return world.check(received.first);
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
        world.open();
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
        world.open();
        await world.answered(true);
        world.atTop = false;
        world.check(150);
        const before = world.here();
        for (const [index, count] of arrivals.entries()) {
          world.live(count);
          if (index % 3 === 0) await world.answered(index % 2 === 0);
          expect(world.here().slice(0, 200)).toEqual(before.slice(0, 200));
        }
        expect(world.list.newer > 0).toBe(arrivals.length > 0);
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

it("takes a request that is found later than what came after it at the top, and lets it wait below", async () => {
  const world = new World(300);
  world.open();
  await world.answered(true);
  const late = receiptOf(9_001);
  world.log.splice(1, 0, late);
  world.atTop = false;
  world.open();
  expect([world.list.newer, world.here().includes(late.id)]).toEqual([1, false]);
  world.atTop = true;
  world.open();
  expect(world.here()[1]).toBe(late.id);
  expectSound(world);
});

it("cancels what it fetches when it restarts, and when it is no longer shown", async () => {
  const signals: AbortSignal[] = [];
  const list = new PagedList<Receipt>({
    pageRows: 200,
    pause: () => Promise.resolve(),
    now: () => 1,
    fetchPage: (_start, _limit, signal) => {
      signals.push(signal);
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
    },
  });
  for (const number of [1, 2]) {
    list.takeHead({ data: [receiptOf(number)], cursor: "more" }, true);
    for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
  }
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  list.stop();
  expect([signals.map(({ aborted }) => aborted), list.error]).toEqual([[true, true], null]);
});
