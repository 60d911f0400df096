import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { FastChild } from "../../../support/fast-child.ts";
import { FastTime } from "../../../support/fast-time.ts";
import { FullDisk } from "../../../support/full-disk.ts";
import { KEY, startGateway, temporaryFolder, until, type TestGateway } from "../../../support/running-gateway.ts";
import { orderBody } from "../../../support/video-orders.ts";
import { VideoProvider } from "../../../support/video-provider.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

it("a task that a kill caught on its way is found after a start on a disk that is full at first", async () => {
  const provider = await new VideoProvider().listen();
  closing.push(() => provider.close());
  const dataDir = await temporaryFolder();
  closing.push(() => rm(dataDir, { recursive: true, force: true }));
  const env = {
    ...provider.env("dashscope"),
    POSTERN_KEYS: JSON.stringify([{ key: KEY, name: "unlimited" }]),
    POSTERN_SANDBOX: "off",
  };
  const killed = new FastChild({ dataDir, env, speed: 1, since: Date.now(), kill: null });
  await killed.ready();
  const release = provider.hold("submit");
  const submitted = fetch(`${killed.url}/v1/videos/generations`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
    body: JSON.stringify(orderBody("alpha", "A lighthouse at dusk.")),
  }).catch(() => null);
  await provider.when(() => provider.count("submit") === 1);
  await killed.kill();
  release();
  expect(await submitted).toBeNull();
  await provider.when(() => provider.tasks.length === 1);
  const disk = new FullDisk().install();
  closing.push(async () => disk.remove());
  disk.fillBelow(join(dataDir, "journal."));
  const time = new FastTime();
  const gateway: TestGateway = await startGateway({ dataDir, env, clock: time, later: time.later });
  closing.push(() => gateway.stop());
  const status = async (): Promise<string | undefined> =>
    (await gateway.ask<{ data: { status: string }[] }>("GET", "/tasks")).data[0]?.status;
  expect(await status()).toBe("submitted");
  disk.free();
  await until(async () => (await status()) === "succeeded");
  expect(provider.count("submit")).toBe(1);
});
