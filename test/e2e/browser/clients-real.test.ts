import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { beforeEach, expect, it } from "vitest";
import { axeFindings, closeByEscape, copied } from "./browser.ts";
import { makeHome, startIn, type Home } from "./home.ts";
import { chooseModel, modelField } from "./model-picking.ts";
import { useGatewayPages } from "./page-suite.ts";

/** Connecting tools on a real Postern, in the home folder of no one: seen, written, tried, undone to the byte. */
const CLAUDE = '{\n  "theme": "dark",\n  "env": {\n    "FOO": "1"\n  }\n}\n';
const OPENCODE = '{\n  // my own\n  "$schema": "https://opencode.ai/config.json",\n}\n';

let home: Home;
let page: Page;
const pages = useGatewayPages(async () => {
  home = await makeHome();
  await home.put(".claude/settings.json", CLAUDE);
  await home.put(".config/opencode/opencode.json", OPENCODE);
  return startIn(home);
});
beforeEach(async () => {
  page = await pages.open("clients");
});

const card = (name: string): Locator => page.getByRole("region", { name, exact: true });
const button = (name: string): Locator => page.getByRole("button", { name, exact: true });

it("connects Claude Code: the change is seen before, a real call answers, undone to the byte", async () => {
  await card("Claude Code").getByText("Detected").waitFor();
  await button("Connect Claude Code").click();
  const dialog = page.getByRole("dialog");
  const settings = dialog.getByRole("region", { name: `Change of ${join(home.path, ".claude/settings.json")}` });
  await settings.getByText('"ANTHROPIC_AUTH_TOKEN": "sk-…"').waitFor();
  // What is added is distinguished without colours, with the number of its line.
  const added = settings.getByRole("row").filter({ hasText: "ANTHROPIC_BASE_URL" });
  expect(await added.getByText("added").count()).toBe(1);
  expect(await added.getByRole("cell").nth(1).textContent()).toBe("5");
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  expect(await home.read(".claude/settings.json")).toBe(CLAUDE);
  await dialog.getByRole("button", { name: "Write it" }).click();
  await page.getByRole("dialog", { name: "Claude Code is connected" }).waitFor();
  await dialog.getByText(/^Models: Works/).waitFor();
  await dialog.getByText(/^Tools \(MCP\): Works/).waitFor();
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  expect(await home.read(".claude/settings.json")).toContain(`"ANTHROPIC_BASE_URL": "${pages.gateway.url}",`);
  await dialog.getByRole("button", { name: "Done" }).click();

  await card("Claude Code").getByText("Connected", { exact: true }).waitFor();
  await card("Claude Code").getByText("1 call", { exact: true }).waitFor();
  await button("Undo Claude Code").click();
  await page.getByRole("dialog", { name: "Undo Claude Code?" }).getByText("The file is removed").waitFor();
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  await button("Undo and revoke the key").click();
  await card("Claude Code").getByText("Detected").waitFor();
  expect(await home.read(".claude/settings.json")).toBe(CLAUDE);
  await expect(home.read(".claude.json")).rejects.toThrow("ENOENT");
});

it("offers the models of now, whatever the pages have known until the dialog was opened", async () => {
  // As right after a provider was added, when what is known is the sandbox's.
  await pages.go(page, "models");
  await page.getByRole("row").nth(1).waitFor();
  await page.route("**/control/models", async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: { id: string }[] };
    await route.fulfill({ response, json: { data: data.map((model) => ({ ...model, id: `new-${model.id}` })) } });
  });
  await pages.go(page, "clients");
  await button("Connect Codex").click();
  const chosen = page.getByRole("dialog").getByRole("combobox").first();
  await chosen.waitFor();
  expect(await chosen.textContent()).toContain("new-");
  await page.unroute("**/control/models");
});

