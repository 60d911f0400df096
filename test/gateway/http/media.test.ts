import { connect } from "node:net";
import { readFile, readdir, readlink, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { errorOf, until } from "../../support/running-gateway.ts";
import { LARGE, useMediaGateway, SOUND } from "./media-gateway.ts";
import { needs } from "../../support/needs.ts";

let bearer: string;
const media = useMediaGateway();
beforeAll(async () => {
  bearer = await media.gateway.signIn();
});

describe("a result", () => {
  it("brings the file, without a key, as what it is and nothing else", async () => {
    const response = await media.get(await media.linkTo("media_sound"));
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(SOUND);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "audio/wav",
      "content-length": String(SOUND.length),
      "accept-ranges": "bytes",
      etag: `"${media.sound.sha256}"`,
      "cache-control": "private, max-age=86400, immutable",
      "content-disposition": 'inline; filename="postern-2026-11-20-ia_sound.wav"',
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
    });
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("sandbox");
    expect(policy).not.toContain("allow-scripts");
    expect(policy).not.toContain("script-src");
  });

  it.each([
    ["media_picture", "image/png"],
    ["media_mp3", "audio/mpeg"],
    ["media_video", "video/mp4"],
  ])("to %s is of the type %s", async (id, type) => {
    const response = await media.get(await media.linkTo(id));
    expect(response.headers.get("content-type")).toBe(type);
    await response.body?.cancel();
  });

  it("answers HEAD with the same head and no body", async () => {
    const link = await media.linkTo("media_sound");
    const [head, whole] = await Promise.all([media.get(link, { range: "bytes=0-1" }, "HEAD"), media.get(link)]);
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
    for (const name of ["content-type", "content-length", "etag", "accept-ranges", "content-disposition"]) {
      expect(head.headers.get(name)).toBe(whole.headers.get(name));
    }
    await whole.body?.cancel();
  });
});

const N = SOUND.length;

describe("a range", () => {
  it.each<[string, number, number]>([
    ["bytes=0-0", 0, 0],
    ["bytes=0-43", 0, 43],
    ["bytes=44-", 44, N - 1],
    ["bytes=-10", N - 10, N - 1],
    [`bytes=-${N + 5}`, 0, N - 1],
    [`bytes=${N - 1}-`, N - 1, N - 1],
    [`bytes=0-${N * 10}`, 0, N - 1],
    ["bytes=0-", 0, N - 1],
  ])("%s is sent as asked", async (range, first, last) => {
    const response = await media.get(await media.linkTo("media_sound"), { range });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(`bytes ${first}-${last}/${N}`);
    expect(response.headers.get("content-length")).toBe(String(last - first + 1));
    expect(Buffer.from(await response.arrayBuffer())).toEqual(SOUND.subarray(first, last + 1));
  });

  it.each([`bytes=${N}-`, `bytes=${N}-${N + 5}`, "bytes=-0", "bytes=9-3", "bytes=0-1,5-6", "bytes=x", "bytes=--1"])(
    "%s cannot be sent",
    async (range) => {
      const response = await media.get(await media.linkTo("media_sound"), { range });
      expect(response.status).toBe(416);
      expect(response.headers.get("content-range")).toBe(`bytes */${N}`);
      expect(await errorOf(response)).toMatchObject({ code: "range_not_satisfiable" });
    },
  );

  it("in another unit is passed over", async () => {
    const response = await media.get(await media.linkTo("media_sound"), { range: "seconds=0-1" });
    expect(response.status).toBe(200);
    expect((await response.arrayBuffer()).byteLength).toBe(N);
  });

  it.each<[string, () => string, number]>([
    ["the same tag", () => `"${media.sound.sha256}"`, 206],
    ["another tag", () => '"other"', 200],
    ["a weak tag", () => `W/"${media.sound.sha256}"`, 200],
    ["a date", () => new Date(0).toUTCString(), 200],
  ])("with If-Range of %s", async (_name, condition, status) => {
    const response = await media.get(await media.linkTo("media_sound"), {
      range: "bytes=0-9",
      "if-range": condition(),
    });
    expect(response.status).toBe(status);
    expect((await response.arrayBuffer()).byteLength).toBe(status === 206 ? 10 : N);
  });
});

