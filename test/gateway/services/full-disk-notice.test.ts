import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { State } from "../../../gateway/contract/control.ts";
import { FullDisk } from "../../support/full-disk.ts";
import { CHAT, startGateway, until, type TestGateway } from "../../support/running-gateway.ts";

const SANDBOX = { POSTERN_SANDBOX: "on" };
let disk: FullDisk;
let postern: TestGateway;
beforeEach(() => {
  disk = new FullDisk().install();
});
afterEach(async () => {
  disk.free();
  await postern.close();
  disk.remove();
});

const notices = (): string =>
  postern.gateway
    .state()
    .notices.map(({ message }) => message)
    .join("\n");

it("a disk that refuses writes is reported to everybody who shows the state, and so is that it takes them again", async () => {
  postern = await startGateway();
  const events: State["status"][] = [];
  postern.gateway.events.subscribe(({ type }) => {
    if (type === "settings.changed") events.push(postern.gateway.state().status);
  });
  disk.fill();
  expect((await postern.control("POST", "/keys", { name: "refused" })).status).toBe(503);
  await until(() => events.includes("storage"));
  disk.free();
  await until(() => events.at(-1) === "running");
  expect(events).toStrictEqual(["storage", "running"]);
});

it("a first start on a full disk serves, says what it could not do, and does it when there is room", async () => {
  disk.fill();
  postern = await startGateway({ env: SANDBOX, keys: [{ key: "sk-env-key-of-a-full-disk", name: "shelf" }] });
  expect(postern.gateway.firstKey).toBeNull();
  expect(postern.gateway.state().status).toBe("storage");
  expect(notices()).toMatch(/No first key/);
  expect(notices()).toMatch(/"shelf".*memory/);
  expect(notices()).toMatch(/where it listens/);
  // The key of the environment is known, and what it asks for is refused for the disk's sake.
  const refused = await postern.chat(CHAT, "sk-env-key-of-a-full-disk");
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ error: { code: "storage_unavailable" } });
  expect((await postern.chat(CHAT, "sk-another-key-of-a-full-disk")).status).toBe(401);
  expect(
    (await fetch(`${postern.url}/v1/models`, { headers: { authorization: "Bearer sk-env-key-of-a-full-disk" } }))
      .status,
  ).toBe(200);
  disk.free();
  await until(() => postern.gateway.state().status === "running");
  expect((await postern.chat(CHAT, "sk-env-key-of-a-full-disk")).status).toBe(200);
  await until(() => existsSync(join(postern.dataDir, "instance.json")));
  const { dataDir } = postern;
  await postern.stop();
  // What was kept in memory is on the disk by now, under the same id.
  postern = await startGateway({ dataDir, env: SANDBOX });
  expect(postern.gateway.keys().map(({ name }) => name)).toContain("shelf");
  expect(postern.gateway.keys().find(({ name }) => name === "shelf")?.spent_nano).toBeGreaterThan(0);
});

it("a later start on a full disk serves what was there, and a key that the environment has given again", async () => {
  postern = await startGateway();
  await postern.ask("POST", "/keys", { name: "of before" });
  const { dataDir } = postern;
  await postern.stop();
  disk.fill();
  postern = await startGateway({ dataDir, env: SANDBOX, keys: [{ key: "sk-new-key-of-a-full-disk", name: "new" }] });
  expect(postern.gateway.keys().map(({ name }) => name)).toEqual(expect.arrayContaining(["of before", "new"]));
  expect((await postern.chat(CHAT, "sk-new-key-of-a-full-disk")).status).toBe(503);
});

it("a start on a full disk that has nothing to write down is found as soon as there is room", async () => {
  postern = await startGateway();
  const { dataDir } = postern;
  await postern.stop();
  disk.fill();
  postern = await startGateway({ dataDir });
  expect(notices()).toMatch(/where it listens/);
  expect(existsSync(join(dataDir, "instance.json"))).toBe(false);
  disk.free();
  await until(() => existsSync(join(dataDir, "instance.json")));
});
