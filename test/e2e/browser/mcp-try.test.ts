import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { closeByEscape, copied, focused, shownTab } from "./browser.ts";
import { answered } from "./fake-mcp.ts";
import { calls, dialog, result, run, useMcpBench } from "./mcp-bench.ts";
import { useGatewayPages } from "./page-suite.ts";

/** The form of a tool and what it answers, on a fake control server and on a real Postern. */
const bench = useMcpBench();

describe("trying a tool", () => {
  it("can be cancelled, and says that it was and what that cost", async () => {
    let end: () => void = () => undefined;
    bench.mcp.response = () =>
      new Promise((resolve) => {
        const spent = { nano: 420_000, sandbox: false };
        end = () => resolve(answered({ cancelled: true, request_id: "req_00000000000000000000", spent }));
      });
    const page = await bench.open("?tool=list_models");
    await run(page).click();
    await dialog(page).getByRole("button", { name: "Cancel", exact: true }).click();
    await expect.poll(() => bench.mcp.cancelled).toEqual([bench.mcp.tried[0]?.trial]);
    end();
    await result(page).getByText("Cancelled. What the provider made until then is billed.").waitFor();
    await result(page).getByText("$0.00042", { exact: true }).waitFor();
    const request = result(page).getByRole("link", { name: "Show request" });
    expect(await request.getAttribute("href")).toBe("#/requests?id=req_00000000000000000000");
    await run(page).waitFor();
  });

  it("is done by keys alone, and gives the focus back", async () => {
    const page = await bench.open();
    await page.keyboard.press("j");
    await focused(page.getByRole("grid", { name: "Tools" }).locator("[data-row]").first());
    await page.keyboard.press("Enter");
    await dialog(page).getByRole("heading", { name: "Ask a chat model" }).waitFor();
    expect(new URL(page.url()).hash).toBe("#/mcp?tool=chat");
    await focused(dialog(page).getByLabel("model", { exact: true }));
    await page.keyboard.type("gpt-5.4");
    await page.keyboard.press("Tab");
    await focused(dialog(page).getByLabel(/^prompt/));
    await page.keyboard.type("Say hello.");
    await page.keyboard.press("Control+Enter");
    await result(page).getByText("Hello.").waitFor();
    expect(bench.mcp.tried).toMatchObject([
      { key: "key_2", tool: "chat", arguments: { model: "gpt-5.4", prompt: "Say hello." }, quote: false },
    ]);
    await closeByEscape(dialog(page));
    await focused(page.getByRole("grid", { name: "Tools" }).locator("[data-row]").first());
  });

  it("takes each kind of value, and says at its field what is wrong", async () => {
    const page = await bench.open("?tool=chat");
    await dialog(page).getByLabel("model", { exact: true }).fill("gpt-5.4");
    await dialog(page).getByText("5 more fields").click();
    const field = (name: string): Locator => dialog(page).getByLabel(new RegExp(`^${name}`));
    // What is needed has no default.
    expect(await field("model").getAttribute("placeholder")).toBeNull();
    expect(await field("temperature").getAttribute("placeholder")).toBe("Default");
    await field("messages").fill('[{"role": "user"');
    await field("max_tokens").fill("1.5");
    await field("temperature").fill("warm");
    await run(page).click();
    await dialog(page).getByText("This is not valid JSON").waitFor();
    await dialog(page).getByText("Type a whole number.").waitFor();
    await dialog(page).getByText("Type a number.").waitFor();
    await focused(field("messages"));
    expect(bench.mcp.tried).toEqual([]);
    await field("messages").fill('[{"role": "user", "content": "Hi"}]');
    await field("max_tokens").fill("20");
    await field("temperature").fill("0.5");
    await field("effort").selectOption("high");
    await field("stream").selectOption("true");
    await field("Runs with the key").selectOption({ label: "First key" });
    await run(page).click();
    await result(page).getByText("Hello.").waitFor();
    expect(bench.mcp.tried).toMatchObject([
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
    bench.pages.fake.keys = bench.pages.fake.keys.map((key) =>
      key.id === "key_3" ? { ...key, state: "expired" } : key,
    );
    const page = await bench.open("?tool=chat");
    await expect
      .poll(() => dialog(page).locator("datalist option").allTextContents())
      .toEqual(["gpt-5.4-mini", "claude-sonnet-5-5", "deepseek-chat", "qwen3:8b", "gpt-5.4"]);
    expect(await dialog(page).getByLabel("Runs with the key").locator("option").allTextContents()).toEqual([
      "Claude Code",
      "First key",
      "environment",
      "Workshop (limit reached)",
    ]);
    await bench.pages.go(page, "mcp?tool=generate_image");
    await dialog(page).getByRole("heading", { name: "Generate images" }).waitFor();
    expect(await dialog(page).locator("datalist option").count()).toBe(0);
  });

  it("asks for the price of paid tools only", async () => {
    const page = await bench.open("?tool=chat");
    await dialog(page).getByLabel("model", { exact: true }).fill("gpt-5.4");
    bench.mcp.response = () =>
      answered({
        content: [{ type: "text", text: "It would cost at most $0.25." }],
        structured: { max_cost_usd: 0.25, is_guess: false, sandbox: false },
      });
    await dialog(page).getByRole("button", { name: "Estimate cost" }).click();
    const price = dialog(page).getByRole("region", { name: "Estimated cost" });
    await price.getByText("$0.25", { exact: true }).waitFor();
    expect(bench.mcp.tried.map(({ quote }) => quote)).toEqual([true]);
    await bench.pages.go(page, "mcp?tool=list_models");
    await dialog(page).getByText("It takes no arguments.").waitFor();
    expect(await dialog(page).getByRole("button", { name: "Estimate cost" }).count()).toBe(0);
  });

  it("shows what was made from the library, never from the data in the response, and leads there", async () => {
    const page = await bench.open("?tool=generate_image");
    bench.mcp.response = () =>
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
    await expect.poll(() => image.evaluate((picture: HTMLImageElement) => picture.naturalWidth)).not.toBe(0);
    await result(page).getByText("1 image or audio clip came as data").waitFor();
    const library = result(page).getByRole("link", { name: "Show in library" });
    expect(await library.getAttribute("href")).toBe("#/library?media=med_19");
    expect(await result(page).getByRole("link", { name: "Show task" }).getAttribute("href")).toBe("#/tasks?task=vt_7");
    await library.click();
    await shownTab(page, "Library").waitFor();
  });

  it("says how far it is, takes no second press, and tells a refusal with its code", async () => {
    let end: () => void = () => undefined;
    bench.mcp.response = () =>
      new Promise((resolve) => {
        const content = [{ type: "text", text: "insufficient_quota: The key has spent its limit." }];
        end = () => resolve(answered({ is_error: true, code: "insufficient_quota", content }));
      });
    const page = await bench.open("?tool=list_models");
    await run(page).click();
    await expect.poll(() => bench.mcp.tried.length).toBe(1);
    bench.mcp.call("req_now", { tool: "list_models", key: "key_2", model: null, progress: "3 s so far" });
    await result(page).getByText("3 s so far").waitFor();
    await page.keyboard.press("Control+Enter");
    end();
    await result(page).getByText("Failed: insufficient_quota").waitFor();
    await result(page).getByText("The key has spent its limit.", { exact: true }).waitFor();
    expect(bench.mcp.tried.length).toBe(1);
    bench.pages.fake.responses.set("POST /control/mcp/call", { status: 0, body: null });
    await run(page).click();
    await result(page).getByText("Postern does not respond.").waitFor();
  });

  it("says so where there is no such tool, and where no key works", async () => {
    bench.pages.fake.keys = bench.pages.fake.keys.map((key) => ({ ...key, state: "disabled" }));
    const page = await bench.open("?tool=nothing");
    await dialog(page).getByText("There is no tool nothing").waitFor();
    await bench.pages.go(page, "mcp?tool=list_models");
    await dialog(page).getByText("There is no key that works").waitFor();
    expect(await run(page).isDisabled()).toBe(true);
  });
});

describe("on a real Postern", () => {
  const real = useGatewayPages();

  it("tries tools of a real Postern, shows their calls and receipts, and copies a configuration that lets a client in", async () => {
    const page = await real.open("mcp");
    await page.getByText("No call yet").waitFor();
    await page.getByRole("button", { name: "Try list_models" }).click();
    await run(page).click();
    await result(page)
      .getByText(/\d+ in all; the next ones with offset 50/)
      .first()
      .waitFor();
    await page.keyboard.press("Escape");
    await calls(page).filter({ hasText: "list_models" }).getByText("Done").waitFor();

    await real.go(page, "mcp?tool=chat");
    await dialog(page).getByLabel("model", { exact: true }).fill("gpt-5.4-mini");
    await dialog(page)
      .getByLabel(/^prompt/)
      .fill("Say something short.");
    await dialog(page).getByRole("button", { name: "Estimate cost" }).click();
    await dialog(page).getByRole("region", { name: "Estimated cost" }).getByText("About", { exact: true }).waitFor();
    await run(page).click();
    const body = result(page).getByRole("region", { name: "Response" });
    await body.getByText("the Postern sandbox answering in place of gpt-5.4-mini").waitFor();
    await page.keyboard.press("Escape");
    const call = calls(page).filter({ hasText: "chat" });
    await call.getByText("sandbox").waitFor({ state: "attached" });
    await call.click();
    await dialog(page).getByText("Output tokens").waitFor();
    await page.keyboard.press("Escape");

    await page.getByRole("tab", { name: "Cursor" }).click();
    await page
      .getByRole("tabpanel", { name: "Cursor" })
      .getByRole("button", { name: "Create a key for this client" })
      .click();
    await page.getByText("The key “Cursor” is made").waitFor();
    const text = await copied(page, () => page.getByRole("button", { name: "Copy configuration" }).click());
    expect(text).toMatch(/Bearer sk-\w/);
    const { mcpServers } = JSON.parse(text) as {
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
  });
});
