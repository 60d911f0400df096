import { rm } from "node:fs/promises";
import { expect, it, onTestFinished } from "vitest";
import { startGateway, temporaryFolder } from "../../support/running-gateway.ts";

it("gives the same key to every page and after a restart, and another data folder another one", async () => {
  const dataDir = await temporaryFolder();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const read = (postern: Awaited<ReturnType<typeof startGateway>>) =>
    postern.ask<{ key: string }>("POST", "/playground-key").then(({ key }) => key);
  const first = await startGateway({ dataDir });
  const keys = await Promise.all([read(first), read(first), read(first)]);
  expect(new Set(keys).size).toBe(1);
  expect(Buffer.from(keys[0] ?? "", "base64")).toHaveLength(32);
  await first.stop();
  const second = await startGateway({ dataDir });
  expect(await read(second)).toBe(keys[0]);
  await second.stop();
  const other = await startGateway();
  expect(await read(other)).not.toBe(keys[0]);
  await other.close();
});
