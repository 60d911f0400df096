import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { axeInBothThemes, listening, sidewaysScroll, type WatchOptions } from "./browser.ts";
import { serveSettings } from "./fake-settings.ts";
import { useFakePages } from "./page-suite.ts";

/** What the pages do in the desktop app's window, whose side a test plays here. */
const pages = useFakePages(serveSettings);

function bridge(): void {
  const looks: unknown[] = [];
  window.desktop = {
    platform: "linux",
    looks,
    onDownload: () => () => undefined,
    openPages: () => Promise.reject(new Error("The address has a token.")),
    setAppearance: (look: unknown) => Promise.resolve(void looks.push(look)),
  };
}

async function openInWindow(place: string, options: WatchOptions = {}): Promise<Page> {
  const page = await pages.blank(options);
  await page.addInitScript(bridge);
  // Its part has come when it takes over.
  await page.goto(pages.fake.ui);
  await listening(page);
  await pages.go(page, place);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await expect.poll(() => offer(page, "find")).toBe(false);
  await bar(page).getByRole("button", { name: "Close the find bar" }).click();
  return page;
}
/** Offers a command as the shell does. @returns whether the page leaves it to the shell. */
const offer = (page: Page, command: string): Promise<boolean> =>
  page.evaluate((detail) => window.dispatchEvent(new CustomEvent("command", { cancelable: true, detail })), command);
const bar = (page: Page) => page.getByRole("search");
const field = (page: Page) => bar(page).getByRole("textbox", { name: "Find in page" });
const count = (page: Page) => bar(page).locator("output").textContent();
/** Texts that are marked: all, or the one that is looked at. */
const marked = (page: Page, name: "found" | "found-current"): Promise<string[]> =>
  page.evaluate(
    (expected) => [...(CSS.highlights.get(expected) ?? [])].map((range) => (range as Range).toString()),
    name,
  );
const question = (page: Page) => page.getByRole("alertdialog", { name: "Discard what you entered?" });

