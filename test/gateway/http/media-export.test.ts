import { createHash } from "node:crypto";
import { readdir, readlink, rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { errorOf, until } from "../../support/running-gateway.ts";
import { LARGE, useMediaGateway, PICTURE, SOUND } from "./media-gateway.ts";
import { needs } from "../../support/needs.ts";

const media = useMediaGateway();

const offer = async (ids: readonly string[]): Promise<string> =>
  (await media.gateway.ask<{ link: string }>("POST", "/media/export", { ids })).link;

interface Provenance {
  readonly [name: string]: unknown;
}
interface Index {
  readonly results: readonly { id: string; file: string | null; provenance: string | null; sha256: string | null }[];
}

async function unzip(link: string): Promise<{ files: Record<string, Uint8Array>; index: Index }> {
  const response = await media.get(link);
  expect(response.status).toBe(200);
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return { files, index: JSON.parse(Buffer.from(files["index.json"] ?? []).toString()) as Index };
}

describe("an export", () => {
  it("holds each file, what it came from, and a list", async () => {
    const { files, index } = await unzip(await offer(["media_sound", "media_picture", "media_sound"]));
    const sound = "2026-11-20-gamma3-media_sound.wav";
    const picture = "2026-11-20-gpt-image-1-media_picture.png";
    expect(Object.keys(files)).toEqual([sound, `${sound}.json`, picture, `${picture}.json`, "index.json"]);
    expect(Buffer.from(files[sound] ?? [])).toEqual(SOUND);
    expect(Buffer.from(files[picture] ?? [])).toEqual(PICTURE);
    expect(index.results).toEqual([
      { id: "media_sound", file: sound, provenance: `${sound}.json`, sha256: media.sound.sha256 },
      {
        id: "media_picture",
        file: picture,
        provenance: `${picture}.json`,
        sha256: createHash("sha256").update(PICTURE).digest("hex"),
      },
    ]);
    const about = JSON.parse(Buffer.from(files[`${sound}.json`] ?? []).toString()) as Provenance;
    expect(about).toMatchObject({
      id: "media_sound",
      created: new Date(media.sound.at).toISOString(),
      prompt: "Say hello.",
      model: "gamma3",
      parameters: { size: "1024x1024" },
      seed: 7,
      cost_usd: 0.04,
      key: "key_1",
      request_id: "req_1",
      sha256: media.sound.sha256,
    });
  });

  it("is declared as a file to save, and as nothing that may act", async () => {
    const response = await media.get(await offer(["media_picture"]));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/zip",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "content-disposition": expect.stringMatching(
        /^attachment; filename="postern-media-\d{4}-\d\d-\d\d\.zip"$/,
      ) as string,
    });
    await response.arrayBuffer();
  });

  it("lists what is gone, and brings the rest", async () => {
    const { sha256, path } = await media.view("media_gone");
    await rm(path);
    const { files, index } = await unzip(await offer(["media_gone", "media_nobody", "media_picture"]));
    expect(index.results.map(({ id, file }) => [id, file !== null])).toEqual([
      ["media_gone", false],
      ["media_nobody", false],
      ["media_picture", true],
    ]);
    expect(index.results[0]).toMatchObject({ sha256, provenance: expect.stringContaining("media_gone") as string });
    expect(Object.keys(files)).toHaveLength(4);
  });

  it("of nothing that is there is not offered", async () => {
    const response = await media.gateway.control("POST", "/media/export", { ids: ["media_nobody"] });
    expect(response.status).toBe(404);
  });

  it("works once", async () => {
    const link = await offer(["media_picture"]);
    expect((await media.get(link, {}, "POST")).status).toBe(405);
    await (await media.get(link)).arrayBuffer();
    const again = await media.get(link);
    expect(again.status).toBe(403);
    expect(await errorOf(again)).toMatchObject({ code: "invalid_media_link" });
  });

  it("works for ten minutes", async () => {
    const link = await offer(["media_picture"]);
    media.clock.advance(10 * 60_000);
    expect(await errorOf(await media.get(link))).toMatchObject({ code: "media_link_expired" });
  });

  it.each(["/media/export/guessed", "/media/export/", "/media/export/a/b"])(
    "is not found by guessing %s",
    async (path) => {
      expect([403, 404]).toContain((await media.get(path)).status);
    },
  );

  it.runIf(process.platform === "linux")(
    "goes no faster than it is read, and closes its file when no one reads on",
    needs("Linux"),
    async () => {
      const link = await offer(["media_large", "media_picture"]);
      const openFiles = async (): Promise<number> => {
        const names = await readdir("/proc/self/fd");
        const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => "")));
        return targets.filter((target) => target.startsWith(join(media.dataDir, "media")) && target.endsWith(".wav"))
          .length;
      };
      const before = process.memoryUsage().arrayBuffers;
      const socket = connect(media.gateway.port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.pause();
      socket.write(`GET ${link} HTTP/1.1\r\nhost: 127.0.0.1:${media.gateway.port}\r\n\r\n`);
      await until(async () => (await openFiles()) === 1);
      for (let round = 0; round < 100; round += 1) await (await media.get("/health")).arrayBuffer();
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
      expect(await openFiles()).toBe(1);
      socket.destroy();
      await until(async () => (await openFiles()) === 0);
      expect(LARGE.length).toBeGreaterThan(16 * 1024 * 1024);
    },
  );
});
