import { getAppName } from "../../../../gateway/contract/apps.ts";
import {
  appendFile,
  copyFile,
  mkdir,
  open as openFile,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requestFigureSchema, type Sort } from "../../../../gateway/contract/list.ts";
import type { Search } from "../../../../gateway/contract/matches-request.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import type { SessionView } from "../../../../gateway/contract/sessions.ts";
import type { Totals } from "../../../../gateway/contract/totals.ts";
import type { DurationCounts, Durations } from "../../../../gateway/core/usage/durations.ts";
import { HourSums, type SummedHours } from "../../../../gateway/core/usage/hour-sums.ts";
import { getGroup } from "../../../../gateway/core/usage/usage-columns.ts";
import { HOUR_MS } from "../../../../gateway/core/usage/usage-period.ts";
import { addReceipt, emptySums, type UsageSums } from "../../../../gateway/core/usage/usage-sums.ts";
import { SUMS, readTotals } from "../../../../gateway/core/usage/usage-totals.ts";
import { ActivityBuckets, type ActivityCount } from "../../../../gateway/core/usage/activity-buckets.ts";
import { segmentName } from "../../../../gateway/store/disk/segments.ts";
import { LedgerIndex } from "../../../../gateway/store/ledger/ledger-index.ts";
import type { ListedReceipts, ListPlace } from "../../../../gateway/store/ledger/questions.ts";
import type { ListedSessions } from "../../../../gateway/store/ledger/questions.ts";
import type { StoreEvent } from "../../../../gateway/store/store-event.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { dose, thin } from "../../../support/dose.ts";
import { needs } from "../../../support/needs.ts";
import { sessionsOf } from "../../../support/plain-sessions.ts";
import { NOON, receipt, seededRandom } from "../fixtures.ts";
import { anySearch } from "./any-receipt.ts";
import { COUNT, DAY_MS, NOVEMBER, OCTOBER, SEARCHES, expectSame, lineOf, linesOf, writeLog } from "./logs.ts";
import { activityOf, matching, receiptsIn, sortedBy } from "./plain-log.ts";

let dir: string;
let events: StoreEvent[];
let index: LedgerIndex;
const FILE = "index.sqlite";

const openIndex = (): LedgerIndex => new LedgerIndex({ dir, readOnly: false, log: (event) => events.push(event) });
function reopen(): void {
  index.close();
  index = openIndex();
}

beforeEach(async () => {
  dir = await temporaryFolder();
  await mkdir(join(dir, "usage"));
  events = [];
  index = openIndex();
});
afterEach(() => index.close());

async function ask<T>(name: string, question: object): Promise<T> {
  const { response, rebuilding } = await index.ask(`receipts.${name}`, question);
  expect(rebuilding).toBeNull();
  return response as T;
}

/** All pages of a list. */
async function listed(search: Search, limit: number, sort: Sort | null = null, settledAfter = 0): Promise<Receipt[]> {
  const found: Receipt[] = [];
  let before: ListPlace | null = null;
  do {
    const question: object = { search, limit, sort, before, settledAfter, recordedFrom: -Infinity };
    const listed: ListedReceipts = await ask("list", question);
    const page = JSON.parse(listed.json) as Receipt[];
    expect(page.length).toBeLessThanOrEqual(limit);
    found.push(...page);
    before = listed.next;
  } while (before !== null);
  return found;
}

async function sessions(limit: number, filter: object = {}): Promise<ListedSessions["data"]> {
  const found: ListedSessions["data"][number][] = [];
  let before: ListedSessions["next"] = null;
  do {
    const page: ListedSessions = await ask("sessions", { ...filter, limit, before });
    found.push(...page.data);
    before = page.next;
  } while (before !== null);
  return found;
}

