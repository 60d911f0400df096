import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listTasksSchema, type ListTasks } from "../../../../gateway/contract/tasks.ts";
import type { TaskEntry } from "../../../../gateway/core/tasks/task-entry.ts";
import { TaskIndex } from "../../../../gateway/store/tasks/task-index.ts";
import { getPage, type ListVideoTasks } from "../../../../gateway/store/tasks/task-search.ts";
import { searchTasks } from "../../../../gateway/store/tasks/task-search.ts";

/** A clock whose every look is some milliseconds later: searches pause as often as they can. */
const hasty = {
  now: () => 0,
  monotonic: (
    (at) => () =>
      (at += 3)
  )(0),
};

function entry(id: string, changes: Partial<TaskEntry> = {}): TaskEntry {
  return {
    id,
    publicId: id,
    providerId: null,
    requestId: `req_${id}`,
    key: "a",
    model: "m",
    status: "succeeded",
    createdAt: 0,
    finishedAt: 0,
    nano: 0,
    prompt: "",
    idempotency: null,
    deleted: false,
    ...changes,
  };
}

const indexOf = async (archived: readonly TaskEntry[], live: readonly TaskEntry[] = []): Promise<TaskIndex> => {
  const index = new TaskIndex();
  for (const one of live) index.put(one);
  await index.addAll(archived, hasty);
  return index;
};

describe("what a search finds", () => {
  const entries = [
    entry("vt_1", { createdAt: 10, prompt: "a lighthouse at dusk", model: "alpha", nano: 50, finishedAt: 90 }),
    entry("vt_2", {
      createdAt: 20,
      prompt: "ein leuchtturm. ÉTÉ 🚢 灯台".toLowerCase(),
      key: "b",
      nano: null,
      finishedAt: 30,
    }),
    entry("vt_3", { createdAt: 30, status: "running", finishedAt: null, nano: null, prompt: "dusk over the harbour" }),
    entry("vt_4", { createdAt: 40, publicId: "cgt-4", providerId: "cgt-4", nano: 7, finishedAt: 41, deleted: true }),
    entry("vt_5", { createdAt: 40, status: "failed", providerId: "v5", requestId: "req_x", nano: 0, finishedAt: 60 }),
  ];

  it.each<[ListTasks, string]>([
    [{}, "5 4 3 2 1"],
    [{ order: "asc" }, "1 2 3 4 5"],
    [{ q: "dusk" }, "3 1"],
    [{ q: "  DUSK   lighthouse " }, "1"],
    [{ q: "light" }, "1"],
    [{ q: "dusk harbour lighthouse" }, ""],
    [{ q: "été" }, "2"],
    [{ q: "灯" }, "2"],
    [{ q: "🚢" }, "2"],
    [{ q: " " }, "5 4 3 2 1"],
    [{ q: "vt_3" }, "3"],
    [{ q: "cgt-4" }, "4"],
    [{ q: "v5" }, "5"],
    [{ q: "req_x" }, "5"],
    [{ q: "vt_" }, ""],
    [{ status: "succeeded" }, "4 2 1"],
    [{ status: "running" }, "3"],
    [{ model: "alpha" }, "1"],
    [{ key: "b" }, "2"],
    [{ key: "b", model: "alpha" }, ""],
    [{ since: 20 }, "5 4 3 2"],
    [{ until: 20 }, "1"],
    [{ since: 20, until: 40 }, "3 2"],
    [{ min_nano: 7 }, "4 1"],
    [{ min_nano: 0 }, "5 4 1"],
    [{ sort: "nano" }, "1 4 5 3 2"],
    [{ sort: "nano", order: "asc" }, "5 4 1 2 3"],
    [{ sort: "finished_at" }, "1 5 4 2 3"],
    [{ sort: "finished_at", order: "asc" }, "2 4 5 1 3"],
    [{ limit: 2 }, "5 4"],
    [{ limit: 2, offset: 1 }, "4 3"],
    [{ limit: 2, offset: 4 }, "1"],
    [{ offset: 5 }, ""],
    [{ sort: "nano", limit: 2, offset: 2 }, "5 3"],
  ])("for %o", async (query, expected) => {
    expect(listTasksSchema.safeParse(query).success).toBe(true);
    for (const cut of [0, 3, 5]) {
      const index = await indexOf(entries.slice(0, cut), entries.slice(cut));
      const { ids } = await searchTasks(index, query, hasty);
      expect(ids.join(" ").replaceAll("vt_", "")).toBe(expected);
    }
  });

  it("is 50 unless asked otherwise, and knows how many there are", async () => {
    const index = await indexOf(Array.from({ length: 777 }, (_, number) => entry(`vt_${number}`)));
    const { ids, total } = await searchTasks(index, {}, hasty);
    expect([ids.length, total]).toEqual([50, 777]);
  });

  it("is what there was when it began, whatever comes and goes meanwhile", async () => {
    const index = await indexOf(
      Array.from({ length: 5_000 }, (_, number) => entry(`vt_${number}`, { createdAt: number })),
    );
    const searching = searchTasks(index, { limit: 5_000 }, hasty);
    let count = 5_000;
    const meddle = (): void => {
      index.put(entry(`vt_${count}`, { createdAt: (count += 1) }));
      index.delete(`vt_${count % 5_000}`);
      if (count < 5_500) setImmediate(meddle);
    };
    setImmediate(meddle);
    const { ids, total } = await searching;
    expect(count).toBeGreaterThan(5_000);
    expect(total).toBe(5_000);
    expect(new Set(ids).size).toBe(5_000);
  });
});

