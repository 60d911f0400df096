import { beforeEach, describe, expect, test } from "vitest";
import type { HistoryBatch, HistoryEntry } from "../../../../gateway/core/history/history-entry.ts";
import type { HistoryTable } from "../../../../gateway/core/history/history-table.ts";
import { systemClock } from "../../../../gateway/lib/clock.ts";
import { CountedHistory, type Counted } from "../../../../gateway/services/history/counted-history.ts";
import { HistoryLog } from "../../../../gateway/store/history/history-log.ts";
import { NOON, seededRandom } from "../../store/fixtures.ts";
import { SimFs } from "../../store/sim-fs.ts";

const DIR = "/data";
const LOG = "/data/history/imported.ndjson";
const TABLE = "/data/history/imported.table";
/** More than are worth a file. */
const ENTRIES = 8_000;

const random = seededRandom(4);
const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
let count = 0;

const entry = (): HistoryEntry => ({
  agent: pick(["claude-code", "codex"]),
  // Some are copies of others.
  key: `key ${random() < 0.1 ? Math.floor(random() * count) : (count += 1)}`,
  scope: pick(["", `scope ${count >> 2}`]),
  at: NOON - Math.floor(random() * 1e10),
  model: pick(["claude-opus-4-8", "gpt-5", "é 木"]),
  session: `s${count >> 5}`,
  project: pick(["/p", "/q", ""]),
  served: pick(["", "speed=fast"]),
  sidechain: random() < 0.2,
  postern: random() < 0.1,
  tokens: [1, 2, 3, 4, 5, 6].map((least) => least + Math.floor(random() * 1e9)) as unknown as HistoryEntry["tokens"],
});

const batch = (from: number, length: number): HistoryBatch => {
  const entries = Array.from({ length }, entry);
  return { agent: "codex", file: "/log", from, to: from + 10, tail: "abc", state: null, entries };
};

let fs: SimFs;
let log: HistoryLog;
let read = 0;

/** As a start has it. */
function start(readOnly = false): HistoryLog {
  log = new HistoryLog({ dir: DIR, readOnly, fs });
  const plain = log.read.bind(log);
  log.read = (visit, slices) => {
    read += 1;
    return plain(visit, slices);
  };
  return log;
}

beforeEach(async () => {
  fs = new SimFs();
  await fs.makeFolder(DIR);
  await fs.syncFolder("/");
  await start().add(batch(0, ENTRIES));
  read = 0;
});

const rowsOf = (table: HistoryTable) =>
  Array.from({ length: table.length }, (_, row) => [
    table.agent(row),
    table.at[row],
    ...[table.model, table.session, table.project, table.served].map((names) => table.names.text(names[row] as number)),
    table.sidechain[row],
    table.postern[row],
    ...table.tokens.subarray(6 * row, 6 * row + 6),
  ]);
const seen = ({ table, ...counted }: Counted) => ({ ...counted, rows: rowsOf(table), from: table.from(NOON - 5e9) });

async function counted(of = log): Promise<ReturnType<typeof seen>> {
  const found = seen(await new CountedHistory(of, systemClock).table());
  await of.close();
  return found;
}

/** The same without what was kept. */
const plain = (): Promise<ReturnType<typeof seen>> => {
  const of = start();
  of.table = () => Promise.resolve(null);
  of.keepTable = () => Promise.resolve();
  return counted(of);
};

test("what was counted once is there after a start, and is what counting it again says", async () => {
  const first = await counted();
  expect(first.rows.length).toBeGreaterThan(5_000);
  expect(await counted(start())).toEqual(first);
  expect(read).toBe(1);
  expect(await plain()).toEqual(first);
});

test("what came since is counted, and so is what is left after damage", async () => {
  const first = await counted();
  await start().add(batch(10, 200));
  const second = await counted();
  expect(second.rows.length).toBeGreaterThan(first.rows.length);
  expect(second).toEqual(await plain());
  expect(await counted(start())).toEqual(second);
  expect(read).toBe(3);
  const bytes = Buffer.from(await fs.readWhole(LOG));
  bytes[bytes.length - 300] = 0x21;
  await put(LOG, bytes);
  const third = await counted(start());
  expect(third.damaged).toBe(1);
  expect(third).toEqual(await plain());
  expect(await counted(start())).toEqual(third);
});

test("a table that is damaged, cut or of another log is made anew", async () => {
  const expected = await counted();
  const kept = Buffer.from(await fs.readWhole(TABLE));
  for (let round = 0; round < 30; round += 1) {
    const other = Buffer.from(round % 3 === 0 ? kept.subarray(0, Math.floor(random() * kept.length)) : kept);
    if (round % 3 !== 0) {
      const place =
        round % 3 === 1 ? Math.floor(random() * other.length) : other.length - 1 - Math.floor(random() * 400);
      other[place] = (other[place] as number) ^ (1 << Math.floor(random() * 8));
    }
    await put(TABLE, other);
    read = 0;
    expect(await counted(start())).toEqual(expected);
    expect(read).toBe(1);
  }
});

describe("no table stays", () => {
  test("of what was forgotten", async () => {
    const counting = new CountedHistory(log, systemClock);
    await counting.table();
    await log.clear();
    expect(await fs.list("/data/history")).toEqual([]);
    // Forgotten while it is counted.
    await log.add(batch(0, ENTRIES));
    counting.changed();
    const again = counting.table();
    await log.clear();
    await again;
    await log.close();
    expect(await fs.list("/data/history")).toEqual([]);
  });

  test("of less than is worth a file, or in the folder of a newer version", async () => {
    await counted(start(true));
    expect(await fs.list("/data/history")).toEqual(["imported.ndjson"]);
    await start().clear();
    await log.add(batch(0, 100));
    await counted();
    expect(await fs.list("/data/history")).toEqual(["imported.ndjson"]);
  });
});

async function put(path: string, bytes: Buffer): Promise<void> {
  const file = await fs.open(path, "append");
  await file.truncate(0);
  await file.write(bytes, 0);
  await file.close();
}
