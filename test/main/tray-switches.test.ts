import { beforeEach, expect, it } from "vitest";
import type { Notice } from "../../main/policy/notice.ts";
import { english } from "../../main/policy/words.ts";
import { createTraySwitches } from "../../main/tray-switches.ts";
import { memoryOf } from "./fakes/memory.ts";

let on: boolean | null = false;
let failure: Error | null = null;
let shown: Notice[] = [];
const show = (notice: Notice): void => void shown.push(notice);
const autostart = {
  read: () => (failure === null ? Promise.resolve(on) : Promise.reject(failure)),
  set: (next: boolean) => {
    if (failure !== null) return Promise.reject(failure);
    on = next;
    return Promise.resolve();
  },
};

beforeEach(() => {
  on = false;
  failure = null;
  shown = [];
});

it("ticks what is on and turns it over", async () => {
  const memory = memoryOf();
  const switches = await createTraySwitches({ memory, autostart, words: english });
  expect(switches.facts()).toStrictEqual({ notifications: true, autostart: false });
  switches.toggleNotifications();
  await switches.toggleAutostart(show);
  expect(switches.facts()).toStrictEqual({ notifications: false, autostart: true });
  await switches.autostart.set(false);
  expect(switches.facts().autostart).toBe(false);
  expect(memory.value.notifications).toBe(false);
});

it("says why starting with the session could not be changed, and is not stopped by it", async () => {
  failure = new Error("read-only folder");
  const switches = await createTraySwitches({ memory: memoryOf(), autostart, words: english });
  expect(switches.facts().autostart).toBeNull();
  await switches.toggleAutostart(show);
  expect(shown).toMatchObject([{ title: "Starting at login could not be changed", body: "read-only folder" }]);
});

it("reports an update once for each version, and of no keychain once until there is one", async () => {
  const memory = memoryOf();
  const switches = await createTraySwitches({ memory, autostart, words: english });
  const ready = (version: string) => ({ state: "ready", version, message: null }) as const;
  switches.tellOfUpdate({ state: "downloading", version: "2.0.0", message: null }, show);
  for (const version of ["2.0.0", "2.0.0", "2.0.1"]) switches.tellOfUpdate(ready(version), show);
  expect(shown.map(({ title }) => title)).toStrictEqual(["Postern 2.0.0 is ready", "Postern 2.0.1 is ready"]);
  switches.tellOfKeychain(null, show);
  switches.tellOfKeychain({ level: "warning", message: "no keyring" }, show);
  const later = await createTraySwitches({ memory, autostart, words: english });
  later.tellOfKeychain({ level: "warning", message: "no keyring" }, show);
  expect(shown.slice(2).map(({ body }) => body)).toStrictEqual(["no keyring"]);
  later.tellOfKeychain(null, show);
  later.tellOfKeychain({ level: "warning", message: "gone again" }, show);
  expect(shown.slice(3).map(({ body }) => body)).toStrictEqual(["gone again"]);
});
