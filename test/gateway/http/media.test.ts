import { connect } from "node:net";
import { readFile, readdir, readlink, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MediaEntry, MediaPage, MediaView } from "../../../gateway/contract/media.ts";
import { KEY, errorOf, startGateway, temporaryFolder, until } from "../../support/running-gateway.ts";
import type { TestGateway } from "../../support/running-gateway.ts";
import { iso, mp3, png, wav } from "../../support/media-samples.ts";
import { TestClock } from "../../support/test-clock.ts";
import { addMedia, openMedia } from "../store/media-fixtures.ts";

const DAY_MS = 86_400_000;
const clock = new TestClock();
const SOUND = wav(200);
const LARGE = Buffer.concat([wav(20), Buffer.alloc(24 * 1024 * 1024, 7)]);
let dataDir: string;
let gateway: TestGateway;
let bearer: string;
let sound: MediaEntry;

beforeAll(async () => {
  dataDir = await temporaryFolder();
  const store = await openMedia({ dir: dataDir });
  sound = await addMedia(store, "media_sound", SOUND, { model: "gamma3", prompt: "Say hello." });
  await addMedia(store, "media_picture", png(32, 16));
  await addMedia(store, "media_mp3", mp3(10));
  await addMedia(store, "media_video", iso("isom"));
  await addMedia(store, "media_gone", png(1, 1));
  await addMedia(store, "media_large", LARGE);
  await store.close();
  gateway = await startGateway({ dataDir, clock });
  bearer = await gateway.signIn();
});
afterAll(() => gateway.close());

