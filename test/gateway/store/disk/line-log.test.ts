import { mkdtemp, mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LineLog, type LinePlace } from "../../../../gateway/store/disk/line-log.ts";
import { nodeStoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import { StoreWriteError } from "../../../../gateway/store/store.ts";

let dir: string;
let log: LineLog;
const openLog = (): LineLog => new LineLog(nodeStoreFs, join(dir, "logs", "log.ndjson"), { name: "log" });
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "postern-log-"));
  await mkdir(join(dir, "logs"));
  log = openLog();
});
afterEach(async () => {
  await log.close();
  await rm(dir, { recursive: true, force: true });
});

it("gives each line its place, whatever else is written at the same time", async () => {
  const values = Array.from({ length: 200 }, (_, index) => ({ index, text: "é".repeat(index) }));
  const places = await Promise.all(values.map((value) => log.append(value)));
  expect(await Promise.all(places.map((place) => log.read(place)))).toEqual(values);
});

it("takes a line at any moment of the writing of another", async () => {
  // Each of these comes some microtasks after the one before was acknowledged.
  for (let ticks = 0; ticks < 12; ticks += 1) {
    await log.append({ ticks });
    for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
    await log.append({ ticks, second: true });
  }
  const seen: unknown[] = [];
  await openLog().replay((value) => seen.push(value));
  expect(seen).toHaveLength(24);
});

it("reads lines back across the limits of what it reads at once", async () => {
  const values = Array.from({ length: 60 }, (_, index) => ({ index, text: "x".repeat(index * 1_500) }));
  for (const value of values) await log.append(value);
  const seen: unknown[] = [];
  const again = openLog();
  const places: LinePlace[] = [];
  const damage = await again.replay((value, place) => {
    seen.push(value);
    places.push(place);
  });
  expect(damage).toBeNull();
  expect(seen).toEqual(values);
  expect(await Promise.all(places.map((place) => again.read(place)))).toEqual(values);
  await again.close();
});

it("refuses a line that it could not read again, and lines after its end", async () => {
  await expect(log.append({ text: "x".repeat(200_000) })).rejects.toBeInstanceOf(StoreWriteError);
  await log.close();
  await expect(log.append({})).rejects.toBeInstanceOf(StoreWriteError);
});
