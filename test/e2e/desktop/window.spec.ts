import { spawnSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DesktopHook } from "../../../main/shell/test-hook.ts";
import { endDesktopApp, isPackaged, missing, startDesktopAppWith, type DesktopApp } from "./desktop-app.ts";
import { pressKey, zoomFactor } from "./keys.ts";
import { needs } from "../../support/needs.ts";

let desktop: DesktopApp;
const xdotool = (...given: string[]): number | null => spawnSync("xdotool", given, { stdio: "ignore" }).status;
const noMouse = xdotool("version") !== 0;
if (missing === null && noMouse) console.log("\nskipped: the buttons and the wheel of a mouse (there is no xdotool)\n");

const heading = (name: string) => desktop.window.getByRole("heading", { name, level: 1 });
const hash = (): Promise<unknown> => desktop.window.evaluate("location.hash");
const goTo = async (name: string): Promise<void> => {
  await desktop.window.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }).click();
  await heading(name).waitFor();
};
/** Whether the menu's entries Back and Forward can be chosen. */
const canGo = (): Promise<(boolean | undefined)[]> =>
  desktop.app.evaluate(({ Menu }) =>
    ["back", "forward"].map((id) => Menu.getApplicationMenu()?.getMenuItemById(id)?.enabled),
  );
const menuLabels = (): Promise<string[]> =>
  desktop.app.evaluate(({ Menu }) => (Menu.getApplicationMenu()?.items ?? []).map(({ label }) => label));
const isDark = (): Promise<boolean> => desktop.app.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors);
const startOver = async (): Promise<void> => {
  const { dataDir } = desktop;
  await pressKey(desktop, "Q", ["control"]);
  expect(await desktop.ended).toBe(0);
  desktop = await startDesktopAppWith({ dataDir });
};