describe("pages of a key", () => {
  it("stay where they are while tasks come, and go on after each of a task's ids", async () => {
    const index = await indexOf(
      Array.from({ length: 9 }, (_, number) => entry(`vt_${number}`, { createdAt: number, providerId: `v${number}` })),
    );
    const first = getPage(index, { key: "a", limit: 3 });
    index.put(entry("vt_9", { createdAt: 9 }));
    const second = getPage(index, { key: "a", limit: 3, after: first.ids.at(-1) ?? "" });
    const third = getPage(index, { key: "a", limit: 3, after: "v3" });
    expect([first, second, third]).toEqual([
      { ids: ["vt_8", "vt_7", "vt_6"], hasMore: true },
      { ids: ["vt_5", "vt_4", "vt_3"], hasMore: true },
      { ids: ["vt_2", "vt_1", "vt_0"], hasMore: false },
    ]);
  });

  it("have no tasks of others, none that were deleted, and nothing after what is not there", async () => {
    const index = await indexOf([
      entry("vt_1", { createdAt: 1 }),
      entry("vt_2", { createdAt: 2, key: "b" }),
      entry("vt_3", { createdAt: 3, deleted: true }),
    ]);
    expect(getPage(index, { key: "a", limit: 5 }).ids).toEqual(["vt_1"]);
    // The cursor may have been deleted since it was given.
    expect(getPage(index, { key: "a", limit: 5, after: "vt_3" }).ids).toEqual(["vt_1"]);
    expect(getPage(index, { key: null, limit: 5 }).ids).toEqual(["vt_3", "vt_2", "vt_1"]);
    for (const after of ["vt_2", "vt_9"]) {
      expect(getPage(index, { key: "a", limit: 5, after })).toEqual({ ids: [], hasMore: false });
    }
  });
});

const few = <T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const anyEntry = fc
  .record({
    id: fc.integer({ min: 0, max: 15 }).map((number) => `vt_${number}`),
    key: few("a", "b"),
    model: few("m", "n"),
    status: few("running" as const, "succeeded" as const, "failed" as const),
    createdAt: fc.integer({ min: 0, max: 4 }),
    finishedAt: fc.option(fc.integer({ min: 0, max: 4 })),
    nano: fc.option(fc.integer({ min: 0, max: 3 })),
    prompt: few("", "red boat", "red", "boat at sea"),
    providerId: fc.option(few("v1", "v2", "vt_3")),
    deleted: fc.boolean(),
  })
  .map(({ id, ...changes }) => entry(id, changes));
