import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { State } from "../../../gateway/contract/control.ts";
import type { MediaPage, MediaView } from "../../../gateway/contract/media.ts";
import { startGateway, type TestGateway } from "../../support/running-gateway.ts";
import { TestClock } from "../../support/test-clock.ts";
import { makeWholeFolder } from "./whole-folder.ts";

let clock: TestClock;
let postern: TestGateway;
beforeEach(async () => {
  clock = new TestClock();
  const dataDir = await makeWholeFolder();
  await loseSidecars(dataDir);
  postern = await startGateway({ dataDir, clock });
});
afterEach(() => postern.close());

async function loseSidecars(dataDir: string): Promise<void> {
  const media = join(dataDir, "media");
  const names = (await readdir(media, { recursive: true })).filter((name) => /media_\w+\.json$/.test(name));
  for (const name of names) await rm(join(media, name));
}

const results = async (): Promise<readonly MediaView[]> => (await postern.ask<MediaPage>("GET", "/media")).data;

/** The archive of all of them, by names. */
async function exported(ids: readonly string[]): Promise<Record<string, Buffer>> {
  const { link } = await postern.ask<{ link: string }>("POST", "/media/export", { ids });
  const bytes = await (await fetch(postern.url + link)).arrayBuffer();
  return Object.fromEntries(
    Object.entries(unzipSync(new Uint8Array(bytes))).map(([name, part]) => [name, Buffer.from(part)]),
  );
}

it("results of which only the files are left are listed, served, exported and deleted, and do not come back", async () => {
  const found = await results();
  expect(found.map(({ origin, available }) => [origin, available])).toStrictEqual(found.map(() => [null, true]));
  expect(found.map(({ type }) => type).toSorted((a, b) => a.localeCompare(b))).toStrictEqual([
    "audio/wav",
    "image/png",
    "image/png",
  ]);
  const { notices } = await postern.ask<State>("GET", "/state");
  expect(notices.map(({ message }) => message)).toStrictEqual([
    "Of 3 results of the media library only the files are left: what they came from is not known.",
  ]);
  for (const { link, bytes } of found) {
    const response = await fetch(postern.url + link);
    expect((await response.arrayBuffer()).byteLength).toBe(bytes);
  }

  const ids = found.map(({ id }) => id);
  const files = await exported(ids);
  for (const { id, sha256 } of found) {
    const [name, sheet] = Object.entries(files).find(([each]) => each.includes(id) && each.endsWith(".json")) ?? [];
    expect(name).toMatch(/^\d{4}-\d\d-\d\d-unknown-media_/);
    expect(JSON.parse(sheet?.toString() ?? "")).toMatchObject({ id, sha256, origin: "unknown" });
  }

  await postern.ask("POST", "/media/delete", { ids: ids.slice(0, 2) });
  clock.advance(11 * 60_000);
  postern.gateway.onResume();
  const { dataDir } = postern;
  await postern.stop();
  await loseSidecars(dataDir);
  postern = await startGateway({ dataDir, clock });
  expect((await results()).map(({ id }) => id)).toStrictEqual(ids.slice(2));
});