describe("the find bar", () => {
  it("marks and counts a text, goes from one to the next and around, and leaves nothing", async () => {
    const page = await openInWindow("keys");
    await offer(page, "find");
    await expect.poll(() => field(page).evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.type("ACTIVE");
    await expect.poll(() => count(page)).toMatch(/^1 of \d+$/);
    const all = await marked(page, "found");
    expect(all.length).toBeGreaterThan(1);
    // Not what was typed into the bar.
    expect(all).not.toContain("ACTIVE");
    expect(await marked(page, "found-current")).toHaveLength(1);
    await page.keyboard.press("Enter");
    expect(await count(page)).toBe(`2 of ${all.length}`);
    await page.keyboard.press("Shift+Enter");
    await offer(page, "find-previous");
    await expect.poll(() => count(page)).toBe(`${all.length} of ${all.length}`);
    await offer(page, "find-next");
    await expect.poll(() => count(page)).toBe(`1 of ${all.length}`);
    await field(page).fill("no such text");
    await expect.poll(() => count(page)).toBe("No match");
    await page.keyboard.press("Escape");
    await bar(page).waitFor({ state: "detached" });
    expect(await marked(page, "found")).toEqual([]);
  });

  it("follows a page that draws itself again", async () => {
    const page = await openInWindow("keys");
    await offer(page, "find");
    await field(page).fill("keys");
    await expect.poll(() => count(page)).toMatch(/^1 of /);
    await pages.go(page, "settings");
    await field(page).fill("language");
    await expect.poll(() => marked(page, "found")).toContain("Language");
    await pages.go(page, "keys");
    await expect.poll(() => count(page)).toBe("No match");
  });

  it("searches a dialog that is open, and Escape leaves that open", async () => {
    const page = await openInWindow("keys");
    await page.getByRole("button", { name: "Create key" }).click();
    const dialog = page.getByRole("dialog", { name: "Create a key" });
    await dialog.waitFor();
    await offer(page, "find");
    await field(page).fill("name");
    await expect.poll(() => marked(page, "found")).toContain("Name");
    const isInside = await page.evaluate(() =>
      [...(CSS.highlights.get("found") ?? [])].every(
        (range) => (range as Range).startContainer.parentElement?.closest("[role=dialog]") !== null,
      ),
    );
    expect(isInside).toBe(true);
    await page.keyboard.press("Escape");
    await bar(page).waitFor({ state: "detached" });
    expect(await dialog.isVisible()).toBe(true);
  });

  it("fits a narrow window, and is accessible in both themes", async () => {
    const page = await openInWindow("keys", { width: 360, height: 640 });
    await offer(page, "find");
    await field(page).fill("active");
    await expect.poll(() => count(page)).toMatch(/ of /);
    expect(await sidewaysScroll(page)).toBe(0);
    const box = await bar(page).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect(await axeInBothThemes(page)).toEqual([]);
  });

  it("is a browser's own matter there", async () => {
    const page = await pages.open("keys");
    expect(await offer(page, "find")).toBe(true);
    await page.evaluate(() =>
      window.addEventListener("keydown", (event) => {
        if (event.key === "f") setTimeout(() => (window.isFree = !event.defaultPrevented));
      }),
    );
    await page.keyboard.press("Control+f");
    await expect.poll(() => page.evaluate(() => window.isFree)).toBe(true);
    expect(await bar(page).count()).toBe(0);
  });
});

describe("a command that leads away", () => {
  const commands = ["#/settings?section=updates", "back", "forward", "reload"];

  it("is left to the shell where nothing was entered, and closes what is open", async () => {
    const page = await openInWindow("keys");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("dialog", { name: "Create a key" }).waitFor();
    expect(await offer(page, "#/settings")).toBe(true);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    for (const command of commands) expect(await offer(page, command), command).toBe(true);
  });

  it.each(commands)("%s asks before a half filled form is discarded, and keeps it", async (command) => {
    const page = await openInWindow("keys");
    await page.getByRole("button", { name: "Create key" }).click();
    const name = page.getByRole("dialog", { name: "Create a key" }).getByRole("textbox", { name: "Name" });
    await name.fill("Half");
    expect(await offer(page, command)).toBe(false);
    await question(page).waitFor();
    await question(page).getByRole("button", { name: "Stay here" }).click();
    await question(page).waitFor({ state: "detached" });
    expect(await name.inputValue()).toBe("Half");
    expect(page.url()).toMatch(/#\/keys$/);
  });

  it("leads there, and closes the form, when that is wanted", async () => {
    const page = await openInWindow("settings");
    for (const [command, place] of [
      ["back", "settings"],
      ["#/requests?q=x", "requests"],
    ] as const) {
      await pages.go(page, "keys");
      await page.getByRole("button", { name: "Create key" }).click();
      await page.getByRole("dialog", { name: "Create a key" }).getByRole("textbox", { name: "Name" }).fill("Half");
      expect(await offer(page, command)).toBe(false);
      await question(page).getByRole("button", { name: "Discard" }).click();
      await expect.poll(() => page.url()).toContain(`#/${place}`);
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(await offer(page, "#/overview")).toBe(true);
    }
  });

  it("is accessible, and fits a narrow window", async () => {
    const page = await openInWindow("keys", { width: 360, height: 640 });
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("dialog", { name: "Create a key" }).getByRole("textbox", { name: "Name" }).fill("Half");
    await offer(page, "reload");
    await question(page).waitFor();
    expect(await sidewaysScroll(page)).toBe(0);
    expect(await axeInBothThemes(page, "[role=alertdialog]")).toEqual([]);
  });
});

it("tells the shell which language and theme were chosen, now and later", async () => {
  const page = await openInWindow("settings");
  const looks = () => page.evaluate(() => window.desktop?.["looks"]);
  expect(await looks()).toEqual([{ language: null, theme: "system" }]);
  for (const [name, value] of [
    ["theme", "dark"],
    ["language", "zh"],
    ["language", "someone's own"],
  ] as const) {
    await page.evaluate(
      ([key, text]) => {
        localStorage.setItem(`postern.${key}`, text);
        window.dispatchEvent(new StorageEvent("storage"));
      },
      [name, value] as const,
    );
  }
  await expect.poll(looks).toEqual([
    { language: null, theme: "system" },
    { language: null, theme: "dark" },
    { language: "zh", theme: "dark" },
    { language: null, theme: "dark" },
  ]);
});
