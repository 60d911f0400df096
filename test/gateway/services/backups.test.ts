import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { BackupsView } from "../../../gateway/contract/maintenance.ts";
import { errorOf, startGateway, until, type TestGateway } from "../../support/running-gateway.ts";
import { TestClock } from "../../support/test-clock.ts";

const HOUR_MS = 60 * 60_000;

let clock: TestClock;
let postern: TestGateway;
beforeEach(async () => {
  clock = new TestClock();
  postern = await startGateway({ clock });
});
afterEach(() => postern.close());

const view = (): Promise<BackupsView> => postern.ask("GET", "/backups");
const kinds = async (): Promise<string[]> => (await view()).data.map(({ kind }) => kind);

/** Time passes, and the gateway is reported that it looks at the clock. */
function pass(ms: number): void {
  clock.advance(ms);
  postern.gateway.onResume();
}

it("are made once a day, and as many are kept as the settings say", async () => {
  await postern.ask("POST", "/backup");
  await postern.ask("PATCH", "/settings", { backup_keep: 2 });
  pass(10 * 60_000);
  await until(async () => (await kinds()).length === 2);
  const [first] = (await view()).data;
  for (let day = 0; day < 3; day += 1) {
    const before = (await view()).data[0]?.name;
    pass(12 * HOUR_MS);
    pass(13 * HOUR_MS);
    await until(async () => (await view()).data[0]?.name !== before);
  }
  await until(async () => (await kinds()).length === 3);
  expect(await kinds()).toStrictEqual(["automatic", "automatic", "manual"]);
  expect((await view()).data.map(({ name }) => name)).not.toContain(first?.name);
});

it.each([40, -40])(
  "are made once a day and kept for as long after a clock that was wrong by %i years",
  async (years) => {
    await postern.ask("PATCH", "/settings", { backup_keep: 3 });
    const right = clock.now();
    const names = async (): Promise<string[]> => (await view()).data.map(({ name }) => name);
    const day = async (): Promise<void> => {
      const before = await names();
      pass(25 * HOUR_MS);
      await until(async () => (await names()).some((name) => !before.includes(name)));
    };
    for (let wrong = 0; wrong < 3; wrong += 1) {
      clock.jumpTo(right + (years * 365 + wrong * 9) * 24 * HOUR_MS);
      await day();
    }
    clock.jumpTo(right);
    const made: string[] = [];
    for (let days = 0; days < 3; days += 1) {
      const before = await names();
      await day();
      made.push(...(await names()).filter((name) => !before.includes(name)));
      // Not one each hour.
      for (let hour = 0; hour < 3; hour += 1) pass(HOUR_MS);
    }
    await until(async () => (await names()).length === 3);
    expect((await names()).toSorted()).toEqual(made.toSorted());
  },
);

it("are left alone where none are wanted", async () => {
  expect(await postern.ask("GET", "/settings")).toMatchObject({ backup_keep: 7 });
  await postern.ask("PATCH", "/settings", { backup_keep: null });
  pass(30 * HOUR_MS);
  await postern.ask("POST", "/backup");
  expect(await kinds()).toStrictEqual(["manual"]);
});

it("that are damaged, gone or none are not restored, and nothing is changed", async () => {
  await postern.ask("POST", "/backup");
  const [backup] = (await view()).data;
  const folder = join(postern.dataDir, "backups", backup?.name ?? "");
  for (const name of await readdir(folder)) {
    if (name.startsWith("state.")) await writeFile(join(folder, name), "not what was there\n");
  }
  const damaged = await postern.control("POST", "/backups/restore", { name: backup?.name });
  expect(damaged.status).toBe(409);
  expect((await errorOf(damaged)).message).toMatch(/not whole/);
  for (const name of ["2026-01-01T000000-000Z", "../..", "restoring"]) {
    expect((await postern.control("POST", "/backups/restore", { name })).status).toBe(404);
  }
  expect((await view()).pending).toBeNull();
  expect((await readdir(postern.dataDir)).filter((name) => name.startsWith("restor"))).toStrictEqual([]);
});

it("that wait for the next start can be taken back", async () => {
  await postern.ask("POST", "/backup");
  const [backup] = (await view()).data;
  await postern.ask("POST", "/backups/restore", { name: backup?.name });
  expect((await view()).pending).toBe(backup?.name);
  expect(await postern.ask<BackupsView>("POST", "/backups/cancel")).toMatchObject({ pending: null });
  const { dataDir } = postern;
  await postern.stop();
  postern = await startGateway({ clock, dataDir });
  expect(await kinds()).toStrictEqual(["manual"]);
});

it("are deleted one at a time, but for the one that the next start restores, and for what is invalid", async () => {
  await postern.ask("POST", "/backup");
  await postern.ask("POST", "/backup");
  const [newest, oldest] = (await view()).data;
  await postern.ask("POST", "/backups/restore", { name: newest?.name });
  const refused = await postern.control("POST", "/backups/remove", { name: newest?.name });
  expect([refused.status, (await errorOf(refused)).message]).toStrictEqual([
    409,
    "The next start restores this backup. Restart Postern first, or keep the data of now.",
  ]);
  expect(await postern.ask("POST", "/backups/remove", { name: oldest?.name })).toMatchObject({
    data: [{ name: newest?.name }],
    pending: newest?.name,
  });
  for (const name of [oldest?.name, "2026-01-01T000000-000Z", "..", "../media"]) {
    expect((await postern.control("POST", "/backups/remove", { name })).status).toBe(404);
  }
  await postern.ask("POST", "/backups/cancel");
  await postern.ask("POST", "/backups/remove", { name: newest?.name });
  expect(await readdir(join(postern.dataDir, "backups"))).toStrictEqual([]);
});

it("cannot start Postern again where no one said how", async () => {
  expect(await postern.ask("GET", "/address")).toMatchObject({ can_restart: false });
  expect((await postern.control("POST", "/restart")).status).toBe(409);
});