it("chooses the model of each size in the picker, and takes the choice back", async () => {
  await button("Connect Claude Code").click();
  const dialog = page.getByRole("dialog", { name: "Connect Claude Code" });
  await chooseModel(dialog, "For Haiku", "gpt-4o-mini");
  await dialog.getByText('"ANTHROPIC_DEFAULT_HAIKU_MODEL": "gpt-4o-mini"').first().waitFor();
  await dialog.getByRole("button", { name: "For Haiku: By its own name" }).click();
  await dialog.getByText("ANTHROPIC_DEFAULT_HAIKU_MODEL").waitFor({ state: "detached" });
  expect(await modelField(dialog, "For Haiku").textContent()).toContain("By its own name");
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
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
  await closeByEscape(dialog);
  const written = await home.read(".config/opencode/opencode.json");
  await home.put(".config/opencode/opencode.json", written.replace("// my own", "// mine"));
  page = await pages.open("clients");
  await card("opencode").getByText("Connected", { exact: true }).waitFor();
  await home.put(".config/opencode/opencode.json", written.replace(pages.gateway.url, "http://127.0.0.1:9"));
  page = await pages.open("clients");
  await card("opencode").getByText("Connected, file changed since").waitFor();
  await home.put(".config/opencode/opencode.json", written.replace("// my own", "// mine"));
  await button("Undo opencode").click();
  await button("Undo and revoke the key").click();
  await card("opencode").getByText("Detected").waitFor();
  expect(await home.read(".config/opencode/opencode.json")).toBe(OPENCODE.replace("// my own", "// mine"));
});

it("refuses an invalid file with the reason, and leaves it", async () => {
  const broken = '{ "mcpServers": { "a": 1 "b": 2 } }';
  await home.put(".cursor/mcp.json", broken);
  await button("Connect Cursor").click();
  await page.getByRole("dialog").getByRole("alert").getByText("not valid JSON").waitFor();
  expect(await page.getByRole("dialog").getByRole("button", { name: "Write it" }).isDisabled()).toBe(true);
  await page.keyboard.press("Escape");
  expect(await home.read(".cursor/mcp.json")).toBe(broken);
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
    await button(`Manual setup: ${name}`).click();
    const dialog = page.getByRole("dialog", { name: `Set up ${name} manually` });
    await dialog.getByText("YOUR_KEY").first().waitFor();
    const copy = dialog.getByRole("button", { name: /^Copy / }).first();
    expect(await copied(page, () => copy.click())).not.toBe("");
    expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
    await closeByEscape(dialog);
  }
});

it("connects all apps that were found, says what became of each, and takes all back", async () => {
  const before = await home.read(".config/opencode/opencode.json");
  await home.put(".qwen/settings.json", "{ broken\n");
  await pages.go(page, "overview");
  await pages.go(page, "clients");
  await button("Connect all found apps").click();
  const dialog = page.getByRole("dialog", { name: "Connect all found apps" });
  await dialog.getByRole("button", { name: "What changes: opencode" }).click();
  await dialog.getByText('"baseURL"').waitFor();
  await dialog.getByText(/^… \d[\d,]* more lines$/).waitFor();
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  expect(await home.read(".config/opencode/opencode.json")).toBe(before);
  await dialog.getByRole("button", { name: /^Connect \d+ apps$/ }).click();
  const item = (name: string): Locator => dialog.getByRole("listitem").filter({ hasText: name });
  await item("opencode")
    .getByText(/^Models: Works/)
    .waitFor();
  await item("Qwen Code")
    .getByRole("alert")
    .getByText(/not valid JSON/)
    .waitFor();
  expect(await home.read(".config/opencode/opencode.json")).toContain(pages.gateway.url);
  await dialog.getByRole("button", { name: "Undo all" }).click();
  await item("opencode").getByText("opencode is as it was").waitFor();
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  await dialog.getByRole("button", { name: "Done" }).click();
  expect(await home.read(".config/opencode/opencode.json")).toBe(before);
});

it("says when other models are served than a picker has, and writes them with one press", async () => {
  await button("Connect opencode").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("checkbox", { name: /^Offer all \d+ chat models/ }).waitFor();
  await dialog.getByRole("button", { name: "Write it" }).click();
  await dialog.getByText(/^Models: Works/).waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.route("**/control/clients", async (route) => {
    const response = await route.fetch();
    const view = (await response.json()) as { data: { id: string; connected: object | null }[] };
    const data = view.data.map((one) =>
      one.connected === null ? one : { ...one, connected: { ...one.connected, is_outdated: true } },
    );
    await route.fulfill({ response, json: { ...view, data } });
  });
  await pages.go(page, "overview");
  await pages.go(page, "clients");
  await card("opencode").getByText("Other models are served than its picker has.").waitFor();
  await page.unroute("**/control/clients");
  await button("Refresh models").click();
  await card("opencode").getByText("Other models are served than its picker has.").waitFor({ state: "detached" });
  await button("Undo opencode").click();
  await button("Undo and revoke the key").click();
  await card("opencode").getByText("Detected").waitFor();
  expect(await button("Refresh models").count()).toBe(0);
});
