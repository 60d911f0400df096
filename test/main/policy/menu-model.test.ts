import { describe, expect, it } from "vitest";
import { createContextMenu, createMenuModel, type MenuItem } from "../../../main/policy/menu-model.ts";
import { english } from "../../../main/policy/words.ts";
import { chooseWords } from "../../../main/policy/words-zh.ts";

const platforms = ["darwin", "win32", "linux"] as const;
const items = (platform: NodeJS.Platform, hasDevTools = false): readonly MenuItem[] =>
  createMenuModel(platform, hasDevTools, english).flatMap((menu) => menu.items);
const name = (item: MenuItem): string =>
  item.kind === "separator"
    ? "-"
    : item.kind === "action"
      ? item.action
      : `${item.kind === "alias" ? "also " : ""}${item.role}`;

const withoutMark = (label: string): string => label.replace(/\(&.\)|&/, "");
/** Letter that chooses an entry while its menu is open. */
const letter = (label: string): string | undefined => /&(.)/.exec(label)?.[1]?.toUpperCase();

describe("menuModel", () => {
  it.each([
    ["win32", "en", ["&File", "&Edit", "&View", "&Window", "&Help"]],
    ["linux", "zh", ["文件(&F)", "编辑(&E)", "视图(&V)", "窗口(&W)", "帮助(&H)"]],
    ["darwin", "en", ["Postern", "File", "Edit", "View", "Window", "Help"]],
  ] as const)("on %s in %s marks the letters of its menus: %j", (platform, language, expected) => {
    const labels = createMenuModel(platform, false, chooseWords(language)).map(({ label }) => label);
    expect(labels).toStrictEqual(expected);
  });

  it.each(["en", "zh"])("chooses each entry of a menu by a letter of its own in %s", (language) => {
    for (const { label, items: entries } of createMenuModel("linux", true, chooseWords(language))) {
      const letters = entries.flatMap((item) => ("label" in item ? letter(item.label) : []));
      expect(letters, label).not.toContain(undefined);
      expect(new Set(letters).size, label).toBe(letters.length);
    }
  });

  it("writes a letter in English within the label, and in Chinese before the three dots", () => {
    const file = (language: string) =>
      createMenuModel("linux", true, chooseWords(language))
        .flatMap((menu) => menu.items)
        .flatMap((item) => ("label" in item ? item.label : []));
    expect(file("en").filter((label) => label.includes("("))).toStrictEqual([]);
    expect(file("zh")).toContain("设置(&S)…");
  });

  it.each([
    ["darwin", ["Command+[", "Command+]", "CommandOrControl+F", "Command+G", "Shift+Command+G", "CommandOrControl+,"]],
    ["linux", ["Alt+Left", "Alt+Right", "CommandOrControl+F", "F3", "Shift+F3", "CommandOrControl+,"]],
    ["win32", ["Alt+Left", "Alt+Right", "CommandOrControl+F", "F3", "Shift+F3", "CommandOrControl+,"]],
  ] as const)("on %s goes back and forward, finds and opens the settings by %j", (platform, expected) => {
    const keys = ["back", "forward", "find", "find-next", "find-previous", "settings"].map((target) =>
      items(platform).find((item) => name(item) === target),
    );
    expect(keys.map((item) => item !== undefined && "accelerator" in item && item.accelerator)).toStrictEqual(expected);
  });

  it.each([
    ["darwin", ["Postern", "File", "Edit", "View", "Window", "Help"]],
    ["win32", ["File", "Edit", "View", "Window", "Help"]],
    ["linux", ["File", "Edit", "View", "Window", "Help"]],
  ] as const)("on %s has the menus %j", (platform, expected) => {
    expect(createMenuModel(platform, false, english).map(({ label }) => withoutMark(label))).toStrictEqual(expected);
  });

  it.each(platforms)("on %s can edit, zoom, reload, copy the base URL and quit", (platform) => {
    const names = items(platform).map(name);
    for (const expected of [
      "undo",
      "cut",
      "copy",
      "paste",
      "selectAll",
      "zoomIn",
      "zoomOut",
      "resetZoom",
      "reload",
      "open",
      "copy-base-url",
      "close-window",
    ]) {
      expect(
        names.filter((one) => one === expected),
        expected,
      ).toHaveLength(1);
    }
    const others = ["back", "forward", "find", "find-next", "find-previous", "settings", "guide", "report", "about"];
    for (const expected of ["quit", "updates", "show-log", "diagnostics", ...others])
      expect(
        names.filter((one) => one === expected),
        expected,
      ).toHaveLength(1);
  });

  it.each(platforms)("on %s has developer tools only where they are on", (platform) => {
    expect(items(platform, false).map(name)).not.toContain("toggleDevTools");
    expect(items(platform, true).map(name)).toContain("toggleDevTools");
  });

  it.each(platforms)("on %s gives no shortcut to two entries", (platform) => {
    const shortcuts = items(platform, true).flatMap((item) => ("accelerator" in item ? (item.accelerator ?? []) : []));
    expect(new Set(shortcuts).size).toBe(shortcuts.length);
    expect(shortcuts.length).toBeGreaterThan(3);
  });

  it.each(platforms)("on %s no menu begins or ends with a separator", (platform) => {
    for (const menu of createMenuModel(platform, false, english)) {
      expect(menu.items.at(0)?.kind, menu.label).not.toBe("separator");
      expect(menu.items.at(-1)?.kind, menu.label).not.toBe("separator");
    }
  });

  it.each(platforms)("on %s zooms by the keys that people press for a plus, which show nowhere", (platform) => {
    const aliases = items(platform).flatMap((item) => (item.kind === "alias" ? [[item.role, item.accelerator]] : []));
    expect(aliases).toStrictEqual([
      ["zoomIn", "CommandOrControl+="],
      ["zoomIn", "CommandOrControl+numadd"],
      ["zoomOut", "CommandOrControl+numsub"],
      ["resetZoom", "CommandOrControl+num0"],
    ]);
  });

  it.each(platforms)("on %s says everything in Chinese, what the system does too", (platform) => {
    for (const menu of createMenuModel(platform, true, chooseWords("zh-CN"))) {
      const labels = menu.items.flatMap((item) => ("label" in item ? item.label : []));
      for (const label of menu.label === "Postern" ? labels : [menu.label, ...labels]) {
        expect(label).toMatch(/\p{Script=Han}/u);
      }
    }
  });
});

describe("contextMenu", () => {
  const can = { undo: false, redo: false, cut: false, copy: true, paste: true, selectAll: true };
  const texts = (isEditable: boolean, hasSelection: boolean) =>
    createContextMenu({ isEditable, hasSelection, can }, english).map((item) =>
      item.kind === "separator" ? "-" : `${item.enabled ? "" : "not "}${item.label}`,
    );

  it("offers in a field what can be done with its text now", () => {
    expect(texts(true, false)).toStrictEqual([
      "not Undo",
      "not Redo",
      "-",
      "not Cut",
      "Copy",
      "Paste",
      "-",
      "Select all",
    ]);
  });

  it("offers to copy what is selected elsewhere, and nothing where nothing is", () => {
    expect([texts(false, true), texts(false, false)]).toStrictEqual([["Copy"], []]);
  });
});