/** Every answer is that of a plain scan of the log. */
async function expectTruth(searches: readonly Search[] = [{}, ...thin(SEARCHES, 8)]): Promise<void> {
  const settled = await receiptsIn(dir);
  for (const search of searches) {
    const expected = matching(settled, search);
    expectSame(await listed(search, 97), expected);
    const window = { since: Date.UTC(2026, 9, 21), until: Date.UTC(2026, 10, 9) };
    const buckets = new ActivityBuckets(window.since, window.until);
    const counted: ActivityCount[] = await ask("activity", {
      search: {
        ...search,
        since: Math.max(search.since ?? 0, window.since),
        until: Math.min(search.until ?? Infinity, window.until),
      },
      from: buckets.from,
      length: buckets.length,
      buckets: buckets.size,
    });
    for (const count of counted) buckets.add(count);
    const within = expected.filter(({ at }) => at >= window.since && at < window.until);
    expectSame(buckets.list(), activityOf(within, window.since, window.until).list());
  }
  const found = await sessions(33);
  expectSame(found.map(rounded), sessionsOf(settled.map((each) => each.receipt)).map(rounded));
  await expectHours(settled.map((each) => each.receipt));
  expect(await ask("oldest", {})).toBe(settled.at(-1)?.receipt.at ?? null);
  for (const { receipt: one } of settled.filter((_, place) => place % 250 === 0)) {
    const newest = settled.find((each) => each.receipt.id === one.id)?.receipt;
    expectSame(JSON.parse((await ask<string | null>("find", { id: one.id })) ?? "null"), newest);
  }
}

/** Hours add up to what each receipt adds to the rows of its day. */
async function expectHours(receipts: readonly Receipt[]): Promise<void> {
  const [from, to] = [Date.UTC(2026, 9, 25), Date.UTC(2026, 10, 1)];
  const within = receipts.filter(({ at }) => at >= from && at < to);
  for (const by of ["model", "key", "client", "endpoint", "project", "connection"] as const) {
    const expected = new Map<string, UsageSums>();
    for (const receipt of within) {
      const { endpoint = "", connection = "" } = receipt as Partial<Receipt>;
      const sums = { ...emptySums(receipt), endpoint, connection };
      const id = JSON.stringify([
        Math.floor(receipt.at / HOUR_MS),
        by === "client" ? getAppName(receipt.client) : getGroup(sums, by),
        endpoint,
      ]);
      addReceipt(expected.get(id) ?? sums, receipt);
      if (!expected.has(id)) expected.set(id, sums);
    }
    const hours = new HourSums(await ask<SummedHours>("hours", { from, to, by, sums: SUMS }), by);
    const found = new Map<string, object>();
    for (let at = from; at < to; at += HOUR_MS) {
      const columns = hours.at(at);
      for (let row = 0; row < (columns?.rows ?? 0); row += 1) {
        const name = hours.names[by].text(columns?.groups[by][row] ?? 0);
        const endpoint = hours.names.endpoint.text(columns?.groups.endpoint[row] ?? 0);
        const id = JSON.stringify([at / HOUR_MS, name, endpoint]);
        found.set(
          id,
          figures(readTotals(columns?.sums ?? new Float64Array(), row * SUMS.length), [
            countsAt(columns?.durations, row),
            countsAt(columns?.firstDurations, row),
          ]),
        );
      }
    }
    const plain = Array.from(expected, ([id, sums]) => {
      const counted = [sums.durations, sums.first_durations].map((durations) => ({ ...durations }));
      return [id, figures(Object.fromEntries(SUMS.map((name) => [name, sums[name]])) as Totals, counted)] as const;
    });
    expectSame(Object.fromEntries(found), Object.fromEntries(plain));
  }
}

const figures = (totals: Totals, counted: readonly object[]) => ({
  totals: Object.values(totals).map((figure) => Math.round(figure)),
  counted,
});

