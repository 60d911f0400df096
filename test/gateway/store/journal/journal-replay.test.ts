import { expect, test } from "vitest";
import { emptyDocument } from "../../../../gateway/store/disk/memory.ts";
import { frame } from "../../../../gateway/store/disk/line.ts";
import type { StateFile } from "../../../../gateway/store/folder/state-files.ts";
import { readJournal } from "../../../../gateway/store/journal/journal-read.ts";
import { replayJournals } from "../../../../gateway/store/journal/journal-replay.ts";
import type { Quarantine } from "../../../../gateway/store/quarantine.ts";
import { dropKey, putKey } from "../fixtures.ts";
import { SimFs } from "../sim-fs.ts";

const DIR = "/data";
const line = (seq: number, changes: readonly unknown[] = [putKey(`k${seq}`)]): string =>
  frame(JSON.stringify({ seq, ts: 0, changes }));
const lines = (...seqs: readonly number[]): string => seqs.map((seq) => line(seq)).join("");

interface Given {
  readonly files: readonly (readonly [number, string, boolean?])[];
  readonly seq?: number;
  readonly isSalvaged?: boolean;
  /** Whether the disk takes copies. */
  readonly isKept?: boolean;
}

/** Replays journals, given oldest first. */
async function replay({ files, seq = 0, isSalvaged = false, isKept = true }: Given) {
  const found = files.map(([first, , misplaced = false]): StateFile => ({
    name: `journal.${first}.ndjson`,
    kind: "journal",
    seq: first,
    at: 0,
    schemaVersion: 0,
    writtenBy: "",
    misplaced,
  }));
  const fs = new SimFs({
    files: new Map(files.map(([first, text]) => [`${DIR}/journal.${first}.ndjson`, Buffer.from(text, "latin1")])),
    folders: new Set([DIR]),
  });
  const kept: string[] = [];
  const quarantine = {
    keep: async (name: string, bytes: Buffer, reason: string, message: string) => {
      await new Promise((resolve) => setImmediate(resolve));
      kept.push(`${name} ${bytes.length} ${reason}: ${message}`);
      return isKept;
    },
    keepRecords: async (name: string, records: readonly Buffer[]) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (records.length > 0) kept.push(`${name}: ${records.length} records`);
    },
    tell: (reason: string, message: string, _folder: null, name: string) =>
      void kept.push(`${name} ${reason}: ${message}`),
  };
  const document = emptyDocument();
  const from = { seq, salvaged: isSalvaged };
  const result = await replayJournals(fs, DIR, found.toReversed(), from, document, quarantine as unknown as Quarantine);
  return { ...result, kept, keys: [...document.keys.keys()].join(" ") };
}

const end = (first: number, text: string, torn: object | null = null) => ({
  name: `journal.${first}.ndjson`,
  length: text.length,
  torn,
});

test.each([
  ["one file", [[1, lines(1, 2)]], 0, "k1 k2", 2, ["journal.1.ndjson"]],
  ["lines that the state has", [[1, lines(1, 2, 3)]], 2, "k3", 3, ["journal.1.ndjson"]],
  ["nothing new", [[1, lines(1, 2)]], 2, "", 2, []],
  [
    "several files",
    [
      [1, lines(1)],
      [2, lines(2, 3)],
      [4, lines(4)],
    ],
    0,
    "k1 k2 k3 k4",
    4,
    [1, 2, 4].map((n) => `journal.${n}.ndjson`),
  ],
  [
    "a file with exactly one line that the state lacks",
    [
      [1, lines(1, 2)],
      [3, lines(3)],
    ],
    1,
    "k2 k3",
    3,
    ["journal.1.ndjson", "journal.3.ndjson"],
  ],
  ["files after a salvaged state", [[7, lines(7)]], 0, "k7", 7, ["journal.7.ndjson"]],
] as const)(
  "%s: what is missing is applied, and the journal goes on in the last file",
  async (name, files, seq, keys, lastSeq, applied) => {
    const result = await replay({ files, seq, isSalvaged: name.includes("salvaged") });
    const [first, text] = files.at(-1) as readonly [number, string];
    expect(result).toEqual({ start: { lastSeq, file: end(first, text) }, damaged: false, applied, kept: [], keys });
  },
);

