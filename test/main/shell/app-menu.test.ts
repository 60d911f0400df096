import { beforeEach, expect, it, vi } from "vitest";
import { createMenuModel } from "../../../main/policy/menu-model.ts";
import { english } from "../../../main/policy/words.ts";
import { enableHistory, installAppMenu } from "../../../main/shell/app-menu.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

const acted: string[] = [];
beforeEach(() => {
  electron.resetElectron();
  acted.length = 0;
});

const entries = () => electron.Menu.application?.template.flatMap((menu) => menu.submenu ?? []) ?? [];

it("installs the model's menus, whose entries act", () => {
  installAppMenu(false, english, (action) => acted.push(action));
  const model = createMenuModel(process.platform, false, english);
  expect(electron.Menu.application?.template.map((menu) => menu.label)).toStrictEqual(model.map((menu) => menu.label));
  for (const entry of entries()) entry.click?.();
  expect(acted.toSorted()).toStrictEqual([
    "about",
    "back",
    "close-window",
    "copy-base-url",
    "diagnostics",
    "find",
    "find-next",
    "find-previous",
    "forward",
    "guide",
    "open",
    "quit",
    "reload",
    "report",
    "settings",
    "show-log",
    "updates",
  ]);
  expect(entries().find(({ id }) => id === "reload")?.accelerator).toBe("CommandOrControl+R");
});

it.each([true, false])("has developer tools: %s", (hasDevTools) => {
  installAppMenu(hasDevTools, english, () => undefined);
  expect(entries().some((entry) => entry.role === "toggleDevTools")).toBe(hasDevTools);
});

it.each([
  [true, false],
  [false, true],
])("enables back (%s) and forward (%s) where they can act", (back, forward) => {
  enableHistory({ back, forward });
  installAppMenu(false, english, () => undefined);
  enableHistory({ back, forward });
  const states = ["back", "forward"].map((expected) => entries().find(({ id }) => id === expected)?.enabled);
  expect(states).toStrictEqual([back, forward]);
});
