import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { rm } from "node:fs/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { BackupsView } from "../../gateway/contract/maintenance.ts";
import { systemClock } from "../../gateway/lib/clock.ts";
import { silentLog } from "../../gateway/lib/log.ts";
import { fileSealer } from "../../gateway/store/data-key.ts";
import { lockFolder } from "../../gateway/store/disk/lock.ts";
import { RestartableGateway } from "../../gateway/restartable-gateway.ts";
import { TestGateway, temporaryFolder, until } from "../support/running-gateway.ts";

let dataDir: string;
let gateways: RestartableGateway;
let restarted: Promise<unknown>;
beforeEach(async () => {
  dataDir = await temporaryFolder();
  gateways = new RestartableGateway({
    dataDir,
    host: null,
    port: 0,
    env: { POSTERN_SANDBOX: "off" },
    sealer: fileSealer(),
    assetsDir: null,
    version: "0.0.0-test",
    clock: systemClock,
    log: silentLog,
    restart: (pageToken) => {
      restarted = gateways.next(pageToken);
    },
  });
  restarted = Promise.resolve();
});
afterEach(async () => {
  await gateways.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Where the folder is served now. */
async function served(): Promise<string> {
  const { readInstance } = await import("../../gateway/store/disk/instance.ts");
  return (await readInstance(dataDir))?.url ?? "";
}

it("restores a backup at a restart, opens the pages with the token of before, and can undo it", async () => {
  const gateway = new TestGateway(await gateways.first(), dataDir);
  await gateway.ask("POST", "/keys", { name: "kept" });
  await gateway.ask("POST", "/backup");
  await gateway.ask("POST", "/keys", { name: "made since" });
  const [backup] = (await gateway.ask<BackupsView>("GET", "/backups")).data;
  expect(backup).toMatchObject({ kind: "manual" });
  const staged = await gateway.ask<BackupsView>("POST", "/backups/restore", { name: backup?.name });
  expect(staged.pending).toBe(backup?.name);
  expect(await gateway.ask("GET", "/address")).toMatchObject({ can_restart: true });

  const names = await afterRestart(gateway);
  expect(names).not.toContain("made since");
  expect(names).toContain("kept");
  const after = new TestGateway(gateways.current as never, dataDir);
  const view = await after.ask<BackupsView>("GET", "/backups");
  expect(view).toMatchObject({ pending: null, data: [{ kind: "before-restore" }, { kind: "manual" }] });
  expect(
    gateways.current
      ?.state()
      .notices.map(({ message }) => message)
      .join(),
  ).toContain(view.data[0]?.name);

  await after.ask("POST", "/backups/restore", { name: view.data[0]?.name });
  expect(await afterRestart(after)).toContain("made since");
});

/** Restarts, and lists the keys with the bearer that the token of before is exchanged for. */
async function afterRestart(gateway: TestGateway): Promise<string[]> {
  const { token } = await gateway.ask<{ token: string }>("POST", "/restart");
  await until(async () => gateways.current !== gateway.gateway && gateways.current !== null);
  await restarted;
  const url = await served();
  const session = await fetch(`${url}/control/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  const { bearer } = (await session.json()) as { bearer: string };
  const keys = await fetch(`${url}/control/keys`, { headers: { authorization: `Bearer ${bearer}` } });
  return ((await keys.json()) as { data: { name: string }[] }).data.map(({ name }) => name);
}

it("stopped while one follows another, ends when both have let go of the folder", async () => {
  await gateways.first();
  const next = gateways.next("token");
  expect(gateways.current).toBeNull();
  await gateways.close();
  expect(await next).toBeNull();
  const lock = await lockFolder(dataDir);
  expect(lock.owner).toBe(true);
  if (lock.owner) lock.release();
  expect(await gateways.next("another")).toBeNull();
});

it("listens where it did when the new port is taken, and says so", async () => {
  await gateways.close();
  const holder = createServer().listen(0, "127.0.0.1");
  await until(() => holder.listening);
  const received = (holder.address() as AddressInfo).port;
  // The port of the first start is the stored one; then the setting points at one that someone has.
  const free = createServer().listen(0, "127.0.0.1");
  await until(() => free.listening);
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  const fresh = await start();
  await fresh.ask("PATCH", "/settings", { port });
  await gateways.next("first");
  const there = new TestGateway(gateways.current as never, dataDir);
  expect(there.port).toBe(port);
  await there.ask("PATCH", "/settings", { port: received });
  await gateways.next("second");
  expect(new URL(gateways.current?.url ?? "").port).toBe(String(port));
  expect(
    gateways.current
      ?.state()
      .notices.map(({ message }) => message)
      .join(),
  ).toContain(`Port ${received}`);
  await new Promise((resolve) => holder.close(resolve));
});

async function start(): Promise<TestGateway> {
  gateways = new RestartableGateway({
    dataDir,
    host: null,
    port: null,
    env: { POSTERN_SANDBOX: "off" },
    sealer: fileSealer(),
    assetsDir: null,
    version: "0.0.0-test",
    clock: systemClock,
    log: silentLog,
  });
  // Whatever has 6174 on this machine: the first one is reported where.
  return new TestGateway(await gateways.first({ port: 0 }), dataDir);
}