it.each<[string, number]>([
  ["TAG", 304],
  ["W/TAG", 304],
  ['"a", TAG', 304],
  ["*", 304],
  ['"other"', 206],
])("a copy of %s gets %i", async (tags, status) => {
  const condition = tags.replace("TAG", `"${media.sound.sha256}"`);
  const response = await media.get(await media.linkTo("media_sound"), {
    "if-none-match": condition,
    range: "bytes=0-",
  });
  expect(response.status).toBe(status);
  expect((await response.arrayBuffer()).byteLength).toBe(status === 304 ? 0 : N);
});

it("says that a file is gone, and marks it in the list", async () => {
  const { path, link } = await media.view("media_gone");
  await rm(path);
  const response = await media.get(link);
  expect(response.status).toBe(404);
  expect(await errorOf(response)).toMatchObject({ code: "not_found", message: expect.stringContaining("media_gone") });
  expect(await media.view("media_gone")).toMatchObject({ available: false });
});

it.each(["POST", "PUT", "DELETE", "PATCH"])("takes no %s", async (method) => {
  const response = await media.get(await media.linkTo("media_sound"), {}, method);
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe("GET, HEAD");
});

it.each([
  "/media",
  "/media/",
  "/media/a/b",
  "/media/..%2f..%2fpostern.json",
  "/media/%2e%2e/links.key",
  "/media/links.key",
])("has nothing at %s", async (path) => {
  const response = await media.get(path, { authorization: `Bearer ${bearer}` });
  expect(response.status).toBe(404);
  expect(await errorOf(response)).toMatchObject({ code: "unknown_url" });
});

it.each([
  { "sec-fetch-site": "cross-site", "sec-fetch-dest": "image" },
  { "sec-fetch-site": "same-site" },
  { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
  { origin: "https://evil.example" },
])("is not embedded by another site: %o", async (headers) => {
  const response = await media.get(await media.linkTo("media_picture"), headers);
  expect(response.status).toBe(403);
  expect(await errorOf(response)).toMatchObject({ code: "forbidden_origin" });
});

describe("a slow client", () => {
  const ask = async (id: string): Promise<ReturnType<typeof connect>> => {
    const link = await media.linkTo(id);
    const socket = connect(media.gateway.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(`GET ${link} HTTP/1.1\r\nhost: 127.0.0.1:${media.gateway.port}\r\nconnection: close\r\n\r\n`);
    return socket;
  };
  const openFiles = async (): Promise<number> => {
    const names = await readdir("/proc/self/fd");
    const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => "")));
    return targets.filter((target) => target.startsWith(join(media.dataDir, "media")) && target.endsWith(".wav"))
      .length;
  };

  it("gets a large file whole, and not faster than it reads", async () => {
    const socket = await ask("media_large");
    const before = process.memoryUsage().arrayBuffers;
    socket.pause();
    // Time enough for a sender that does not wait to have read it all.
    for (let round = 0; round < 100; round += 1) await (await media.get("/health")).arrayBuffer();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
    const parts: Buffer[] = [];
    for await (const part of socket) parts.push(part as Buffer);
    const whole = Buffer.concat(parts);
    expect(whole.subarray(whole.indexOf("\r\n\r\n") + 4).equals(LARGE)).toBe(true);
  });

  it.runIf(process.platform === "linux")("that leaves closes the file", needs("Linux"), async () => {
    const sockets = await Promise.all(Array.from({ length: 5 }, () => ask("media_large")));
    for (const socket of sockets) socket.pause();
    await until(async () => (await openFiles()) === 5);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await openFiles()) === 0);
    expect(sockets.every((socket) => socket.destroyed)).toBe(true);
  });
});

it("ends the connection when a file is cut while it is sent", async () => {
  const { path, link } = await media.view("media_large");
  const response = await media.get(link);
  const reader = response.body?.getReader();
  await reader?.read();
  await truncate(path, 100);
  const drained = async (): Promise<void> => {
    for (;;) if ((await reader?.read())?.done !== false) return;
  };
  await expect(drained()).rejects.toThrow("terminated");
  expect((await readFile(path)).length).toBe(100);
});