test("files that the state has whole are not read", async () => {
  const result = await replay({
    files: [
      [1, "unreadable\n"],
      [3, lines(3, 4)],
    ],
    seq: 2,
  });
  expect([result.keys, result.kept, result.damaged]).toEqual(["k3 k4", [], false]);
});

test("changes are applied in their order", async () => {
  const text = line(1, [putKey("a"), putKey("b")]) + line(2, [dropKey("a")]) + line(3, []);
  expect(await replay({ files: [[1, text]] })).toMatchObject({ keys: "b", start: { lastSeq: 3 } });
});

test.each([
  [[1, 3], 0, "2 to 2"],
  [[1, 6], 0, "2 to 5"],
  [[4], 1, "2 to 3"],
])("lines %j after number %d: the missing ones are named", async (seqs, seq, missing) => {
  const result = await replay({ files: [[1, lines(...seqs)]], seq });
  const message = `journal.1.ndjson missing: The journal lines ${missing} are missing; what they changed may be lost.`;
  expect([result.damaged, result.kept, result.start.lastSeq]).toEqual([true, [message], seqs.at(-1)]);
});

test.each([
  [true, { start: lines(1).length, end: lines(1).length + 20, torn: true }],
  [false, null],
])("a torn end is cut off where there is a copy of it: %j", async (isKept, torn) => {
  const whole = lines(1);
  const text = whole + line(2).slice(0, 20);
  const result = await replay({ files: [[1, text]], isKept });
  expect(result.start).toEqual({ lastSeq: 1, file: end(1, isKept ? whole : text, torn) });
  expect([result.damaged, result.kept]).toEqual([
    true,
    [
      `journal.1.ndjson 20 torn: The last line of journal.1.ndjson was not written to its end and was cut off. It had not been acknowledged.`.replace(
        "20",
        String(text.length),
      ),
    ],
  ]);
});

test("damaged lines are kept as a copy of the file, are no missing lines, and end nothing", async () => {
  const text = lines(1) + line(2).replace("k2", "kX") + lines(3);
  const result = await replay({ files: [[1, text]] });
  expect(result).toMatchObject({ keys: "k1 k3", damaged: true, start: { lastSeq: 3, file: end(1, text) } });
  expect(result.kept).toEqual([
    `journal.1.ndjson ${text.length} damaged: The journal journal.1.ndjson is damaged: 1 line of it was changed. All of its other lines were read.`,
  ]);
});

test("a file under a wrong name is read, and not gone on with", async () => {
  expect((await replay({ files: [[1, lines(1), true]] })).start).toEqual({ lastSeq: 1, file: null });
});

test("what is no change or no entry is set aside, and what is next to it is applied", async () => {
  const strange = { op: "put", in: "nowhere", record: {} };
  const text = line(1, [putKey("a"), strange]) + frame('{"seq":"2"}') + line(3, [putKey("c")]);
  const result = await replay({ files: [[1, text]] });
  expect([result.keys, result.damaged]).toEqual(["a c", true]);
  expect(result.kept).toContain("journal.1.ndjson: 2 records");
  expect((await replay({ files: [[1, line(1, [strange])]] })).damaged).toBe(true);
});

test.each([
  ['{"seq":1,"ts":0,"changes":[]}', 1, 0],
  ['{"seq":1.5,"ts":0,"changes":[]}', 0, 1],
  ['{"seq":1,"ts":"0","changes":[]}', 0, 1],
  ['{"seq":1,"ts":0,"changes":{}}', 0, 1],
  ["[]", 0, 1],
  ["null", 0, 1],
])("%s has %d entries and %d lines to set aside", (json, entries, invalid) => {
  const content = readJournal(Buffer.from(frame(json)), 0);
  expect([content.entries.length, content.invalid.length]).toEqual([entries, invalid]);
});
