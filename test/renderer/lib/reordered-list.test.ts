import fc from "fast-check";
import { expect, it } from "vitest";
import type { ListPage, PageStart } from "../../../renderer/lib/list-chunks.ts";
import { PagedList } from "../../../renderer/lib/paged-list.ts";

interface Row {
  readonly id: string;
}

const PAGE = 10;
const rowOf = (number: number): Row => ({ id: `row_${number}` });

/** A list whose rows move, as tasks by their cost do: a cursor is a place. @param hasTotal false: as sessions, whose cursor is a row */
class World {
  rows: Row[];
  readonly list: PagedList<Row>;
  readonly #hasTotal: boolean;
  #made = 0;

  constructor(count: number, hasTotal: boolean) {
    this.#hasTotal = hasTotal;
    this.rows = Array.from({ length: count }, () => rowOf((this.#made += 1)));
    this.list = new PagedList<Row>({
      pageRows: PAGE,
      isReordered: true,
      pause: () => Promise.resolve(),
      now: () => 1,
      fetchPage: async (start, limit) => {
        const page = this.#page(start, limit);
        for (let turn = 0; turn < 3; turn += 1) await Promise.resolve();
        return page;
      },
    });
    this.refetch();
  }

  #page({ before, offset }: PageStart, limit: number): ListPage<Row> {
    expect(this.#hasTotal || offset === 0).toBe(true);
    const first = this.#place(before) + offset;
    const data = this.rows.slice(first, first + limit);
    const last = first + data.length;
    const cursor = last >= this.rows.length ? null : this.#hasTotal ? String(last) : (data.at(-1)?.id ?? null);
    return { data, cursor, ...(this.#hasTotal && { total: this.rows.length }) };
  }

  #place(before: string | null): number {
    if (before === null) return 0;
    return this.#hasTotal ? Number(before) : this.rows.findIndex(({ id }) => id === before) + 1;
  }

  /** What the page does at an event. */
  refetch(): void {
    this.list.takeHead(this.#page({ before: null, offset: 0 }, PAGE), true);
  }

  add(place: number): void {
    this.rows.splice(place % (this.rows.length + 1), 0, rowOf((this.#made += 1)));
    this.refetch();
  }

  moveToTop(place: number): void {
    const [row] = this.rows.splice(place % Math.max(1, this.rows.length), 1);
    if (row !== undefined) this.rows.unshift(row);
    this.refetch();
  }

  async rest(): Promise<void> {
    for (let turn = 0; turn < 400; turn += 1) await Promise.resolve();
  }
}

const step = fc.record({
  do: fc.constantFrom("add" as const, "move" as const, "look" as const, "rest" as const),
  place: fc.nat(200),
});

it.each([true, false])(
  "shows the true rows once it rests, however rows moved (total counted: %s)",
  async (hasTotal) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(120), fc.array(step, { maxLength: 25 }), fc.nat(100), async (count, steps, from) => {
        const world = new World(count, hasTotal);
        for (const { do: kind, place } of steps) {
          if (kind === "add") world.add(place);
          else if (kind === "move") world.moveToTop(place);
          else if (kind === "look") world.list.check(place, place + 15);
          else await world.rest();
        }
        // A user scrolls on until the place is there.
        for (let round = 0; round < 30; round += 1) {
          const first = Math.min(from, Math.max(0, world.list.total - 15));
          world.list.check(first, first + 15);
          await world.rest();
        }
        const { total } = world.list;
        const first = Math.min(from, Math.max(0, total - 15));
        const shown = Array.from({ length: 15 }, (_, index) => world.list.at(first + index)?.id);
        const real = Array.from({ length: 15 }, (_, index) => world.rows[first + index]?.id);
        expect(shown).toEqual(real);
        if (hasTotal) expect(total).toBe(world.rows.length);
      }),
      { numRuns: 200 },
    );
  },
);
