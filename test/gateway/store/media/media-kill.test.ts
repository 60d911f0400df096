import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import { tmpdir } from "node:os";
import { bundled } from "../../../run/bundled.ts";
import { seededRandom } from "../fixtures.ts";
import { openMedia } from "./media-fixtures.ts";

const CHILD = await bundled("test/gateway/store/media/media-kill-child.ts");
const ROUNDS = Number(process.env["MEDIA_KILLS"] ?? 8);

/**
 * Runs the child until some milliseconds after so many results are saved, in the middle of others. @returns what it was
 * reported is saved
 */
async function runAndKill(dir: string, round: number, saved: number, life: number): Promise<string[]> {
  const child = spawn(process.execPath, [CHILD, dir, String(round)], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  let text = "";
  const enough = Promise.withResolvers<void>();
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    // The first line says that it is ready.
    if (text.split("\n").length > saved + 1) enough.resolve();
  });
  await Promise.race([enough.promise, closed]);
  const timer = setTimeout(() => child.kill("SIGKILL"), life);
  await closed;
  clearTimeout(timer);
  const [first, ...reports] = text.split("\n").slice(0, -1);
  expect(first).toBe("ready");
  return reports;
}

/** Every entry's file has its size and its hash. */
async function expectWhole(store: MediaStore, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const found = await store.find(id);
    if (found === null) throw new Error(`${id} is lost`);
    const file = await store.files.open(found);
    if (file === null) throw new Error(`the file of ${id} is lost`);
    const bytes = Buffer.alloc(found.entry.bytes);
    await file.read(bytes, 0);
    await file.close();
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(found.entry.sha256);
  }
}

test("a killed process leaves every saved result whole, and no half one", async () => {
  const dir = await mkdtemp(join(tmpdir(), "postern-kill-"));
  const random = seededRandom(11);
  const reports: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    reports.push(...(await runAndKill(dir, round, 1 + Math.floor(random() * 8), random() * 30)));
    const store = await openMedia({ dir });
    const ids = (await store.list({ limit: 100_000, before: null })).data.map(({ entry }) => entry.id);
    expect(ids).toEqual(expect.arrayContaining(reports));
    await expectWhole(store, ids);
    expect(await readdir(join(dir, "media", "incoming"))).toEqual([]);
    await store.close();
  }
  expect(reports.length).toBeGreaterThan(ROUNDS);
  await rm(dir, { recursive: true, force: true });
}, 60_000);
