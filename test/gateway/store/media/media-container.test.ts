import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { measureContainer } from "../../../../gateway/store/media/media-container.ts";
import { readContainer } from "../../../../gateway/store/media/media-reader.ts";
import type { MediaMeasure } from "../../../../gateway/store/media/media-measure.ts";
import type { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import { mediaFile } from "../../../support/media-files.ts";
import { iso, webm } from "../../../support/media-samples.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { addMedia, openMedia } from "./media-fixtures.ts";

const NOTHING: MediaMeasure = { width: null, height: null, durationMs: null };

let dir: string;
let store: MediaStore;
beforeAll(async () => {
  dir = await temporaryFolder();
  store = await openMedia({ dir });
});
afterAll(async () => {
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

/** Reads bytes in memory, and remembers how much at most. */
class Reader {
  largest = 0;
  total = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  readonly read = (start: number, end: number): Uint8Array => {
    this.largest = Math.max(this.largest, end - start);
    this.total += end - start;
    const into = new Uint8Array(end - start);
    return into.subarray(0, this.#bytes.copy(into, 0, start, end));
  };
}

describe("a saved file", () => {
  it.each<[string, MediaMeasure & { type: string }]>([
    ["faststart.mp4", { type: "video/mp4", width: 320, height: 180, durationMs: 2_500 }],
    ["moov-at-end.mp4", { type: "video/mp4", width: 320, height: 180, durationMs: 2_500 }],
    ["fragmented.mp4", { type: "video/mp4", width: 320, height: 180, durationMs: 2_700 }],
    ["vp9.webm", { type: "video/webm", width: 320, height: 180, durationMs: 2_500 }],
    ["live.webm", { type: "video/webm", width: 320, height: 180, durationMs: 2_500 }],
    ["tone.aac", { type: "audio/aac", width: null, height: null, durationMs: 3_228 }],
    ["tone.m4a", { type: "audio/mp4", width: null, height: null, durationMs: 3_200 }],
  ])("%s is measured as what it is", async (name, { type, width, height, durationMs }) => {
    const entry = await addMedia(store, name.replace(/\W/g, "_"), mediaFile(name));
    expect(entry).toMatchObject({ type, width, height, duration_ms: durationMs });
  });

  it("that comes in small pieces, its index last, is measured all the same", async () => {
    const bytes = mediaFile("moov-at-end.mp4");
    function* pieces(): Generator<Buffer> {
      for (let at = 0; at < bytes.length; at += 997) yield bytes.subarray(at, at + 997);
    }
    expect((await store.save(pieces())).measure).toEqual({ width: 320, height: 180, durationMs: 2_500 });
  });

  it.each([
    ["an MP4 without an index", iso("isom")],
    ["a WebM without anything", webm()],
    ["an MP4 that was cut", mediaFile("moov-at-end.mp4").subarray(0, 9_000)],
  ])("that is %s is saved without measures", async (_name, bytes) => {
    expect((await store.save([bytes])).measure).toEqual(NOTHING);
  });
});

/** A video whose index says that one of its frames goes on for 2³² frames. */
function endlessVideo(): Buffer {
  const bytes = Buffer.from(mediaFile("moov-at-end.mp4"));
  for (let at = bytes.indexOf("stts"); at >= 0; at = bytes.indexOf("stts", at + 4)) {
    bytes.writeUInt32BE(0xffff_ffff, at + 12);
  }
  return bytes;
}

describe("measuring", () => {
  it("reads no index of a size that none has", async () => {
    const bytes = Buffer.from(mediaFile("moov-at-end.mp4"));
    bytes.writeUInt32BE(0x7fff_ffff, bytes.indexOf("moov") - 4);
    const reader = new Reader(bytes);
    await readContainer("mp4", 2 ** 31 - 1, reader.read);
    expect(reader.largest).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect(reader.total).toBeLessThanOrEqual(128 * 1024 * 1024);
  });

  it("of a file that would take all memory costs a thread its life, and nothing else", async () => {
    const before = process.memoryUsage().rss;
    const path = join(dir, "endless.mp4");
    await writeFile(path, endlessVideo());
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    expect(await measureContainer({ path, extension: "mp4", bytes: endlessVideo().length })).toMatchObject({
      durationMs: null,
    });
    clearInterval(timer);
    // The event loop of this thread went on meanwhile.
    expect(turns).toBeGreaterThan(5);
    expect(process.memoryUsage().rss - before).toBeLessThan(512 * 1024 * 1024);
    expect((await store.save([endlessVideo()])).bytes).toBe(endlessVideo().length);
  }, 60_000);

  it("goes on with the next file, whatever became of the one before", async () => {
    const good = join(dir, "good.mp4");
    const bad = join(dir, "bad.mp4");
    await writeFile(good, mediaFile("faststart.mp4"));
    await writeFile(bad, endlessVideo());
    const measured: MediaMeasure[] = [];
    for (const path of [good, good, bad, join(dir, "none.mp4"), good]) {
      const { length } = path === bad ? endlessVideo() : mediaFile("faststart.mp4");
      measured.push(await measureContainer({ path, extension: "mp4", bytes: length }));
    }
    const video = { width: 320, height: 180, durationMs: 2_500 };
    expect(measured).toEqual([video, video, expect.objectContaining({ durationMs: null }), NOTHING, video]);
  }, 60_000);

  it("of a file that is not there is nothing", async () => {
    expect(await measureContainer({ path: join(dir, "none.mp4"), extension: "mp4", bytes: 9 })).toEqual(NOTHING);
  });

  it("survives any damage, in the time that it is given", async () => {
    const names = [
      "faststart.mp4",
      "moov-at-end.mp4",
      "fragmented.mp4",
      "vp9.webm",
      "live.webm",
      "tone.aac",
      "tone.m4a",
    ];
    const samples = names.map((name) => ({ extension: name.split(".")[1] ?? "", bytes: mediaFile(name) }));
    const path = join(dir, "damaged");
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...samples),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 30 }),
        fc.nat(),
        async ({ extension, bytes: sample }, changes, cut) => {
          const bytes = Buffer.from(sample);
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          const part = bytes.subarray(0, bytes.length - (cut % 4 === 0 ? cut % bytes.length : 0));
          await writeFile(path, part);
          // In a thread: some of these keep the reader busy for ever.
          const measured = await measureContainer({ path, extension, bytes: part.length }, 1_000);
          for (const value of Object.values(measured).filter((found) => found !== null)) {
            expect(value).toBeGreaterThanOrEqual(0);
            expect(value).toSatisfy(Number.isSafeInteger);
          }
        },
      ),
      { numRuns: 20, endOnFailure: true },
    );
  }, 120_000);
});
