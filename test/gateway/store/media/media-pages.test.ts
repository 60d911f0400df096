import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { MediaEntry } from "../../../../gateway/contract/media.ts";
import { frame } from "../../../../gateway/store/disk/line.ts";
import { PAGE_ROWS } from "../../../../gateway/store/media/media-page.ts";
import { readPages } from "../../../../gateway/store/media/media-pages.ts";
import type { MediaLine } from "../../../../gateway/store/media/media-lines.ts";
import { replayOnce } from "../../../../gateway/store/media/media-reading.ts";
import { mediaOrigin } from "../../../support/media-samples.ts";
import { NOON, seededRandom } from "../fixtures.ts";
import { SimFs, type Disk } from "../sim-fs.ts";
import { ROOMY, openMedia } from "./media-fixtures.ts";
import { dose, thin } from "../../../support/dose.ts";

const DIR = "/data";
const MEDIA = `${DIR}/media`;
const LOG = `${MEDIA}/index.ndjson`;
const COPY = `${MEDIA}/index.copy.ndjson`;
const PAGES = `${MEDIA}/index.pages`;

const hash = (seed: number): string => createHash("sha256").update(String(seed)).digest("hex");

/** Results that come and go, with all else that a log may say, over more than two pages. */
function linesOf(seed: number): MediaLine[] {
  const random = seededRandom(seed);
  const pick = (count: number): number => Math.floor(random() * count);
  const lines: MediaLine[] = [{ op: "begun" }];
  const id = (number: number): string => `media_${number}`;
  for (let number = 0; number < 2.3 * PAGE_ROWS; number += 1) {
    const origin = mediaOrigin({
      request_id: `req_${number}`,
      model: `model-${pick(5)}`,
      key: `key_${pick(3)}`,
      nano: random() < 0.2 ? null : pick(1_000_000),
      prompt: random() < 0.3 ? "the same Ünder 日本" : `A lighthouse, number ${number}.`,
    });
    const pending = { url: "https://files.test/a", target: "files.test:443", expires_at: NOON, origin };
    if (random() < 0.05) lines.push({ op: "pending", pending: { id: id(number), at: NOON, ...pending } });
    if (random() < 0.02) lines.push({ op: "pending", pending: { id: `late_${number}`, at: NOON, ...pending } });
    if (random() < 0.01) lines.push({ op: "drop", id: `late_${number - pick(50)}` });
    const sizes = { bytes: pick(10 ** 9), sha256: hash(pick(500)), width: 4, height: 4, duration_ms: null };
    const entry: MediaEntry = {
      id: id(number),
      at: NOON + number,
      kind: random() < 0.5 ? "image" : "video",
      type: "image/png",
      ...sizes,
      origin: random() < 0.1 ? null : origin,
    };
    lines.push({ op: "add", entry, extension: "png" });
    const earlier = id(pick(number + 1));
    const choice = random();
    if (choice < 0.02) lines.push({ op: "missing", id: earlier });
    else if (choice < 0.03) lines.push({ op: "found", id: earlier });
    else if (choice < 0.05)
      lines.push({ op: "poster", id: earlier, poster: { sha256: hash(pick(500)), extension: "png", bytes: 7 } });
    else if (choice < 0.08) lines.push({ op: "deleted", ids: [earlier, id(number)], until: NOON + pick(100) });
    else if (choice < 0.1) lines.push({ op: "restored", ids: [earlier] });
    else if (choice < 0.12) lines.push({ op: "removed", ids: [earlier] });
  }
  return lines;
}

function diskWith(lines: readonly MediaLine[]): Disk {
  const bytes = Buffer.from(lines.map((line) => frame(JSON.stringify(line))).join(""));
  return {
    files: new Map([
      [LOG, bytes],
      [COPY, bytes],
    ]),
    folders: new Set([DIR, MEDIA]),
  };
}

/** Opens the library and closes it when its pages are written. */
async function opened(disk: Disk): Promise<{ disk: Disk; problems: readonly string[] }> {
  const fs = new SimFs(disk);
  const store = await openMedia({ dir: DIR, fs, disk: ROOMY });
  await store.copied();
  const { problems } = store;
  await store.close();
  return { disk: fs.afterKill(), problems };
}

/** All that a list in memory says. */
async function found(disk: Disk, withPages: boolean): Promise<unknown> {
  const fs = new SimFs(disk);
  const known = await readPages(fs, MEDIA);
  if (withPages) expect(known.pages.length).toBeGreaterThan(0);
  const { index, bytes, damage } = withPages
    ? await replayOnce(fs, MEDIA, "index.ndjson", known)
    : await replayOnce(fs, MEDIA, "index.ndjson");
  const plain = [
    "id",
    "number",
    "at",
    "kind",
    "model",
    "key",
    "nano",
    "prompt",
    "extension",
    "bytes",
    "sha256",
  ] as const;
  const states = ["place", "missing", "poster", "deletedUntil"] as const;
  const { rows, total } = await index.list({ limit: 1_000_000, before: null });
  const search = await index.list({ limit: 10, before: 3_000, q: "lighthouse 12", model: "model-2" });
  return {
    rows: rows.map((row) => [...plain, ...states].map((name) => row[name])),
    total,
    search: [search.rows.map(({ id }) => id), search.total, search.next],
    deleted: index.deleted
      .map(({ id, deletedUntil }) => [id, deletedUntil])
      .toSorted((a, b) => (String(a) < String(b) ? -1 : 1)),
    pending: [...index.pending.keys()],
    size: index.size,
    oldest: Array.from(index.oldestFirst(), ({ id }) => id),
    names: Array.from({ length: dose(100, 500) }, (_, seed) => index.namesOf(hash(seed))),
    unknown: index.get("media_nobody"),
    bytes,
    damage,
  };
}

