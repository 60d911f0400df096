import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { measureContainer } from "../../../../gateway/store/media/media-container.ts";
import type { MediaMeasure } from "../../../../gateway/store/media/media-measure.ts";
import type { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import { mediaFile } from "../../../support/media-files.ts";
import { iso, webm } from "../../../support/media-samples.ts";
import { dose } from "../../../support/dose.ts";
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
    const entry = await addMedia(store, `media_${name.replace(/\W/g, "_")}`, mediaFile(name));
    expect(entry).toMatchObject({ type, width, height, duration_ms: durationMs });
  });

  it("that comes in small pieces, its index last, is measured all the same", async () => {
    const bytes = mediaFile("moov-at-end.mp4");
    function* pieces(): Generator<Buffer> {
      for (let at = 0; at < bytes.length; at += 997) yield bytes.subarray(at, at + 997);
    }
    expect((await store.save("media_1", pieces())).measure).toEqual({ width: 320, height: 180, durationMs: 2_500 });
  });

  it.each([
    ["an MP4 without an index", iso("isom")],
    ["a WebM without anything", webm()],
    ["an MP4 that was cut", mediaFile("moov-at-end.mp4").subarray(0, 9_000)],
  ])("that is %s is saved without measures", async (_name, bytes) => {
    expect((await store.save("media_1", [bytes])).measure).toEqual(NOTHING);
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
    const path = join(dir, "large.mp4");
    await writeFile(path, bytes);
    expect(await measureContainer({ path, extension: "mp4", bytes: 2 ** 31 - 1 })).toEqual(NOTHING);
  });

  it("of a file that lies about its samples takes neither time nor memory, and the next file is measured", async () => {
    const before = process.memoryUsage().rss;
    const measured: MediaMeasure[] = [];
    for (const [name, bytes] of [
      ["bad", endlessVideo()],
      ["good", mediaFile("faststart.mp4")],
    ] as const) {
      const path = join(dir, `${name}.mp4`);
      await writeFile(path, bytes);
      measured.push(await measureContainer({ path, extension: "mp4", bytes: bytes.length }));
    }
    const video = { width: 320, height: 180, durationMs: 2_500 };
    expect(measured).toEqual([video, video]);
    expect(process.memoryUsage().rss - before).toBeLessThan(512 * 1024 * 1024);
  });

  it("of a file that is not there is nothing", async () => {
    expect(await measureContainer({ path: join(dir, "none.mp4"), extension: "mp4", bytes: 9 })).toEqual(NOTHING);
  });

  it("survives any damage", async () => {
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
          const measured = await measureContainer({ path, extension, bytes: part.length });
          for (const value of Object.values(measured).filter((found) => found !== null)) {
            expect(value).toBeGreaterThanOrEqual(0);
            expect(value).toSatisfy(Number.isSafeInteger);
          }
        },
      ),
      { numRuns: dose(50, 1_000) },
    );
  }, 120_000);
});