function countsAt(counts: DurationCounts | undefined, row: number): Durations {
  const durations: Durations = {};
  for (let place = counts?.starts[row] ?? 0; place < (counts?.starts[row + 1] ?? 0); place += 1)
    durations[counts?.buckets[place] ?? 0] = counts?.counts[place] ?? 0;
  return durations;
}

/** Samples have parts of tokens, which are added up in another order. */
const rounded = (session: SessionView): SessionView => ({
  ...session,
  input_tokens: Math.round(session.input_tokens),
  cached_input_tokens: Math.round(session.cached_input_tokens),
  output_tokens: Math.round(session.output_tokens),
});

const some = (search: object, seed: number): Search =>
  Object.fromEntries(Object.entries(search).filter((_, place) => (place + seed) % 4 === 0));

describe.each(
  thin(
    [
      ["goes on", 0],
      ["was set back by hours", DAY_MS / 3],
      ["was set back by days", 5 * DAY_MS],
    ] as const,
    3,
    1,
  ),
)("every answer is that of a plain scan where the clock %s", (_, longestStep) => {
  test("with any filter, in any order", async () => {
    await writeLog(dir, linesOf(longestStep + 1, longestStep));
    await expectTruth(SEARCHES);
    // What another process has made is read.
    reopen();
    await expectTruth();
    const settled = await receiptsIn(dir);
    await fc.assert(
      fc.asyncProperty(anySearch, fc.nat(), fc.integer({ min: -12, max: 8 }), async (any, seed, day) => {
        const search = { ...some(any, seed), ...(seed % 3 === 0 ? { since: NOON + (day - 15) * DAY_MS } : {}) };
        expectSame(await listed(search, 1 + (seed % 500)), matching(settled, search));
      }),
      { numRuns: dose(15, 60) },
    );
    for (const by of requestFigureSchema.options)
      for (const order of ["desc", "asc"] as const)
        for (const search of thin([{ model: "gpt-5" }, {}, { since: Date.UTC(2026, 9, 30) }], 3)) {
          const expected = sortedBy(matching(settled, search), { by, order });
          expectSame(await listed(search, 400, { by, order }), expected);
        }
    for (const settledAfter of [700, COUNT - 700]) {
      const later = settled.filter(({ n }) => n > settledAfter);
      expectSame(await listed({ model: "gpt-5" }, 50, null, settledAfter), matching(later, { model: "gpt-5" }));
    }
  }, 300_000);
});

describe("a log that goes on", () => {
  test("line by line, with kills and new starts between, has the same answers", async () => {
    const all = [...linesOf(5, 0)].flatMap(([month, lines]) => lines.map((line) => [month, line] as const));
    const random = seededRandom(3);
    for (let from = 0; from < all.length;) {
      const to = from + Math.floor(random() * dose(900, 300));
      for (const [month, line] of all.slice(from, to)) {
        const half = Math.floor(random() * line.length);
        await appendFile(join(dir, "usage", segmentName(month)), line.slice(0, half));
        if (random() < 0.005) await ask("oldest", {});
        await appendFile(join(dir, "usage", segmentName(month)), line.slice(half));
      }
      from = to;
      if (random() < 0.5) index = killed();
      await expectTruth([{}, { model: "gpt-5" }]);
    }
  }, 300_000);

  test("is found in its end too, where a line was not written to it", async () => {
    const lines = [1, 2, 3].map((n) => lineOf(n, receipt(`req_${n}`, { at: NOON })));
    const path = join(dir, "usage", segmentName(NOVEMBER));
    await writeFile(path, lines.join("").slice(0, -40));
    expect((await listed({}, 10)).map(({ id }) => id)).toEqual(["req_2", "req_1"]);
    await appendFile(path, lines.join("").slice(-40));
    expect((await listed({}, 10)).map(({ id }) => id)).toEqual(["req_3", "req_2", "req_1"]);
  });
});

/** Another index that finds the files as a kill has left them. */
function killed(): LedgerIndex {
  const before = index;
  const next = openIndex();
  before.close();
  return next;
}