const view = (id: string): Promise<MediaView> => gateway.ask<MediaView>("GET", `/media/${id}`);
const linkTo = async (id: string): Promise<string> => (await view(id)).link;
const get = (path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> =>
  fetch(`${gateway.url}${path}`, { method, headers });

describe("a signed link", () => {
  it("brings the file, without a key, as what it is and nothing else", async () => {
    const response = await get(await linkTo("media_sound"));
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(SOUND);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "audio/wav",
      "content-length": String(SOUND.length),
      "accept-ranges": "bytes",
      etag: `"${sound.sha256}"`,
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
    const response = await get(await linkTo(id));
    expect(response.headers.get("content-type")).toBe(type);
    await response.body?.cancel();
  });

  it("answers HEAD with the same head and no body", async () => {
    const link = await linkTo("media_sound");
    const [head, whole] = await Promise.all([get(link, { range: "bytes=0-1" }, "HEAD"), get(link)]);
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
    for (const name of ["content-type", "content-length", "etag", "accept-ranges", "content-disposition"]) {
      expect(head.headers.get(name)).toBe(whole.headers.get(name));
    }
    await whole.body?.cancel();
  });

  it("is good for a day, by the clock", async () => {
    const made = clock.now();
    const { link, link_expires_at: until24h } = await view("media_picture");
    expect(until24h).toBeGreaterThan(made + DAY_MS - 2_000);
    expect(until24h).toBeLessThanOrEqual(clock.now() + DAY_MS);
    clock.advance(DAY_MS - 5_000);
    expect((await get(link)).status).toBe(200);
    clock.advance(6_000);
    const late = await get(link);
    expect(late.status).toBe(403);
    expect(await errorOf(late)).toMatchObject({ code: "media_link_expired", type: "permission_error" });
  });

  it("is refused with any one bit of its signature changed", async () => {
    const link = new URL(`${gateway.url}${await linkTo("media_picture")}`);
    const signature = link.searchParams.get("signature") ?? "";
    expect(signature).toMatch(/^[0-9a-f]{64}$/);
    const bits = Array.from({ length: signature.length * 8 }, (_, bit) => bit);
    const statuses = await Promise.all(
      bits.map(async (bit) => {
        const bytes = Buffer.from(signature, "latin1");
        bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        const tampered = new URL(link);
        tampered.searchParams.set("signature", bytes.toString("latin1"));
        const response = await fetch(tampered);
        await response.arrayBuffer();
        return response.status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([403]));
    expect((await fetch(link)).status).toBe(200);
  });

  it.each<[string, (link: URL) => void]>([
    ["another id", (link) => (link.pathname = "/media/media_sound")],
    [
      "a later expiry",
      (link) => link.searchParams.set("expires", String(Number(link.searchParams.get("expires")) + 1)),
    ],
    ["an expiry written otherwise", (link) => link.searchParams.set("expires", `0${link.searchParams.get("expires")}`)],
    ["no expiry", (link) => link.searchParams.delete("expires")],
    ["an empty signature", (link) => link.searchParams.set("signature", "")],
    ["no signature", (link) => link.searchParams.delete("signature")],
    [
      "upper case",
      (link) => link.searchParams.set("signature", link.searchParams.get("signature")?.toUpperCase() ?? ""),
    ],
    ["a longer signature", (link) => link.searchParams.set("signature", `${link.searchParams.get("signature")}0`)],
    ["a signature of many bytes", (link) => link.searchParams.set("signature", "é".repeat(64))],
    ["two signatures", (link) => link.searchParams.append("signature", link.searchParams.get("signature") ?? "")],
    ["two expiries", (link) => link.searchParams.append("expires", "9999999999")],
    ["an id that is not there", (link) => (link.pathname = "/media/media_nobody")],
  ])("is refused with %s", async (_name, change) => {
    const link = new URL(`${gateway.url}${await linkTo("media_picture")}`);
    change(link);
    const response = await fetch(link);
    expect(response.status).toBe(403);
    expect(await errorOf(response)).toMatchObject({ code: "invalid_media_link" });
  });

  it("does not stop working with a restart", async () => {
    const folder = await temporaryFolder();
    const store = await openMedia({ dir: folder });
    await addMedia(store, "media_1", png(2, 2));
    await store.close();
    const first = await startGateway({ dataDir: folder });
    const { link } = await first.ask<MediaView>("GET", "/media/media_1");
    await first.stop();
    const second = await startGateway({ dataDir: folder });
    expect((await fetch(`${second.url}${link}`)).status).toBe(200);
    await second.close();
  });
});

describe("instead of a signature", () => {
  it("the control bearer is taken", async () => {
    const response = await get("/media/media_picture", { authorization: `Bearer ${bearer}` });
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(png(32, 16));
  });

  it("a local key is not", async () => {
    const response = await get("/media/media_picture", { authorization: `Bearer ${KEY}` });
    expect(response.status).toBe(401);
    expect(await errorOf(response)).toMatchObject({ code: "invalid_control_token" });
  });

  it("nothing is refused before it is said whether there is such a file", async () => {
    for (const id of ["media_picture", "media_nobody"]) {
      expect(await errorOf(await get(`/media/${id}`))).toMatchObject({ code: "invalid_media_link" });
    }
  });

  it("an unknown id is not found", async () => {
    const response = await get("/media/media_nobody", { authorization: `Bearer ${bearer}` });
    expect(response.status).toBe(404);
    expect(await errorOf(response)).toMatchObject({
      code: "not_found",
      message: expect.stringContaining("media_nobody"),
    });
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
    const response = await get(await linkTo("media_sound"), { range });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(`bytes ${first}-${last}/${N}`);
    expect(response.headers.get("content-length")).toBe(String(last - first + 1));
    expect(Buffer.from(await response.arrayBuffer())).toEqual(SOUND.subarray(first, last + 1));
  });

  it.each([`bytes=${N}-`, `bytes=${N}-${N + 5}`, "bytes=-0", "bytes=9-3", "bytes=0-1,5-6", "bytes=x", "bytes=--1"])(
    "%s cannot be sent",
    async (range) => {
      const response = await get(await linkTo("media_sound"), { range });
      expect(response.status).toBe(416);
      expect(response.headers.get("content-range")).toBe(`bytes */${N}`);
      expect(await errorOf(response)).toMatchObject({ code: "range_not_satisfiable" });
    },
  );

  it("in another unit is passed over", async () => {
    const response = await get(await linkTo("media_sound"), { range: "seconds=0-1" });
    expect(response.status).toBe(200);
    expect((await response.arrayBuffer()).byteLength).toBe(N);
  });

  it.each<[string, () => string, number]>([
    ["the same tag", () => `"${sound.sha256}"`, 206],
    ["another tag", () => '"other"', 200],
    ["a weak tag", () => `W/"${sound.sha256}"`, 200],
    ["a date", () => new Date(0).toUTCString(), 200],
  ])("with If-Range of %s", async (_name, condition, status) => {
    const response = await get(await linkTo("media_sound"), { range: "bytes=0-9", "if-range": condition() });
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
  const condition = tags.replace("TAG", `"${sound.sha256}"`);
  const response = await get(await linkTo("media_sound"), { "if-none-match": condition, range: "bytes=0-" });
  expect(response.status).toBe(status);
  expect((await response.arrayBuffer()).byteLength).toBe(status === 304 ? 0 : N);
});

it("says that a file is gone, and marks it in the list", async () => {
  const { sha256, link } = await view("media_gone");
  await rm(join(dataDir, "media", sha256.slice(0, 2), `${sha256}.png`));
  const response = await get(link);
  expect(response.status).toBe(404);
  expect(await errorOf(response)).toMatchObject({ code: "not_found", message: expect.stringContaining("media_gone") });
  expect(await view("media_gone")).toMatchObject({ available: false });
});

it.each(["POST", "PUT", "DELETE", "PATCH"])("takes no %s", async (method) => {
  const response = await get(await linkTo("media_sound"), {}, method);
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
  const response = await get(path, { authorization: `Bearer ${bearer}` });
  expect(response.status).toBe(404);
  expect(await errorOf(response)).toMatchObject({ code: "unknown_url" });
});

it.each([
  { "sec-fetch-site": "cross-site", "sec-fetch-dest": "image" },
  { "sec-fetch-site": "same-site" },
  { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
  { origin: "https://evil.example" },
])("is not embedded by another site: %o", async (headers) => {
  const response = await get(await linkTo("media_picture"), headers);
  expect(response.status).toBe(403);
  expect(await errorOf(response)).toMatchObject({ code: "forbidden_origin" });
});

describe("a slow client", () => {
  const ask = async (id: string): Promise<ReturnType<typeof connect>> => {
    const link = await linkTo(id);
    const socket = connect(gateway.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(`GET ${link} HTTP/1.1\r\nhost: 127.0.0.1:${gateway.port}\r\nconnection: close\r\n\r\n`);
    return socket;
  };
  const openFiles = async (): Promise<number> => {
    const names = await readdir("/proc/self/fd");
    const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => "")));
    return targets.filter((target) => target.startsWith(join(dataDir, "media")) && target.endsWith(".wav")).length;
  };

  it("gets a large file whole, and not faster than it reads", async () => {
    const socket = await ask("media_large");
    const before = process.memoryUsage().arrayBuffers;
    socket.pause();
    // Time enough for a sender that does not wait to have read it all.
    for (let round = 0; round < 100; round += 1) await (await get("/health")).arrayBuffer();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
    const parts: Buffer[] = [];
    for await (const part of socket) parts.push(part as Buffer);
    const whole = Buffer.concat(parts);
    expect(whole.subarray(whole.indexOf("\r\n\r\n") + 4).equals(LARGE)).toBe(true);
  });

  it.runIf(process.platform === "linux")("that leaves closes the file", async () => {
    const sockets = await Promise.all(Array.from({ length: 5 }, () => ask("media_large")));
    for (const socket of sockets) socket.pause();
    await until(async () => (await openFiles()) === 5);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await openFiles()) === 0);
    expect(sockets.every((socket) => socket.destroyed)).toBe(true);
  });
});

it("ends the connection when a file is cut while it is sent", async () => {
  const { sha256, link } = await view("media_large");
  const path = join(dataDir, "media", sha256.slice(0, 2), `${sha256}.wav`);
  const response = await get(link);
  const reader = response.body?.getReader();
  await reader?.read();
  await truncate(path, 100);
  const drained = async (): Promise<void> => {
    for (;;) if ((await reader?.read())?.done !== false) return;
  };
  await expect(drained()).rejects.toThrow("terminated");
  expect((await readFile(path)).length).toBe(100);
});

describe("GET /control/media", () => {
  it("lists newest first, with where each came from and a link", async () => {
    const { data, cursor, pending } = await gateway.ask<MediaPage>("GET", "/media?limit=2");
    expect(data.map(({ id }) => id)).toEqual(["media_large", "media_gone"]);
    expect(pending).toBe(0);
    const next = await gateway.ask<MediaPage>("GET", `/media?limit=10&before=${cursor}`);
    expect(next.data.map(({ id }) => id)).toEqual(["media_video", "media_mp3", "media_picture", "media_sound"]);
    expect(next.cursor).toBeNull();
    expect(next.data.at(-1)).toMatchObject({ ...sound, available: true });
    expect((await get(next.data.at(-1)?.link ?? "")).status).toBe(200);
  });

  it("filters", async () => {
    const ids = async (query: string): Promise<string[]> =>
      (await gateway.ask<MediaPage>("GET", `/media?${query}`)).data.map(({ id }) => id);
    expect(await ids("kind=video")).toEqual(["media_video"]);
    expect(await ids("model=gamma3")).toEqual(["media_sound"]);
    expect(await ids("kind=image&model=gamma3")).toEqual([]);
  });

  it.each(["limit=0", "limit=501", "limit=x", "before=x", "before=-1", "kind=text", "colour=red"])(
    "refuses %s by name",
    async (query) => {
      const response = await gateway.control("GET", `/media?${query}`);
      expect(response.status).toBe(400);
      expect((await errorOf(response)).param).toBe(query.split("=")[0]);
    },
  );

  it("has nothing for an unknown id", async () => {
    expect((await gateway.control("GET", "/media/media_nobody")).status).toBe(404);
  });

  it("is not for local keys", async () => {
    const response = await fetch(`${gateway.url}/control/media`, { headers: { authorization: `Bearer ${KEY}` } });
    expect(response.status).toBe(401);
  });
});
