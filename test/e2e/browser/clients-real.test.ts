import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import {
  axeFindings,
  closeAll,
  listening,
  sidewaysScroll,
  startBrowser,
  watchedPage,
  type Watched,
  type WatchOptions,
} from "./browser.ts";
import { startGateway, type RunningGateway } from "./gateway.ts";

/** Connecting tools on a real Postern, in the home folder of nobody: seen, written, tried, undone to the byte. */
let browser: Browser;
let gateway: RunningGateway;
let home: string;
let page: Page;
const opened: Watched[] = [];

const CLAUDE = '{\n  "theme": "dark",\n  "env": {\n    "FOO": "1"\n  }\n}\n';
const OPENCODE = '{\n  // my own\n  "$schema": "https://opencode.ai/config.json",\n}\n';

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "postern-home-"));
  await put(".claude/settings.json", CLAUDE);
  await put(".config/opencode/opencode.json", OPENCODE);
  browser = await startBrowser();
  gateway = await startGateway({ HOME: home, XDG_CONFIG_HOME: "", CLAUDE_CONFIG_DIR: "", CODEX_HOME: "" });
});
beforeEach(async () => {
  page = await open();
});
afterEach(() => closeAll(opened));
afterAll(async () => {
  await browser.close();
  await gateway.stop();
  await rm(home, { recursive: true, force: true });
});

async function open(options: WatchOptions = {}): Promise<Page> {
  const watched = await watchedPage(browser, gateway.url, options);
  opened.push(watched);
  await watched.page.goto(await gateway.freshAddress());
  await listening(watched.page);
  await watched.page.goto(`${gateway.url}/#/clients`);
  return watched.page;
}

async function put(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(home, file)), { recursive: true });
  await writeFile(join(home, file), text);
}
const text = (file: string): Promise<string> => readFile(join(home, file), "utf8");
const card = (name: string): Locator => page.getByRole("region", { name, exact: true });
const button = (name: string): Locator => page.getByRole("button", { name, exact: true });

it("connects Claude Code: the change is seen before, a real call answers, undone to the byte", async () => {
  await card("Claude Code").getByText("Found here").waitFor();
  await button("Connect Claude Code").click();
  const dialog = page.getByRole("dialog");
  const settings = dialog.getByRole("region", { name: `Change of ${join(home, ".claude/settings.json")}` });
  await settings.getByText('"ANTHROPIC_AUTH_TOKEN": "sk-…"').waitFor();
  // What is added is told apart without colours, with the number of its line.
  const added = settings.getByRole("row").filter({ hasText: "ANTHROPIC_BASE_URL" });
  expect(await added.getByText("added").count()).toBe(1);
  expect(await added.getByRole("cell").nth(1).textContent()).toBe("5");
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  expect(await text(".claude/settings.json")).toBe(CLAUDE);
  await dialog.getByRole("button", { name: "Write it" }).click();
  await page.getByRole("dialog", { name: "Claude Code is connected" }).waitFor();
  await dialog.getByText(/^Models: Works/).waitFor();
  await dialog.getByText(/^Tools \(MCP\): Works/).waitFor();
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  expect(await text(".claude/settings.json")).toContain(`"ANTHROPIC_BASE_URL": "${gateway.url}",`);
  await dialog.getByRole("button", { name: "Done" }).click();

  await card("Claude Code").getByText("Connected", { exact: true }).waitFor();
  await card("Claude Code").getByText("1 call", { exact: true }).waitFor();
  await button("Undo Claude Code").click();
  await page.getByRole("dialog", { name: "Undo Claude Code?" }).getByText("The file is removed").waitFor();
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  await button("Undo and revoke the key").click();
  await card("Claude Code").getByText("Found here").waitFor();
  expect(await text(".claude/settings.json")).toBe(CLAUDE);
  await expect(text(".claude.json")).rejects.toThrow("ENOENT");
});

it("connects opencode by keys alone, and takes out only its own lines after a change", async () => {
  await button("Connect opencode").focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByText('"baseURL"').first().waitFor();
  const apply = dialog.getByRole("button", { name: "Write it" });
  await apply.focus();
  await page.keyboard.press("Enter");
  await dialog.getByText(/^Models: Works/).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  const written = await text(".config/opencode/opencode.json");
  await put(".config/opencode/opencode.json", written.replace("// my own", "// mine"));
  page = await open();
  await card("opencode").getByText("Connected, file changed since").waitFor();
  await button("Undo opencode").click();
  await button("Undo and revoke the key").click();
  await card("opencode").getByText("Found here").waitFor();
  expect(await text(".config/opencode/opencode.json")).toBe(OPENCODE.replace("// my own", "// mine"));
});

it("refuses an invalid file with the reason, and leaves it", async () => {
  const broken = '{ "mcpServers": { "a": 1 "b": 2 } }';
  await put(".cursor/mcp.json", broken);
  await button("Connect Cursor").click();
  await page.getByRole("dialog").getByRole("alert").getByText("not valid JSON").waitFor();
  expect(await page.getByRole("dialog").getByRole("button", { name: "Write it" }).isDisabled()).toBe(true);
  await page.keyboard.press("Escape");
  expect(await text(".cursor/mcp.json")).toBe(broken);
});

it("tells a key once where the tool does not take it from its file", async () => {
  await button("Connect Zed").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("openai_compatible").waitFor();
  await dialog.getByRole("button", { name: "Write it" }).click();
  await dialog.getByRole("button", { name: "Copy key" }).waitFor();
  const secret = await dialog.locator("[data-secret]").textContent();
  expect(secret).toMatch(/^sk-\w{48}$/);
  await dialog.getByText(/^Models: Works/).waitFor();
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await expect.poll(() => page.content()).not.toContain(secret);
});

it("has something to copy for every tool", async () => {
  for (const name of ["Cline", "LangChain", "Codex"]) {
    await button(`Connect ${name} by hand`).click();
    const dialog = page.getByRole("dialog", { name: `Connect ${name} by hand` });
    await dialog.getByText("YOUR_KEY").first().waitFor();
    await dialog
      .getByRole("button", { name: /^Copy / })
      .first()
      .click();
    await expect.poll(() => page.evaluate<string>("navigator.clipboard.readText()")).not.toBe("");
    expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  }
});

it.each(["light", "dark"] as const)("axe finds nothing in %s, and it does not scroll sideways", async (theme) => {
  for (const width of [1_280, 360]) {
    const dressed = await open({ theme, width, height: 740 });
    await dressed.getByRole("region", { name: "LangChain" }).waitFor();
    expect(await axeFindings(dressed)).toEqual([]);
    expect(await sidewaysScroll(dressed)).toBe(0);
  }
});