const anyQuery: fc.Arbitrary<ListTasks> = fc.record(
  {
    limit: fc.integer({ min: 1, max: 6 }),
    offset: fc.integer({ min: 0, max: 8 }),
    q: few("red", "boat red", "vt_3", "v1", "nothing"),
    status: few("running" as const, "failed" as const),
    model: few("m", "x"),
    key: few("a", "b"),
    since: fc.integer({ min: 0, max: 4 }),
    until: fc.integer({ min: 0, max: 5 }),
    min_nano: fc.integer({ min: 0, max: 3 }),
    sort: few("created_at" as const, "finished_at" as const, "nano" as const),
    order: few("asc" as const, "desc" as const),
  },
  { requiredKeys: [] },
);
const anyPage: fc.Arbitrary<ListVideoTasks> = fc.record(
  {
    key: few("a", "b", null),
    limit: fc.integer({ min: 1, max: 6 }),
    after: few("vt_1", "vt_3", "v1"),
    status: few("running" as const, "failed" as const),
    models: few(["m"], ["x"], ["m", "x"]),
  },
  { requiredKeys: ["key", "limit"] },
);

const bySubmission = (a: TaskEntry, b: TaskEntry): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);

/** As plainly as it can be said. */
function naiveSearch(all: readonly TaskEntry[], query: ListTasks): { ids: string[]; total: number } {
  const { q = "", sort = "created_at", order = "desc", limit = 50, offset = 0 } = query;
  const figure = (one: TaskEntry): number | null =>
    sort === "nano" ? one.nano : sort === "finished_at" ? one.finishedAt : one.createdAt;
  const found = all.filter(
    (one) =>
      (query.status ?? one.status) === one.status &&
      (query.model ?? one.model) === one.model &&
      (query.key ?? one.key) === one.key &&
      one.createdAt >= (query.since ?? 0) &&
      one.createdAt < (query.until ?? 99) &&
      (query.min_nano === undefined || (one.nano !== null && one.nano >= query.min_nano)) &&
      ([one.id, one.publicId, one.providerId, one.requestId].includes(q) ||
        q.split(" ").every((word) => one.prompt.includes(word))),
  );
  const up = found.toSorted((a, b) => (figure(a) ?? 0) - (figure(b) ?? 0) || bySubmission(a, b));
  const ordered = order === "asc" ? up : up.toReversed();
  const sorted = [...ordered.filter((one) => figure(one) !== null), ...ordered.filter((one) => figure(one) === null)];
  return { ids: sorted.slice(offset, offset + limit).map(({ id }) => id), total: found.length };
}

function naivePage(all: readonly TaskEntry[], query: ListVideoTasks): { ids: string[]; hasMore: boolean } {
  const newest = all.toSorted(bySubmission).toReversed();
  const { after, key } = query;
  const ofKey = (one: TaskEntry): boolean => key === null || one.key === key;
  const theirs = newest.filter(ofKey);
  // Ours goes before: no provider may take a task's place by naming one as it is named here.
  const last = theirs.find(({ id }) => id === after) ?? theirs.find(({ providerId }) => providerId === after);
  if (after !== undefined && last === undefined) return { ids: [], hasMore: false };
  const rest = newest
    .slice(last === undefined ? 0 : newest.indexOf(last) + 1)
    .filter(
      (one) =>
        ofKey(one) &&
        (key === null || !one.deleted) &&
        (query.status ?? one.status) === one.status &&
        (query.models ?? [one.model]).includes(one.model),
    );
  return { ids: rest.slice(0, query.limit).map(({ id }) => id), hasMore: rest.length > query.limit };
}

it("any tasks, archived, live, changed and removed, are found as a plain search finds them", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyEntry),
      fc.array(anyEntry),
      fc.array(fc.oneof(anyEntry, few("vt_1", "vt_2", "vt_3"))),
      anyQuery,
      anyPage,
      async (archived, live, changes, query, page) => {
        const known = new Map<string, TaskEntry>();
        // Of what the archive has twice, the first counts here: its own list has each once.
        for (const one of [...live.toReversed(), ...archived]) if (!known.has(one.id)) known.set(one.id, one);
        const index = await indexOf(archived, live);
        for (const change of changes) {
          if (typeof change === "string") {
            index.delete(change);
            known.delete(change);
          } else {
            index.put(change);
            known.set(change.id, change);
          }
        }
        const all = [...known.values()];
        expect(await searchTasks(index, query, hasty)).toEqual(naiveSearch(all, query));
        expect(getPage(index, page)).toEqual(naivePage(all, page));
        expect(index.active).toBe(all.filter(({ status }) => status === "running").length);
      },
    ),
    { numRuns: 600 },
  );
});