test.each(thin([1, 2, 3], 3))("pages and the lines behind them say what all lines say (seed %i)", async (seed) => {
  const { disk } = await opened(diskWith(linesOf(seed)));
  expect(disk.files.get(PAGES)?.length).toBeGreaterThan(0);
  expect(await found(disk, true)).toEqual(await found(disk, false));
  // Nothing of it is written a second time.
  expect((await opened(disk)).disk.files.get(PAGES)).toEqual(disk.files.get(PAGES));
});

test("results that come in are in the next page, and a start reads it", async () => {
  const lines = linesOf(4);
  const { disk } = await opened(diskWith(lines.slice(0, 4_000)));
  const fs = new SimFs(disk);
  const store = await openMedia({ dir: DIR, fs, disk: ROOMY });
  for (const line of lines.slice(4_000)) {
    if (line.op === "add") await store.record({ ...line, entry: { ...line.entry, id: `new_${line.entry.id}` } });
  }
  await store.copied();
  await store.close();
  const after = fs.afterKill();
  expect(after.files.get(PAGES)?.length).toBeGreaterThan(disk.files.get(PAGES)?.length ?? 0);
  expect((await readPages(new SimFs(after), MEDIA)).pages).toHaveLength(2);
  expect(await found(after, true)).toEqual(await found(after, false));
});

const { disk: whole } = await opened(diskWith(linesOf(5)));
const flipped = (bytes: Buffer | undefined, at: number): Buffer => {
  const copy = Buffer.from(bytes ?? Buffer.alloc(0));
  copy.writeUInt8((copy[at] ?? 0) ^ 1, at);
  return copy;
};

test("damage in the log is found as it is without pages", async () => {
  for (const share of dose([0.5], [0.1, 0.5, 0.99])) {
    const log = whole.files.get(LOG);
    const damaged = flipped(log, Math.floor((log?.length ?? 0) * share));
    const files = new Map([...whole.files, [LOG, damaged] as const]);
    const { problems, disk } = await opened({ ...whole, files });
    files.delete(PAGES);
    const without = await opened({ ...whole, files });
    expect(problems).toHaveLength(1);
    expect(problems.map((message) => message.replace(/\S*quarantine\S*/, ""))).toEqual(
      without.problems.map((message) => message.replace(/\S*quarantine\S*/, "")),
    );
    expect(await found(disk, true)).toEqual(await found(without.disk, false));
  }
});

test("damaged, cut, foreign and older pages change nothing, and are made anew", async () => {
  const right = await found(whole, false);
  const pages = whole.files.get(PAGES) as Buffer;
  const older = pages.toString("latin1").replace('"format":1', '"format":0');
  const changes = [
    ...thin([0, 5, 9, 1_000, pages.length - 1], 2).map((at) => flipped(pages, at)),
    ...thin([0, 3, 12, pages.length >> 1, pages.length - 1], 2).map((length) => pages.subarray(0, length)),
    Buffer.concat([pages, Buffer.from("what a power cut left")]),
    Buffer.from("another file's"),
    Buffer.from(older, "latin1"),
  ];
  for (const bytes of changes) {
    const { problems, disk } = await opened({ ...whole, files: new Map([...whole.files, [PAGES, bytes]]) });
    expect(problems).toEqual([]);
    expect(await found(disk, false)).toEqual(right);
    expect(await found(disk, true)).toEqual(right);
    expect((await readPages(new SimFs(disk), MEDIA)).pages).toHaveLength(2);
  }
});

test("pages of a log that was written anew go with what was removed", async () => {
  const ids = linesOf(5).flatMap((line) => (line.op === "add" ? [line.entry.id] : []));
  const removed = frame(JSON.stringify({ op: "removed", ids: ids.slice(100) } satisfies MediaLine));
  const log = Buffer.concat([whole.files.get(LOG) as Buffer, Buffer.from(removed)]);
  const files = new Map([...whole.files, [LOG, log] as const, [COPY, log] as const]);
  const { disk, problems } = await opened({ ...whole, files });
  expect(problems).toEqual([]);
  expect(disk.files.get(LOG)?.length).toBeLessThan(log.length / 2);
  expect(disk.files.has(PAGES)).toBe(false);
});

test("a kill while the log is written anew leaves no page of what was removed to the next start", async () => {
  const added = linesOf(5).filter(({ op }) => op === "add");
  const { disk } = await opened(diskWith(added));
  const ids = added.flatMap((line) => (line.op === "add" ? [line.entry.id] : [])).slice(PAGE_ROWS + 10);
  const removed = frame(JSON.stringify({ op: "removed", ids } satisfies MediaLine));
  const log = Buffer.concat([disk.files.get(LOG) as Buffer, Buffer.from(removed)]);
  const fs = new SimFs({ ...disk, files: new Map([...disk.files, [LOG, log] as const, [COPY, log] as const]) });
  const killed: Disk[] = [];
  fs.onStep = () => killed.push(fs.afterKill());
  await (await openMedia({ dir: DIR, fs, disk: ROOMY })).close();
  const anew = killed.filter(({ files }) => (files.get(LOG)?.length ?? 0) < log.length / 2);
  expect(anew).not.toEqual([]);
  const names = ({ files }: Disk): boolean => files.get(PAGES)?.includes("media_4000") ?? false;
  expect(names(disk)).toBe(true);
  for (const left of anew) expect(names((await opened(left)).disk)).toBe(false);
});