describe("an index", () => {
  beforeEach(async () => {
    await writeLog(dir, linesOf(9, 0, 1_500));
    await expectTruth();
    index.close();
  });
  const path = (): string => join(dir, FILE);

  test.each([
    ["deleted", () => rm(path())],
    ["truncated", () => truncate(path(), 20_000)],
    ["empty", () => writeFile(path(), "")],
    ["no database", () => writeFile(path(), "x".repeat(50_000))],
    ["that of another program", () => foreign("CREATE TABLE receipts (place); PRAGMA application_id = 5")],
    ["that of a newer version", () => newer()],
    ["damaged in its middle", () => damage()],
  ])("that is %s is made again", async (_name, spoil) => {
    for (const ending of ["-wal", "-shm"]) await rm(path() + ending, { force: true });
    await spoil();
    index = openIndex();
    await expectTruth(SEARCHES);
    reopen();
    await expectTruth();
  });

  async function foreign(sql: string): Promise<void> {
    await rm(path());
    const database = new DatabaseSync(path());
    database.exec(sql);
    database.close();
  }

  function newer(): Promise<void> {
    const database = new DatabaseSync(path());
    database.exec("PRAGMA user_version = 1");
    database.close();
    return Promise.resolve();
  }

  async function damage(): Promise<void> {
    const file = await openFile(path(), "r+");
    const { size } = await file.stat();
    for (let page = 4_096; page < size; page += 4_096) await file.write(Buffer.alloc(4_000, 0xff), 0, 4_000, page);
    await file.close();
  }

  test("follows a log that is another one by now", async () => {
    const segment = join(dir, "usage", segmentName(OCTOBER));
    const lines = (await readFile(segment, "utf8")).split(/(?<=\n)/);
    for (const text of [lines.slice(0, 500), lines.filter((_, place) => place % 9 > 0), [], lines]) {
      await writeFile(segment, text.join(""));
      index = openIndex();
      await expectTruth();
      index.close();
    }
    await rm(segment);
    index = openIndex();
    await expectTruth();
  });

  test("leaves out a receipt that was damaged since, and shows another in its place", async () => {
    index = openIndex();
    const [first, second] = await receiptsIn(dir);
    const segment = join(dir, "usage", segmentName(NOVEMBER));
    const bytes = await readFile(segment);
    bytes.write("X", bytes.indexOf(`{"n":${first?.n},"receipt"`) + 40);
    await writeFile(segment, bytes);
    expect((await listed({}, 1)).at(0)).toEqual(second?.receipt);
    await expectTruth();
  });

  test("that may not be written is in memory, and leaves no file", async () => {
    await rm(path());
    index = new LedgerIndex({ dir, readOnly: true, log: (event) => events.push(event) });
    await expectTruth();
    await expect(readFile(path())).rejects.toThrow("ENOENT");
  });

  test("that cannot be a file is in memory, and says so", async () => {
    await rm(path());
    await mkdir(path());
    index = openIndex();
    await expectTruth();
    expect(events.map(({ event }) => event)).toContain("store.index_refused");
  });
});

test.skipIf(process.platform === "win32")("can be read by its owner alone", needs("file modes"), async () => {
  await ask("find", { id: "none" });
  for (const ending of ["", "-wal"]) expect((await stat(join(dir, FILE + ending))).mode & 0o777).toBe(0o600);
});

test("an empty log has nothing, and a copy of the log has the same answers", async () => {
  expect(await listed({}, 10)).toEqual([]);
  expect(await ask("oldest", {})).toBeNull();
  await writeLog(dir, new Map([[NOVEMBER, [lineOf(1, receipt("req_1"))]]]));
  const segment = join(dir, "usage", segmentName(NOVEMBER));
  await copyFile(segment, `${segment}.kept`);
  expect((await listed({}, 10)).map(({ id }) => id)).toEqual(["req_1"]);
});
