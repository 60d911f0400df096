import { readdir, readlink } from "node:fs/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { MediaPage } from "../../../gateway/contract/media.ts";
import { png } from "../../support/media-samples.ts";
import { startGateway, temporaryFolder, until, type TestGateway } from "../../support/running-gateway.ts";
import { addMedia, openMedia } from "../store/media/media-fixtures.ts";

/** A library that is exported, deleted, brought back and read at the same time. */
const COUNT = 1_000;
const ids = Array.from({ length: COUNT }, (_nothing, at) => `media_${String(at).padStart(4, "0")}`);
let gateway: TestGateway;

beforeEach(async () => {
  const dataDir = await temporaryFolder();
  const store = await openMedia({ dir: dataDir });
  // A few contents, many entries: deletion must not take the file of another.
  await Promise.all(ids.map((id, at) => addMedia(store, id, png(8 + (at % 50), 8))));
  await store.close();
  gateway = await startGateway({ dataDir });
});
afterEach(() => gateway.close());

/** Files that this process has open below the library. */
async function openFiles(): Promise<number> {
  const links = await Promise.all(
    (await readdir("/proc/self/fd")).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")),
  );
  return links.filter((path) => path.startsWith(`${gateway.dataDir}/media/`) && path.endsWith(".png")).length;
}

const END_OF_ZIP = 0x06054b50;

it("serves every export whole or not at all, keeps no file open, and loses nothing that was brought back", async () => {
  const post = (path: string, body: object): Promise<Response> => gateway.control("POST", path, body);
  const exported = Array.from({ length: 6 }, async (_nothing, turn) => {
    const { link } = await gateway.ask<{ link: string }>("POST", "/media/export", { ids });
    const response = await fetch(`${gateway.url}${link}`);
    expect(response.status).toBe(200);
    if (turn % 3 === 2) {
      // Who leaves in the middle leaves nothing open.
      const reader = response.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      return null;
    }
    return Buffer.from(await response.arrayBuffer());
  });
  const storm = Array.from({ length: 20 }, async (_nothing, at) => {
    const some = ids.slice(at * 50, at * 50 + 50);
    expect((await post("/media/delete", { ids: some })).status).toBe(200);
    expect((await post("/media/delete", { ids: some })).status).toBe(200);
    expect((await post("/media/restore", { ids: some })).status).toBe(200);
    const page = await gateway.ask<MediaPage>("GET", "/media?limit=50");
    await Promise.all(page.data.slice(0, 5).map(async ({ link }) => (await fetch(gateway.url + link)).arrayBuffer()));
  });
  const zips = (await Promise.all([...exported, Promise.all(storm)])).slice(0, 6) as (Buffer | null)[];
  for (const zip of zips.filter((one) => one !== null)) {
    expect(zip.readUInt32LE(zip.length - 22)).toBe(END_OF_ZIP);
    // What was gone in that moment is listed as such.
    const index = zip.toString("latin1", zip.lastIndexOf('"exported_at"'));
    expect(index.match(/"id": "media_\d{4}"/g)).toHaveLength(COUNT);
  }
  expect((await gateway.ask<MediaPage>("GET", "/media?limit=1")).total).toBe(COUNT);
  if (process.platform === "linux") await until(async () => (await openFiles()) === 0);
  const last = await gateway.ask<MediaPage>("GET", "/media?limit=500");
  for (const { link } of last.data.filter((_view, at) => at % 25 === 0))
    expect((await fetch(gateway.url + link)).status).toBe(200);
}, 60_000);

it("rotates the secret of callbacks for a hundred at once, and signs with no more than it says", async () => {
  const responses = await Promise.all(Array.from({ length: 100 }, () => gateway.control("POST", "/webhooks/rotate")));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  const secrets = new Set(
    await Promise.all(responses.map(async (response) => ((await response.json()) as { secret: string }).secret)),
  );
  expect(secrets.size).toBe(100);
  const { secret } = await gateway.ask<{ secret: string }>("GET", "/webhooks");
  expect(secrets).toContain(secret);
});
