import { rm } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { AddressView } from "../../../gateway/contract/address.ts";
import { errorOf, startGateway, temporaryFolder } from "../../support/running-gateway.ts";
import type { TestGateway, TestOptions } from "../../support/running-gateway.ts";

const open: TestGateway[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((gateway) => gateway.stop()));
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

async function start(options: TestOptions): Promise<TestGateway> {
  const gateway = await startGateway(options);
  open.push(gateway);
  return gateway;
}

describe("where Postern listens", () => {
  it("is what the settings say from the next start on, and the page is informed so", async () => {
    const dataDir = await temporaryFolder();
    folders.push(dataDir);
    const first = await start({ dataDir, host: null });
    const before = await first.ask<AddressView>("GET", "/address");
    expect(before).toMatchObject({
      url: first.url,
      host: "127.0.0.1",
      port: first.port,
      others: [],
      fixed: { host: false, port: true },
      restart_needed: false,
    });
    await first.ask("PATCH", "/settings", { lan: true, port: 7_001 });
    const after = await first.ask<AddressView>("GET", "/address");
    // The port of this start was given: the setting waits until none is.
    expect(after).toMatchObject({ host: "127.0.0.1", next: { host: "0.0.0.0", port: 0 }, restart_needed: true });
    await first.stop();

    const second = await start({ dataDir, host: null });
    expect(await second.ask<AddressView>("GET", "/address")).toMatchObject({ host: "0.0.0.0", restart_needed: false });
    expect(second.url).toBe(`http://127.0.0.1:${second.port}`);
    expect(
      second.gateway
        .state()
        .notices.map(({ message }) => message)
        .join(),
    ).toContain("every machine on the network");
  });

  it("is the stored port when none was given, and 6174 when none is stored", async () => {
    const dataDir = await temporaryFolder();
    folders.push(dataDir);
    const first = await start({ dataDir });
    // A port that is free now; it may be taken by the time it is listened on, and then the start says so.
    const { port } = first;
    await first.ask("PATCH", "/settings", { port });
    await first.stop();
    open.splice(0);
    const second = await start({ dataDir, port: null });
    expect(second.port).toBe(port);
    await second.ask("PATCH", "/settings", { port: null });
    expect(await second.ask<AddressView>("GET", "/address")).toMatchObject({
      fixed: { host: true, port: false },
      next: { host: "127.0.0.1", port: 6_174 },
      restart_needed: true,
    });
  });

  it.each([80, 65_536, 7_000.5, "7000"])("cannot be the port %j", async (port) => {
    const gateway = await start({});
    const refused = await gateway.control("PATCH", "/settings", { port });
    expect(refused.status).toBe(400);
    expect((await errorOf(refused)).param).toBe("port");
  });
});
