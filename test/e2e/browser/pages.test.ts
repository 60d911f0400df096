import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import {
  axeFindings,
  axeInBothThemes,
  closeByEscape,
  focused,
  listening,
  openPalette,
  runCommand,
  sidewaysScroll,
} from "./browser.ts";
import { refusal } from "./fake-control.ts";
import { useFakePages } from "./page-suite.ts";

/** The frame of the pages and what belongs to all of them: dialogs, keys, preferences, and where there is nothing yet. */
const pages = useFakePages();

it("axe finds nothing in the dialogs, in both themes", async () => {
  const page = await pages.open();
  const dialogs: [string, string][] = [
    ["Control+k", "Search or jump to"],
    ["?", "Keyboard shortcuts"],
    ["n", "Create a key"],
  ];
  for (const [key, name] of dialogs) {
    await page.keyboard.press(key);
    await page.getByRole("dialog", { name }).waitFor();
    expect(await axeInBothThemes(page, "[role=dialog]")).toEqual([]);
    await closeByEscape(page.getByRole("dialog"));
  }
  await page.locator("[data-row]").filter({ hasText: "2 images" }).click();
  await page.getByRole("dialog").getByRole("tab", { name: "Cost" }).click();
  await page.getByRole("dialog").getByText("$0.02 each").waitFor();
  expect(await axeInBothThemes(page, "[role=dialog]")).toEqual([]);
});

it("axe finds nothing where there is no session", async () => {
  const page = await pages.blank();
  await page.goto(pages.url);
  await page.getByRole("heading", { name: "Open the pages again" }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
});

it("axe finds nothing when everything is empty", async () => {
  Object.assign(pages.fake, { keys: [], connections: [], receipts: [] });
  const page = await pages.open();
  for (const [place, message] of [
    ["overview", "No request yet"],
    ["keys", "No keys yet"],
    ["connections", "No provider is connected"],
  ] as const) {
    await pages.go(page, place);
    await page.locator("main").getByText(message, { exact: true }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  }
});

it("shows how to point Claude Code and Codex here, whole even in a narrow window", async () => {
  const page = await pages.open("overview", { width: 360, height: 740 });
  const panel = page.getByRole("tabpanel");
  await page.getByRole("tab", { name: "Claude Code" }).click();
  await panel.getByText(`export ANTHROPIC_BASE_URL=${pages.fake.url}`).waitFor();
  await page.getByRole("tab", { name: "Codex" }).click();
  await panel.getByText('wire_api = "responses"').waitFor();
  const code = panel.locator("pre").first();
  expect(await code.evaluate((pre) => pre.scrollHeight - pre.clientHeight)).toBe(0);
  expect(await axeFindings(page, "[role=tabpanel]")).toEqual([]);
  expect(await sidewaysScroll(page)).toBe(0);
});

it("shows in forced colours how much of a limit is used", async () => {
  const page = await pages.open("keys");
  await page.emulateMedia({ forcedColors: "active" });
  await page.getByRole("meter").first().waitFor();
  const fill = page.locator("[role=meter] span:last-child:not(:has(*))").first();
  const ground = await fill.evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(ground).not.toMatch(/rgba?\(0, 0, 0(, 0)?\)/);
});

describe("keyboard", () => {
  it("goes to pages with g and a letter, and to anything by its name", async () => {
    const page = await pages.open("overview");
    await page.keyboard.type("gc");
    await page.getByRole("heading", { level: 1, name: "Providers" }).waitFor();
    await openPalette(page);
    await page.keyboard.type("nightly");
    await runCommand(page, "Nightly evaluation");
    await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
    await expect.poll(() => page.locator("[data-row]").count()).toBe(1);
    expect(page.url()).toContain("q=Nightly");
  });

  it("moves over rows with j and k, opens them with Enter and their menu with Space", async () => {
    const page = await pages.open("keys");
    await page.locator("[data-row]").first().focus();
    await focused(page.locator("[data-row]").first());
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await focused(page.getByRole("row").filter({ hasText: "Claude Code" }));
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Change limits" }).waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("Claude Code");
    await closeByEscape(page.getByRole("dialog"));
    await focused(page.getByRole("row").filter({ hasText: "Claude Code" }));
    await page.keyboard.press(" ");
    await page.getByRole("menu").waitFor();
  });
});

describe("preferences", () => {
  it("keep the theme over a reload and follow the system without one", async () => {
    const page = await pages.open("overview", { theme: "light" });
    const groundOf = (shown: Page): Promise<string> =>
      shown.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const ground = (): Promise<string> => groundOf(page);
    const light = await ground();
    await page.getByRole("button", { name: "Preferences" }).click();
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    await expect.poll(ground).not.toBe(light);
    const dark = await ground();
    const later = await pages.open();
    expect(await groundOf(later)).toBe(dark);
  });

  it("remember hidden columns", async () => {
    const page = await pages.open("keys");
    await page.getByRole("columnheader", { name: "Expires" }).waitFor();
    await page.getByRole("button", { name: "Columns of Keys" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Expires" }).click();
    await page.getByRole("columnheader", { name: "Expires" }).waitFor({ state: "detached" });
    const later = await pages.open("keys");
    // With it there is room for the hidden one, too: the table has been measured.
    await later.getByRole("columnheader", { name: "Limits" }).waitFor();
    expect(await later.getByRole("columnheader", { name: "Expires" }).count()).toBe(0);
  });

  it("speak Chinese when asked to", async () => {
    const page = await pages.open("keys");
    await page.getByRole("button", { name: "Preferences" }).click();
    await page.getByRole("menuitemradio", { name: "中文" }).click();
    await page.getByRole("heading", { level: 1, name: "密钥" }).waitFor();
    await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe("zh");
  });
});

it("puts a refusal of the gateway next to the field that it names", async () => {
  pages.fake.responses.set(
    "POST /control/keys",
    refusal(400, "A key named “Twice” exists already.", "invalid_value", "name"),
  );
  const page = await pages.open("keys");
  await page.keyboard.press("n");
  await page.getByLabel("Name").fill("Twice");
  await page.keyboard.press("Enter");
  await page.getByText("A key named “Twice” exists already.").waitFor();
  expect(await page.getByLabel("Name").getAttribute("aria-invalid")).toBe("true");
});

it("says a refusal in Chinese on Chinese pages, and quotes what the gateway adds", async () => {
  pages.fake.responses.set("POST /control/pause", refusal(503, "The disk is full: ENOSPC.", "storage_unavailable"));
  pages.fake.responses.set("POST /control/keys", refusal(400, "Twice exists already.", "conflict", "name"));
  const page = await pages.open("keys");
  await page.evaluate(() => localStorage.setItem("postern.language", "zh"));
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "密钥" }).waitFor();
  await listening(page);
  await page.keyboard.press("n");
  await page.getByLabel("名称").fill("Twice");
  await page.keyboard.press("Enter");
  await page.getByText("此更改与当前状态不符。原文：“Twice exists already.”").waitFor();
  await closeByEscape(page.getByRole("dialog"));
  await openPalette(page);
  await page.keyboard.type("暂停");
  await runCommand(page, "暂停");
  const toast = page.getByRole("region", { name: "通知" });
  await toast.getByText("磁盘拒绝写入，或空间不足。", { exact: true }).waitFor();
  expect(await toast.getByText("原文：“The disk is full: ENOSPC.”").count()).toBe(1);
});
