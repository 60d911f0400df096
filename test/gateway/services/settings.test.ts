import { afterEach, describe, expect, it } from "vitest";
import type { Settings } from "../../../gateway/contract/settings.ts";
import { Events } from "../../../gateway/services/events.ts";
import { AppSettings } from "../../../gateway/services/settings.ts";
import type { Store } from "../../../gateway/store/store.ts";
import { errorOf, startGateway } from "../../support/running-gateway.ts";
import { useGateway } from "../../support/use-gateway.ts";

const gateway = useGateway();
afterEach(() => update({ media_keep_days: null, media_max_gib: null, allow_targets: [] }));

const view = (): Promise<Settings> => gateway.ask<Settings>("GET", "/settings");
const update = (change: object): Promise<Settings> => gateway.ask<Settings>("PATCH", "/settings", change);

it("keep nothing from being kept, and let nothing private be reached, unless they say so", async () => {
  expect(await view()).toMatchObject({ media_keep_days: null, media_max_gib: null, allow_targets: [] });
});

it("are changed one at a time, and taken back", async () => {
  await update({ media_keep_days: 30, allow_targets: ["127.0.0.1:3000"] });
  expect(await update({ media_max_gib: 2.5 })).toMatchObject({
    media_keep_days: 30,
    media_max_gib: 2.5,
    allow_targets: ["127.0.0.1:3000"],
  });
  await update({ media_keep_days: null, allow_targets: [] });
  expect(await view()).toMatchObject({ media_keep_days: null, media_max_gib: 2.5, allow_targets: [] });
});

it("outlive a restart", async () => {
  const first = await startGateway();
  await first.ask("PATCH", "/settings", { media_keep_days: 7, allow_targets: ["nas.local:9000"] });
  await first.stop();
  const second = await startGateway({ dataDir: first.dataDir });
  expect(await second.ask("GET", "/settings")).toMatchObject({ media_keep_days: 7, allow_targets: ["nas.local:9000"] });
  await second.close();
});

describe("a target that may be private", () => {
  it.each<[string, string]>([
    ["127.0.0.1:3000", "127.0.0.1:3000"],
    ["localhost:3000", "127.0.0.1:3000"],
    ["LOCALHOST:3000", "127.0.0.1:3000"],
    [" nas.local:9000 ", "nas.local:9000"],
    ["[::1]:80", "127.0.0.1:80"],
    ["192.168.1.20:443", "192.168.1.20:443"],
    ["3232235796:443", "192.168.1.20:443"],
  ])("%s is kept as %s", async (entry, target) => {
    expect((await update({ allow_targets: [entry, entry] })).allow_targets).toEqual([target]);
  });

  it.each([
    "127.0.0.1",
    "http://127.0.0.1:3000",
    "127.0.0.1:3000/hook",
    "127.0.0.1:99999",
    "user@127.0.0.1:3000",
    "10.0.0.0/8:80",
    "*:80",
    "",
    "169.254.169.254:80",
    "[fe80::1]:80",
    "2852039166:80",
    "0xa9fea9fe:80",
    "[::ffff:169.254.169.254]:80",
    "100.100.100.200:80",
    "[fd00:ec2::254]:80",
    "0.0.0.0:80",
    "224.0.0.1:80",
  ])("%s is refused by name, and nothing is changed", async (entry) => {
    await update({ allow_targets: ["127.0.0.1:3000"] });
    const response = await gateway.control("PATCH", "/settings", {
      media_keep_days: 3,
      allow_targets: ["127.0.0.1:4000", entry],
    });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({
      code: "invalid_value",
      param: "allow_targets[1]",
      message: expect.stringContaining(`"${entry}"`) as string,
    });
    expect(await view()).toMatchObject({ media_keep_days: null, allow_targets: ["127.0.0.1:3000"] });
  });

  it("joins those of the environment, from the next question on", async () => {
    const records = new Map();
    const store = {
      document: { settings: records },
      change: async (_in: string, id: string, make: (newest: unknown) => unknown) =>
        void records.set(id, make(records.get(id))),
    } as unknown as Store;
    const settings = new AppSettings(store, new Events(), {}, new Set(["10.0.0.1:80"]));
    expect([...settings.allowedTargets()]).toEqual(["10.0.0.1:80"]);
    await settings.update({ allow_targets: ["10.0.0.2:80"] });
    expect([...settings.allowedTargets()]).toEqual(["10.0.0.1:80", "10.0.0.2:80"]);
    expect(settings.allowedTargets()).toBe(settings.allowedTargets());
    await settings.update({ allow_targets: [] });
    expect([...settings.allowedTargets()]).toEqual(["10.0.0.1:80"]);
  });
});
