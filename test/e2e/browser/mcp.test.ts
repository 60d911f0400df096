import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  axeFindings,
  closeAll,
  focused,
  listening,
  sidewaysScroll,
  startBrowser,
  watchedPage,
  type Watched,
  type WatchOptions,
} from "./browser.ts";
import { startFakeControl, type FakeControl } from "./fake-control.ts";
import { addLibrary } from "./fake-library.ts";
import { addMcp, answered, NEW_SECRET, type FakeMcp } from "./fake-mcp.ts";
import { startGateway } from "./gateway.ts";

/** The MCP page: connecting clients, trying tools, and following calls. */
let browser: Browser;
let fake: FakeControl;
let mcp: FakeMcp;
const opened: Watched[] = [];

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  fake = await startFakeControl();
  addLibrary(fake, 20);
  mcp = addMcp(fake);
});
afterEach(async () => {
  await closeAll(opened);
  await fake.close();
});

async function open(query = "", options: WatchOptions = {}): Promise<Page> {
  const watched = await watchedPage(browser, fake.url, options);
  opened.push(watched);
  await watched.page.goto(fake.ui);
  await listening(watched.page);
  await watched.page.goto(`${fake.url}/#/mcp${query}`);
  await watched.page.getByRole("heading", { level: 2, name: "Tools", includeHidden: true }).waitFor();
  await fake.followed();
  return watched.page;
}

const dialog = (page: Page): Locator => page.getByRole("dialog");
const calls = (page: Page): Locator => page.getByRole("grid", { name: "Live calls" }).locator("[data-row]");
const config = (page: Page, client: string): Locator => page.getByLabel(`Configuration for ${client}`);
const clipboard = (page: Page): Promise<string> => page.evaluate<string>("navigator.clipboard.readText()");
const run = (page: Page): Locator => dialog(page).getByRole("button", { name: "Run", exact: true });
const result = (page: Page): Locator => dialog(page).getByRole("region", { name: "Result", exact: true });

describe.each(["light", "dark"] as const)("in %s", (theme) => {
  it.each([1_280, 360])("axe finds nothing at %i px, and nothing scrolls sideways", async (width) => {
    const page = await open("", { theme, width, height: 740 });
    await calls(page).first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    await page.getByRole("tab", { name: "VS Code" }).click();
    await config(page, "VS Code").waitFor();
    expect(await axeFindings(page, "main")).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    await page.goto(`${fake.url}/#/mcp?tool=chat`);
    await dialog(page).getByText("5 more arguments").click();
    await run(page).click();
    await dialog(page).getByText("This is needed.").waitFor();
    expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
    await dialog(page).getByLabel("model", { exact: true }).fill("gpt-5.4");
    mcp.answer = () => answered({ structured: { cost_usd: 0.1, sandbox: true } });
    await run(page).click();
    await dialog(page).getByText("Structured result").click();
    expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    mcp.answer = () => answered({ is_error: true, code: "busy", content: [{ type: "text", text: "busy: Wait." }] });
    await run(page).click();
    await dialog(page).getByRole("alert").waitFor();
    expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  });
});

describe("connecting a client", () => {
  it("is walked through by keys, and what is copied is what is shown", async () => {
    const page = await open();
    await page.getByRole("tab", { name: "Claude Code" }).focus();
    for (const client of ["Codex", "Cursor"]) {
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      await config(page, client).waitFor();
    }
    await page.getByRole("button", { name: "Copy configuration" }).click();
    await expect.poll(() => clipboard(page)).toContain(`"url": "${fake.url}/mcp"`);
    expect(await clipboard(page)).toBe(await config(page, "Cursor").textContent());
    expect(await clipboard(page)).toContain("Bearer sk-…");
    await page.getByRole("button", { name: "Copy address" }).click();
    await expect.poll(() => clipboard(page)).toBe(`${fake.url}/mcp`);
  });

  it("puts a key that is made for it into the text, once", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Create a key for this client" }).click();
    await page.getByText("The key “Claude Code” is made. It is shown this once.").waitFor();
    await focused(page.getByRole("button", { name: "Copy key" }));
    expect(mcp.made).toEqual(["Claude Code"]);
    expect(await config(page, "Claude Code").textContent()).toContain(`Bearer ${NEW_SECRET}"`);
    expect(await axeFindings(page)).toEqual([]);
    // Another client has its own.
    await page.getByRole("tab", { name: "Codex" }).click();
    expect(await config(page, "Codex").textContent()).toContain("Bearer sk-…");
    await page.getByRole("tab", { name: "Claude Code" }).click();
    await page.getByRole("button", { name: "I have stored it" }).click();
    await expect.poll(() => page.content()).not.toContain(NEW_SECRET);
    expect(await config(page, "Claude Code").textContent()).toContain("Bearer sk-…");
  });

  it("does not put it where the client asks for it, and forgets it with the page", async () => {
    const page = await open();
    await page.getByRole("tab", { name: "VS Code" }).click();
    await page.getByRole("button", { name: "Create a key for this client" }).click();
    await page.getByText("VS Code will ask for it").waitFor();
    expect(await config(page, "VS Code").textContent()).not.toContain(NEW_SECRET);
    expect(await page.getByLabel("New key").textContent()).toBe(NEW_SECRET);
    await page.goto(`${fake.url}/#/keys`);
    await page.goto(`${fake.url}/#/mcp`);
    await page.getByRole("tab", { name: "VS Code" }).click();
    expect(await page.content()).not.toContain(NEW_SECRET);
  });
});

