import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { endDesktopApp, missing, startDesktopAppWith, type DesktopApp } from "./desktop-app.ts";
import { needs } from "../../support/needs.ts";

let desktop: DesktopApp;
let home: string;
const folder = (): string => join(home, "Downloads");
const saved = async (): Promise<string[]> => (await readdir(folder()).catch((): string[] => [])).toSorted();
const bytesOf = (name: string): Promise<Buffer> => readFile(join(folder(), name));

const headers = () => ({
  authorization: `Bearer ${desktop.ready.apiKey ?? ""}`,
  "content-type": "application/json",
});
const post = async (path: string, body: object): Promise<Response> => {
  const response = await fetch(`${desktop.ready.url}${path}`, {
    method: "POST",
    headers: headers(),
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return response;
};
const chat = async (content: string): Promise<void> => {
  await (await post("/v1/chat/completions", { model: "gpt-4o-mini", messages: [{ role: "user", content }] })).text();
};
const go = (hash: string): Promise<unknown> => desktop.window.evaluate(`void (location.hash = "#/${hash}")`);
const toast = (text: string | RegExp) => desktop.window.getByText(text).first();

/** The driver answers for downloads unless it is ordered not to: here the app does, as for everybody. */
async function leaveDownloads(): Promise<void> {
  const session = await desktop.window.context().newCDPSession(desktop.window);
  await session.send("Browser.setDownloadBehavior", { behavior: "default" });
  await session.detach();
}

describe.skipIf(missing !== null)("what the window saves", needs(missing), () => {
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "postern-home-"));
    desktop = await startDesktopAppWith({ env: { HOME: home, XDG_CONFIG_HOME: join(home, ".config") } });
    await desktop.window.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await leaveDownloads();
  });
  afterEach(async () => {
    await endDesktopApp(desktop);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });

  it("is a CSV of the usage with its rows, twice under two names, and is said with its folder", async () => {
    await chat("one");
    await chat("two");
    await go("usage?range=7d");
    const button = desktop.window.getByRole("button", { name: /CSV/ }).first();
    await button.click();
    await toast("Saved postern-usage-7d-by-model.csv").waitFor();
    await toast(folder()).waitFor();
    const lines = (await bytesOf("postern-usage-7d-by-model.csv")).toString("utf8").split("\r\n");
    expect(lines[0]).toMatch(/^\uFEFFday,time_utc,source,model,requests,/);
    expect(lines[1]).toContain("gpt-4o-mini");
    // Requests of the sandbox have a column of their own, so that they are not taken for paid ones.
    const column = lines[0]?.split(",").indexOf("sandbox_requests") ?? -1;
    expect(lines[1]?.split(",")[column]).toBe("2");
    await button.click();
    await toast("Saved postern-usage-7d-by-model (1).csv").waitFor();
    expect(await saved()).toEqual(["postern-usage-7d-by-model (1).csv", "postern-usage-7d-by-model.csv"]);
  });

  it("is a ZIP of diagnostics, and a backup in the data folder", async () => {
    await go("settings?section=about");
    await desktop.window.getByRole("button", { name: "Save diagnostics" }).click();
    await toast(/^Saved postern-diagnostics/).waitFor();
    const [name = ""] = await saved();
    expect((await bytesOf(name)).subarray(0, 4).toString("latin1")).toBe("PK\u0003\u0004");
    await go("settings?section=data");
    await desktop.window.getByRole("button", { name: "Back up now" }).click();
    const backups = (): Promise<string[]> => readdir(join(desktop.dataDir, "backups")).catch(() => []);
    await expect.poll(async () => (await backups()).length).toBe(1);
  });

  it("is a picture and a film of the library, byte for byte", async () => {
    await post("/v1/images/generations", { model: "gpt-image-1", prompt: "a lighthouse" });
    const film = { model: "alpha2.7-t2v", duration: 2, resolution: "720p", input: { prompt: "two foxes" } };
    await post("/v1/videos/generations", film);
    await go("library");
    const tiles = desktop.window.locator("[data-tile]");
    await expect.poll(() => tiles.count(), { timeout: 40_000 }).toBe(2);
    for (const index of [0, 1]) {
      await tiles.nth(index).click();
      const link = desktop.window.getByRole("link", { name: "Download" });
      await link.click();
      await expect.poll(async () => (await saved()).length).toBe(index + 1);
      await desktop.window.keyboard.press("Escape");
      await link.waitFor({ state: "detached" });
    }
    const names = await saved();
    for (const name of names) expect(name).toMatch(/^postern-\d{4}-\d\d-\d\d-.+\.(png|webm|mp4)$/);
    const library = join(desktop.dataDir, "media");
    const files = (await readdir(library, { recursive: true })).filter((name) => /\.(png|webm|mp4)$/.test(name));
    expect(files).toHaveLength(2);
    for (const name of files) {
      const original = await readFile(join(library, name));
      // The hash in its name is that of its bytes: one of the two that were saved.
      const copies = await Promise.all(names.map(bytesOf));
      expect(copies.some((copy) => copy.equals(original))).toBe(true);
    }
  });

  it("is nothing of another origin", async () => {
    // A page made of bytes of its own origin may save; one from elsewhere may not, regardless of who asks.
    await desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.downloadURL("data:text/plain,foreign"),
    );
    await desktop.window.evaluate(`{
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob(["own"]));
      link.download = "../own .txt";
      link.click();
    }`);
    await toast(/^Saved .*own/).waitFor();
    expect(await saved()).toHaveLength(1);
  });
});