describe.skipIf(missing !== null)("the window", needs(missing), () => {
  beforeEach(async () => {
    desktop = await startDesktopAppWith({});
    await heading("Overview").waitFor();
  });
  afterEach(() => endDesktopApp(desktop));

  it("goes back and forward by keys, whose entries of the menu can be chosen where they lead somewhere", async () => {
    expect(await canGo()).toEqual([false, false]);
    await goTo("Keys");
    await goTo("Usage");
    await expect.poll(canGo).toEqual([true, false]);
    await pressKey(desktop, "Left", ["alt"]);
    await heading("Keys").waitFor();
    await expect.poll(canGo).toEqual([true, true]);
    await pressKey(desktop, "Left", ["alt"]);
    await heading("Overview").waitFor();
    await expect.poll(canGo).toEqual([false, true]);
    await pressKey(desktop, "Right", ["alt"]);
    await heading("Keys").waitFor();
  });

  it.skipIf(noMouse)(
    "goes back and forward by the buttons of a mouse, and zooms by its wheel",
    needs("xdotool"),
    async () => {
      await goTo("Usage");
      await goTo("Keys");
      const middle = await desktop.app.evaluate(({ BrowserWindow }) => {
        const { x, y, width, height } = BrowserWindow.getAllWindows()[0]!.getContentBounds();
        return [Math.round(x + width / 2), Math.round(y + height / 2)].map(String);
      });
      xdotool("mousemove", ...middle, "click", "8");
      await heading("Usage").waitFor();
      xdotool("click", "9");
      await heading("Keys").waitFor();
      const wheel = (button: string) => xdotool("keydown", "ctrl", "click", button, "keyup", "ctrl");
      wheel("4");
      await expect.poll(() => zoomFactor(desktop)).toBeCloseTo(1.095, 2);
      await startOver();
      await heading("Overview").waitFor();
      await expect.poll(() => zoomFactor(desktop)).toBeCloseTo(1.095, 2);
      wheel("5");
      await expect.poll(() => zoomFactor(desktop)).toBe(1);
    },
  );

  it("is enlarged by two fingers on a touchpad", async () => {
    const session = await desktop.window.context().newCDPSession(desktop.window);
    await session.send("Input.synthesizePinchGesture", { x: 300, y: 300, scaleFactor: 2, gestureSourceType: "mouse" });
    await expect.poll(() => desktop.window.evaluate("visualViewport.scale")).toBeGreaterThan(1.5);
  });

  it("finds text by keys, and again while something else has the focus", async () => {
    await goTo("Keys");
    await pressKey(desktop, "F", ["control"]);
    const bar = desktop.window.getByRole("search");
    await bar.getByRole("textbox", { name: "Find in page" }).fill("key");
    const count = () => bar.locator("output").textContent();
    await expect.poll(count).toMatch(/^1 of [3-9]$/);
    await heading("Keys").click();
    await pressKey(desktop, "F3");
    await expect.poll(count).toMatch(/^2 of /);
    await pressKey(desktop, "F3", ["shift"]);
    await expect.poll(count).toMatch(/^1 of /);
    await desktop.window.keyboard.press("Escape");
    await bar.waitFor({ state: "detached" });
  });

  it("asks before a link, a reload or a step back discards a form that is half filled in", async () => {
    await goTo("Keys");
    await desktop.window.getByRole("button", { name: "Create key" }).click();
    const name = desktop.window.getByRole("dialog").getByRole("textbox", { name: "Name" });
    await name.fill("Half");
    const question = desktop.window.getByRole("alertdialog", { name: "Discard what you entered?" });
    for (const leave of [
      () => pressKey(desktop, "R", ["control"]),
      () => pressKey(desktop, "Left", ["alt"]),
      () => pressKey(desktop, ",", ["control"]),
      () => desktop.startAgain("--", "postern://open?page=usage"),
    ]) {
      await leave();
      await question.waitFor();
      await question.getByRole("button", { name: "Stay here" }).click();
      await question.waitFor({ state: "detached" });
      expect([await name.inputValue(), await hash()]).toEqual(["Half", "#/keys"]);
    }
    await desktop.startAgain("--", "postern://open?page=usage");
    await question.getByRole("button", { name: "Discard" }).click();
    await heading("Usage").waitFor();
    await desktop.window.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("keeps the playground's draft over a reload", async () => {
    await goTo("Playground");
    const message = desktop.window.getByRole("textbox", { name: "Message" });
    await message.fill("Half a question");
    await desktop.window.evaluate("void (globalThis.before = true)");
    await pressKey(desktop, "R", ["control"]);
    await expect.poll(() => desktop.window.evaluate("globalThis.before === undefined").catch(() => null)).toBe(true);
    await expect.poll(() => message.inputValue()).toBe("Half a question");
  });

  it("gives menus, tray and boxes the language and theme of its pages, at the next start from the beginning", async () => {
    const choose = (language: string, theme: string): Promise<unknown> =>
      desktop.window.evaluate(
        `(localStorage.setItem("postern.language", "${language}"), localStorage.setItem("postern.theme", "${theme}"),
          dispatchEvent(new StorageEvent("storage")), undefined)`,
      );
    await choose("zh", "dark");
    await heading("概览").waitFor();
    const chinese = ["文件(&F)", "编辑(&E)", "视图(&V)", "窗口(&W)", "帮助(&H)"];
    const shown = async () => [(await menuLabels()).toSorted(), await isDark()];
    await expect.poll(shown).toEqual([chinese.toSorted(), true]);
    if (!isPackaged) {
      const tray = await desktop.app.evaluate(() =>
        (globalThis as { posternDesktop?: DesktopHook }).posternDesktop?.tray(),
      );
      expect(JSON.stringify(tray)).toContain("退出 Postern");
    }
    await startOver();
    // Chromium's own words, and boxes that come before any page, are in it.
    expect(await desktop.app.evaluate(({ app }) => app.getLocale())).toMatch(/^zh/);
    // The pages of another port have no choice stored: they follow the system, which is English here.
    await heading("概览").waitFor();
  });
});