describe("trying a tool", () => {
  it("is done by keys alone, and gives the focus back", async () => {
    const page = await open();
    await page.keyboard.press("j");
    await focused(page.getByRole("grid", { name: "Tools" }).locator("[data-row]").first());
    await page.keyboard.press("Enter");
    await dialog(page).getByRole("heading", { name: "Ask a chat model" }).waitFor();
    expect(new URL(page.url()).hash).toBe("#/mcp?tool=chat");
    await focused(dialog(page).getByLabel("model", { exact: true }));
    await page.keyboard.type("gpt-5.4");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Say hello.");
    await page.keyboard.press("Control+Enter");
    await result(page).getByText("Hello.").waitFor();
    expect(mcp.tried).toEqual([
      { key: "key_2", tool: "chat", arguments: { model: "gpt-5.4", prompt: "Say hello." }, quote: false },
    ]);
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    await focused(page.getByRole("grid", { name: "Tools" }).locator("[data-row]").first());
  });

  it("takes each kind of value, and says at its field what is wrong", async () => {
    const page = await open("?tool=chat");
    await dialog(page).getByLabel("model", { exact: true }).fill("gpt-5.4");
    await dialog(page).getByText("5 more arguments").click();
    const field = (name: string): Locator => dialog(page).getByLabel(new RegExp(`^${name}`));
    await field("messages").fill('[{"role": "user"');
    await field("max_tokens").fill("1.5");
    await field("temperature").fill("warm");
    await run(page).click();
    await dialog(page).getByText("This is not valid JSON").waitFor();
    await dialog(page).getByText("Type a whole number.").waitFor();
    await dialog(page).getByText("Type a number.").waitFor();
    await focused(field("messages"));
    expect(mcp.tried).toEqual([]);
    await field("messages").fill('[{"role": "user", "content": "Hi"}]');
    await field("max_tokens").fill("20");
    await field("temperature").fill("0.5");
    await field("effort").selectOption("high");
    await field("stream").selectOption("true");
    await field("Runs with the key").selectOption({ label: "First key" });
    await run(page).click();
    await result(page).getByText("Hello.").waitFor();
    expect(mcp.tried).toEqual([
      {
        key: "key_1",
        tool: "chat",
        arguments: {
          model: "gpt-5.4",
          messages: [{ role: "user", content: "Hi" }],
          max_tokens: 20,
          temperature: 0.5,
          effort: "high",
          stream: true,
        },
        quote: false,
      },
    ]);
  });

  it("offers the models that can do it, and no key that is disabled or expired", async () => {
    fake.keys = fake.keys.map((key) => (key.id === "key_3" ? { ...key, state: "expired" } : key));
    const page = await open("?tool=chat");
    await expect
      .poll(() => dialog(page).locator("datalist option").allTextContents())
      .toEqual(["gpt-5.4-mini", "claude-sonnet-5-5", "deepseek-chat", "qwen3:8b", "gpt-5.4"]);
    expect(await dialog(page).getByLabel("Runs with the key").locator("option").allTextContents()).toEqual([
      "Claude Code",
      "First key",
      "environment",
      "Workshop (limit reached)",
    ]);
    await page.goto(`${fake.url}/#/mcp?tool=generate_image`);
    await dialog(page).getByRole("heading", { name: "Make images" }).waitFor();
    expect(await dialog(page).locator("datalist option").count()).toBe(0);
  });

  it("asks for the price of paid tools only", async () => {
    const page = await open("?tool=chat");
    await dialog(page).getByLabel("model", { exact: true }).fill("gpt-5.4");
    mcp.answer = () =>
      answered({
        content: [{ type: "text", text: "It would cost at most $0.25." }],
        structured: { max_cost_usd: 0.25, is_guess: false, sandbox: false },
      });
    await dialog(page).getByRole("button", { name: "What would it cost?" }).click();
    const price = dialog(page).getByRole("region", { name: "What it would cost" });
    await price.getByText("$0.25", { exact: true }).waitFor();
    expect(mcp.tried.map(({ quote }) => quote)).toEqual([true]);
    await page.goto(`${fake.url}/#/mcp?tool=list_models`);
    await dialog(page).getByText("It takes no arguments.").waitFor();
    expect(await dialog(page).getByRole("button", { name: "What would it cost?" }).count()).toBe(0);
  });

  it("shows what was made from the library, never from the data in the answer, and leads there", async () => {
    const page = await open("?tool=generate_image");
    mcp.answer = () =>
      answered({
        content: [
          { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
          { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
          { type: "resource_link", uri: "postern://media/med_19", name: "image" },
          { type: "resource_link", uri: "postern://tasks/vt_7", name: "task" },
          { type: "text", text: "Cost: $0.04 (gpt-image-1)." },
        ],
        structured: { cost_usd: 0.04, sandbox: false },
      });
    await dialog(page).getByLabel("model", { exact: true }).fill("gpt-image-1");
    await dialog(page).getByLabel("prompt", { exact: true }).fill("A lighthouse");
    await run(page).click();
    await result(page).getByText("$0.04", { exact: true }).waitFor();
    const image = result(page).locator("img");
    await image.waitFor();
    expect(await image.getAttribute("src")).toMatch(/^\/media\/med_19\?/);
    await expect.poll(() => page.evaluate("document.querySelector('[role=dialog] img').naturalWidth")).not.toBe(0);
    await result(page).getByText("1 picture or sound came as data").waitFor();
    const library = result(page).getByRole("link", { name: "Show in library" });
    expect(await library.getAttribute("href")).toBe("#/library?media=med_19");
    expect(await result(page).getByRole("link", { name: "Show task" }).getAttribute("href")).toBe("#/tasks?task=vt_7");
    await library.click();
    await page.getByRole("heading", { level: 1, name: "Library", includeHidden: true }).waitFor();
  });

  it("says how far it is, takes no second press, and tells a refusal with its code", async () => {
    let end: () => void = () => undefined;
    mcp.answer = () =>
      new Promise((resolve) => {
        const content = [{ type: "text", text: "insufficient_quota: The key has spent its limit." }];
        end = () => resolve(answered({ is_error: true, code: "insufficient_quota", content }));
      });
    const page = await open("?tool=list_models");
    await run(page).click();
    await expect.poll(() => mcp.tried.length).toBe(1);
    mcp.call("req_now", { tool: "list_models", key: "key_2", model: null, progress: "3 s so far" });
    await result(page).getByText("3 s so far").waitFor();
    await run(page).click({ force: true });
    end();
    await result(page).getByText("Failed: insufficient_quota").waitFor();
    await result(page).getByText("The key has spent its limit.", { exact: true }).waitFor();
    expect(mcp.tried.length).toBe(1);
    fake.answers.set("POST /control/mcp/call", { status: 0, body: null });
    await run(page).click();
    await result(page).getByText("Postern does not answer.").waitFor();
  });

  it("says so where there is no such tool, and where no key works", async () => {
    fake.keys = fake.keys.map((key) => ({ ...key, state: "disabled" }));
    const page = await open("?tool=nothing");
    await dialog(page).getByText("There is no tool nothing").waitFor();
    await page.goto(`${fake.url}/#/mcp?tool=list_models`);
    await dialog(page).getByText("There is no key that works").waitFor();
    expect(await run(page).isDisabled()).toBe(true);
  });
});

describe("live calls", () => {
  it("change one row, and no other is drawn again", async () => {
    const page = await open();
    await calls(page).first().getByText("12 s, the model is thinking").waitFor();
    await page.evaluate(
      `for (const row of document.querySelectorAll("[role=grid][aria-label='Live calls'] [data-row]"))
         new MutationObserver(() => { row.dataset.drawn = "again"; }).observe(row, { subtree: true, childList: true, characterData: true });`,
    );
    mcp.call("req_running", { progress: "15 s" });
    await calls(page).first().getByText("15 s").waitFor();
    mcp.call("req_running", { status: "done", ms: 15_400, nano: 2_000_000, progress: null });
    await calls(page).first().getByText("15.4 s").waitFor();
    await calls(page).first().getByText("Done").waitFor();
    await calls(page).first().getByText("$0.002").waitFor();
    expect(await page.locator("[data-drawn]").count()).toBe(1);
    mcp.call("req_new", { tool: "embed_text" });
    await calls(page).first().getByText("embed_text").waitFor();
    expect(await calls(page).count()).toBe(7);
    expect(fake.seen.filter((route) => route === "GET /control/mcp").length).toBeLessThan(4);
  });

  it("open the receipt of a request, and what is known where there is none", async () => {
    const page = await open();
    await calls(page).nth(1).click();
    await dialog(page).getByText("Receipt", { exact: true }).waitFor();
    await dialog(page).getByRole("button", { name: "Show this key only" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    expect(new URL(page.url()).hash).toBe("#/overview?key=key_1");
    await page.goto(`${fake.url}/#/mcp`);
    await calls(page).nth(4).click();
    await dialog(page).getByText("This call has no receipt").waitFor();
    await dialog(page).getByText("insufficient_quota").waitFor();
    expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
    await page.keyboard.press("Escape");
    await focused(calls(page).nth(4));
  });

  it("begin with an example", async () => {
    mcp.view = { ...mcp.view, calls: [] };
    const page = await open();
    await page.getByText("No call yet").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Try list_models" }).click();
    await dialog(page).getByRole("heading", { name: "List models" }).waitFor();
  });
});

it("speaks Chinese, and says what is wrong when it cannot be loaded", async () => {
  fake.answers.set("GET /control/mcp", {
    status: 503,
    body: { error: { message: "It is stopping.", type: "server_error", param: null, code: "stopping" } },
  });
  const watched = await watchedPage(browser, fake.url);
  opened.push(watched);
  const { page } = watched;
  await page.addInitScript("localStorage.setItem('postern.language', 'zh')");
  await page.goto(fake.ui);
  await listening(page);
  await page.keyboard.type("gm");
  await page.getByText("It is stopping.").waitFor();
  fake.answers.delete("GET /control/mcp");
  await page.getByRole("button", { name: "重试" }).click();
  await page.getByRole("heading", { level: 2, name: "工具", exact: true }).waitFor();
  await page.getByRole("button", { name: "为此客户端创建密钥" }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
});

it("tries tools of a real Postern, shows their calls and receipts, and copies a configuration that lets a client in", async () => {
  const gateway = await startGateway();
  try {
    const watched = await watchedPage(browser, gateway.url);
    opened.push(watched);
    const { page } = watched;
    await page.goto(await gateway.freshAddress());
    await listening(page);
    await page.keyboard.type("gm");
    await page.getByText("No call yet").waitFor();
    await page.getByRole("button", { name: "Try list_models" }).click();
    await run(page).click();
    await result(page).getByText("gpt-5.4-mini").first().waitFor();
    await page.keyboard.press("Escape");
    await calls(page).filter({ hasText: "list_models" }).getByText("Done").waitFor();

    await page.goto(`${gateway.url}/#/mcp?tool=chat`);
    await dialog(page).getByLabel("model", { exact: true }).fill("gpt-5.4-mini");
    await dialog(page)
      .getByLabel(/^prompt/)
      .fill("Say something short.");
    await dialog(page).getByRole("button", { name: "What would it cost?" }).click();
    await dialog(page)
      .getByRole("region", { name: "What it would cost" })
      .getByText("About", { exact: true })
      .waitFor();
    await run(page).click();
    const answer = result(page).getByRole("region", { name: "Answer" });
    await answer.getByText("the Postern sandbox answering in place of gpt-5.4-mini").waitFor();
    await page.keyboard.press("Escape");
    const call = calls(page).filter({ hasText: "chat" });
    await call.getByText("sandbox").waitFor({ state: "attached" });
    await call.click();
    await dialog(page).getByText("Output tokens").waitFor();
    await page.keyboard.press("Escape");

    await page.getByRole("tab", { name: "Cursor" }).click();
    await page.getByRole("button", { name: "Create a key for this client" }).click();
    await page.getByText("The key “Cursor” is made").waitFor();
    await page.getByRole("button", { name: "Copy configuration" }).click();
    await expect.poll(() => clipboard(page)).toContain("Bearer sk-");
    const { mcpServers } = JSON.parse(await clipboard(page)) as {
      mcpServers: { postern: { url: string; headers: Record<string, string> } };
    };
    const { url, headers } = mcpServers.postern;
    const response = await fetch(url, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "user-agent": "Cursor/2.0",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "e2e", version: "1" } },
      }),
    });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"serverInfo"')]);
  } finally {
    await closeAll(opened);
    await gateway.stop();
  }
});
