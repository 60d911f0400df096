import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MockProvider, modelList } from "../../support/mock-provider.ts";
import { stream, streamFrames } from "../../support/acts.ts";
import { endDesktopApp, missing, startDesktopAppWith, type DesktopApp } from "./desktop-app.ts";
import { needs } from "../../support/needs.ts";

let desktop: DesktopApp;
let home: string;
let provider: MockProvider;

const heading = (name: string) => desktop.window.getByRole("heading", { name, level: 1 });
const guide = () => desktop.window.getByRole("region", { name: "Get started" });
const opened = async (): Promise<string[]> =>
  (await readFile(join(home, "opened"), "utf8").catch(() => "")).split("\n").filter((line) => line !== "");

/** What a link is handed to on Linux: it writes down what it is given. */
async function makeBrowser(): Promise<string> {
  const path = join(home, "xdg-open");
  await writeFile(path, `#!/bin/sh\necho "$1" >> ${join(home, "opened")}\n`);
  await chmod(path, 0o755);
  return home;
}

describe.skipIf(missing !== null)("a new person's first minutes", needs(missing), () => {
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "postern-home-"));
    provider = await new MockProvider().listen();
    provider.list = modelList(["tiny-chat"]);
    provider.usual = stream(streamFrames(["Hello from", " the provider."]));
    const PATH = `${await makeBrowser()}:${process.env["PATH"] ?? ""}`;
    desktop = await startDesktopAppWith({ env: { HOME: home, PATH, POSTERN_SANDBOX: "auto" } });
    await heading("Overview").waitFor();
  });
  afterEach(async () => {
    await endDesktopApp(desktop);
    await provider.close();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });

  it("lead from the first start to a first response, seen on Requests", async () => {
    const { window } = desktop;
    await guide().getByText("Until a provider is connected, the sandbox makes responses up.").waitFor();

    await guide().getByRole("button", { name: "Add provider" }).click();
    const dialog = window.getByRole("dialog", { name: "Add a provider" });
    await dialog.getByRole("radio", { name: "Another compatible server" }).click();
    await dialog.getByLabel("Name").fill("Tiny");
    await dialog.getByLabel("Base URL").fill(provider.baseUrl);
    await dialog.getByLabel("Provider key").fill("provider-key-0001");
    await dialog.getByRole("button", { name: "Add provider" }).click();
    await guide().getByText("Connected: Tiny").waitFor();

    await window.getByRole("link", { name: "Keys", exact: true }).click();
    await window.getByRole("button", { name: "Create key" }).first().click();
    const key = window.getByRole("dialog", { name: "Create a key" });
    await key.getByLabel("Name").fill("Editor");
    await key.getByRole("button", { name: "Create key" }).click();
    const secret = (await window.locator("[data-secret]").textContent()) ?? "";
    await window.getByRole("button", { name: "Copy key" }).click();
    await expect.poll(() => desktop.app.evaluate(({ clipboard }) => clipboard.readText())).toBe(secret);
    await window.getByRole("button", { name: "I have stored it" }).click();

    await window.getByRole("link", { name: "Playground", exact: true }).click();
    const message = window.getByLabel("Message", { exact: true });
    await message.fill("Say hello.");
    await message.press("Control+Enter");
    await window.getByText("Hello from the provider.").waitFor();

    // What is copied works in an app.
    const response = await fetch(`${desktop.ready.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "tiny-chat", stream: true, messages: [{ role: "user", content: "Hi" }] }),
    });
    expect(await response.text()).toContain("[DONE]");

    await window.getByRole("link", { name: "Requests", exact: true }).click();
    const rows = window.locator("[data-row]");
    await expect.poll(() => rows.count()).toBe(2);
    expect(await rows.first().textContent()).toContain("JavaScript");
    expect(await rows.last().textContent()).toContain("tiny-chat");
    expect(provider.chats.map((chat) => chat.key)).toEqual(["provider-key-0001", "provider-key-0001"]);
  });

  it.skipIf(process.platform !== "linux")(
    "open links in the browser, by a press and not otherwise",
    needs("Linux"),
    async () => {
      const { window } = desktop;
      await window.evaluate("window.open('https://platform.openai.com/by-a-script')");
      await window.evaluate("document.querySelector('a[aria-label=Help]').click()");
      await window.getByRole("link", { name: "Help" }).click();
      await expect.poll(opened).toHaveLength(1);
      const guidePage = new URL((await opened())[0] ?? "");
      expect([guidePage.origin, guidePage.pathname]).toEqual([
        desktop.ready.url,
        expect.stringMatching(/^\/guide\/[a-z-]+\.html$/),
      ]);

      await guide().getByRole("button", { name: "Add provider" }).click();
      const dialog = window.getByRole("dialog", { name: "Add a provider" });
      const link = dialog.locator("a[target=_blank]").first();
      const expected = await link.getAttribute("href");
      await link.focus();
      await window.keyboard.press("Enter");
      await expect.poll(opened).toHaveLength(2);
      expect((await opened())[1]).toBe(new URL(expected ?? "").href);
      expect(window.url()).toContain(desktop.ready.url);
      expect(desktop.app.windows()).toHaveLength(1);
    },
  );
});
