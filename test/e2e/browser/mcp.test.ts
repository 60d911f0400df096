import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { axeFindings, axeInBothThemes, copied, findFaults, focused, holdFrames, listening } from "./browser.ts";
import { answered, NEW_SECRET } from "./fake-mcp.ts";
import { calls, dialog, run, useMcpBench } from "./mcp-bench.ts";

/** The MCP page: its dress, connecting clients, and following calls. */
const bench = useMcpBench();

const config = (page: Page, client: string): Locator => page.getByLabel(`Configuration for ${client}`);

it.each([1_280, 360])("axe finds nothing at %i px in both themes, and nothing scrolls sideways", async (width) => {
  const page = await bench.open("", { width, height: 740 });
  await calls(page).first().waitFor();
  await page.getByRole("tab", { name: "VS Code" }).click();
  await config(page, "VS Code").waitFor();
  expect(await findFaults(page, "main")).toEqual([]);
  await bench.pages.go(page, "mcp?tool=chat");
  await dialog(page).getByText("5 more fields").click();
  await run(page).click();
  await dialog(page).getByText("This is needed.").waitFor();
  expect(await axeInBothThemes(page, "[role=dialog]")).toEqual([]);
  await dialog(page).getByLabel("model", { exact: true }).fill("gpt-5.4");
  bench.mcp.response = () => answered({ structured: { cost_usd: 0.1, sandbox: true } });
  await run(page).click();
  await dialog(page).getByText("Structured result").click();
  expect(await findFaults(page, "[role=dialog]")).toEqual([]);
  bench.mcp.response = () =>
    answered({ is_error: true, code: "busy", content: [{ type: "text", text: "busy: Wait." }] });
  await run(page).click();
  await dialog(page).getByRole("alert").waitFor();
  expect(await axeInBothThemes(page, "[role=dialog]")).toEqual([]);
});

describe("connecting a client", () => {
  it("is walked through by keys, and what is copied is what is shown", async () => {
    const page = await bench.open();
    await page.getByRole("tab", { name: "Claude Code" }).focus();
    for (const client of ["Codex", "Cursor"]) {
      await page.keyboard.press("ArrowRight");
      await focused(page.getByRole("tab", { name: client }));
      await page.keyboard.press("Enter");
      await config(page, client).waitFor();
    }
    const copy = (name: string): Promise<string> => copied(page, () => page.getByRole("button", { name }).click());
    const configuration = await copy("Copy configuration");
    expect(configuration).toContain(`"url": "${bench.pages.fake.url}/mcp"`);
    expect(configuration).toBe(await config(page, "Cursor").textContent());
    expect(configuration).toContain("Bearer sk-…");
    expect(await copy("Copy address")).toBe(`${bench.pages.fake.url}/mcp`);
  });

  it("shows one client at a time, also before the next frame is drawn", async () => {
    const page = await bench.open();
    const draw = await holdFrames(page);
    await page.getByRole("tab", { name: "Codex" }).evaluate((tab: HTMLElement) => tab.click());
    await config(page, "Codex").waitFor();
    expect(await page.getByRole("tabpanel").count()).toBe(1);
    await draw();
  });

  it("puts a key that is made for it into the text, once", async () => {
    const page = await bench.open();
    await page.getByRole("button", { name: "Create a key for this client" }).click();
    await page.getByText("The key “Claude Code” is made. It is shown this once.").waitFor();
    await focused(page.getByRole("button", { name: "Copy key" }));
    expect(bench.mcp.made).toEqual(["Claude Code"]);
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
    const page = await bench.open();
    await page.getByRole("tab", { name: "VS Code" }).click();
    await page.getByRole("button", { name: "Create a key for this client" }).click();
    await page.getByText("VS Code will ask for it").waitFor();
    expect(await config(page, "VS Code").textContent()).not.toContain(NEW_SECRET);
    expect(await page.getByLabel("New key").textContent()).toBe(NEW_SECRET);
    await bench.pages.go(page, "keys");
    await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
    await bench.pages.go(page, "mcp");
    await page.getByRole("tab", { name: "VS Code" }).click();
    await config(page, "VS Code").waitFor();
    expect(await page.content()).not.toContain(NEW_SECRET);
  });
});

describe("live calls", () => {
  it("change one row, and no other is drawn again", async () => {
    const page = await bench.open("", { still: true });
    await calls(page).first().getByText("12 s, the model is thinking").waitFor();
    await calls(page).evaluateAll((all) => {
      for (const row of all)
        new MutationObserver(() => row.setAttribute("data-drawn", "again")).observe(row, {
          subtree: true,
          childList: true,
          characterData: true,
        });
    });
    bench.mcp.call("req_running", { progress: "15 s" });
    await calls(page).first().getByText("15 s").waitFor();
    bench.mcp.call("req_running", { status: "done", ms: 15_400, nano: 2_000_000, progress: null });
    await calls(page).first().getByText("15.4 s").waitFor();
    await calls(page).first().getByText("Done").waitFor();
    await calls(page).first().getByText("$0.002").waitFor();
    expect(await page.locator("[data-drawn]").count()).toBe(1);
    bench.mcp.call("req_new", { tool: "embed_text" });
    await calls(page).first().getByText("embed_text").waitFor();
    expect(await calls(page).count()).toBe(7);
    expect(bench.pages.fake.seen.filter((route) => route === "GET /control/mcp").length).toBeLessThan(4);
  });

  it("open the receipt of a request, and what is known where none exists", async () => {
    const page = await bench.open();
    await calls(page).nth(1).click();
    await dialog(page).getByRole("tab", { name: "Cost" }).waitFor();
    await dialog(page).getByRole("button", { name: "Show this key only" }).click();
    await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor();
    expect(new URL(page.url()).hash).toBe("#/requests?key=key_1");
    await bench.pages.go(page, "mcp");
    await calls(page).nth(4).click();
    await dialog(page).getByText("This call has no receipt").waitFor();
    await dialog(page).getByText("insufficient_quota").waitFor();
    expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
    await page.keyboard.press("Escape");
    await focused(calls(page).nth(4));
  });

  it("begin with an example", async () => {
    bench.mcp.view = { ...bench.mcp.view, calls: [] };
    const page = await bench.open();
    await page.getByText("No call yet").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Try list_models" }).click();
    await dialog(page).getByRole("heading", { name: "List models" }).waitFor();
  });
});

it("speaks Chinese, and says what is wrong when it cannot be loaded", async () => {
  bench.pages.fake.responses.set("GET /control/mcp", {
    status: 503,
    body: { error: { message: "It is stopping.", type: "server_error", param: null, code: "stopping" } },
  });
  const page = await bench.pages.blank();
  await page.addInitScript(() => localStorage.setItem("postern.language", "zh"));
  await page.goto(bench.pages.fake.ui);
  await listening(page);
  await page.keyboard.type("gm");
  await page.getByText("It is stopping.").waitFor();
  bench.pages.fake.responses.delete("GET /control/mcp");
  await page.getByRole("button", { name: "重试" }).click();
  await page.getByRole("heading", { level: 2, name: "工具", exact: true }).waitFor();
  await page.getByRole("button", { name: "为此客户端创建密钥" }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
});
