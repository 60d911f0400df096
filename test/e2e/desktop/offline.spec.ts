import { afterEach, describe, expect, it } from "vitest";
import { MockProvider, startProvider } from "../../support/mock-provider.ts";
import { endDesktopApp, missing, startDesktopApp, startDesktopAppWith, type DesktopApp } from "./desktop-app.ts";
import { needs } from "../../support/needs.ts";

if (missing !== null) console.log(`\nskipped: ${missing}\n`);

let desktop: DesktopApp;
let provider: MockProvider | null = null;

const pageText = async (): Promise<string> => String(await desktop.window.evaluate("document.body.innerText"));
const show = (page: string): Promise<unknown> => desktop.window.evaluate(`void (location.hash = '#/${page}')`);
/** @returns the status of a call of a client. */
async function call(model: string): Promise<number> {
  const response = await fetch(`${desktop.ready.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${desktop.ready.apiKey ?? ""}`, "content-type": "application/json" },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello." }] }),
  });
  await response.text();
  return response.status;
}

afterEach(async () => {
  await endDesktopApp(desktop);
  await provider?.close();
  provider = null;
});

describe.skipIf(missing !== null)("the window", needs(missing), () => {
  it("tells that a provider has gone and that it is back, without being reloaded", async () => {
    const first = await startProvider();
    provider = first;
    const { port } = first;
    desktop = await startDesktopAppWith({
      env: {
        POSTERN_SANDBOX: "off",
        POSTERN_OPENAI_BASE_URL: first.baseUrl,
        POSTERN_OPENAI_API_KEY: "sk-provider-key-0001",
      },
    });
    await desktop.window.evaluate("void (globalThis.stays = true)");
    await show("connections");
    expect(await call("gpt-4.1")).toBe(200);
    await expect.poll(pageText, { timeout: 10_000 }).toContain("Healthy");

    await first.close();
    provider = null;
    for (let count = 0; count < 6; count++) expect(await call("gpt-4.1")).toBe(503);
    await expect.poll(pageText, { timeout: 10_000 }).toContain("Down");
    await show("overview");
    await expect.poll(pageText, { timeout: 10_000 }).toContain("Nothing responds at its address.");

    provider = await new MockProvider().listen(port);
    expect(await call("gpt-4.1")).toBe(200);
    await expect.poll(pageText, { timeout: 10_000 }).not.toContain("Nothing responds at its address.");
    await show("connections");
    await expect.poll(pageText, { timeout: 10_000 }).toContain("Healthy");
    expect(await desktop.window.evaluate("globalThis.stays")).toBe(true);
  });

  it("tells that Postern is paused, lets its user resume it, and is there all the while", async () => {
    desktop = await startDesktopApp();
    await desktop.window.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    expect(await call("gpt-4o-mini")).toBe(200);
    const { url, ui } = desktop.ready;
    const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`${url}/control${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
    const session = await post("/session", { token: new URL(ui).hash.slice("#token=".length) });
    const { bearer } = (await session.json()) as { bearer: string };
    const paused = await post("/pause", {}, { authorization: `Bearer ${bearer}` });
    expect(paused.status).toBe(200);
    await expect.poll(pageText, { timeout: 10_000 }).toContain("New requests are refused.");
    expect(await call("gpt-4o-mini")).toBe(503);
    await show("requests");
    await expect.poll(pageText, { timeout: 10_000 }).toContain("gpt-4o-mini");
    await show("overview");
    await desktop.window.getByRole("main").getByRole("button", { name: "Resume" }).click();
    await expect.poll(pageText, { timeout: 10_000 }).not.toContain("New requests are refused.");
    expect(await call("gpt-4o-mini")).toBe(200);
  });
});
