import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { endDesktopApp, missing, startDesktopApp, startDesktopAppWith, type DesktopApp } from "./desktop-app.ts";
import { descendants, isFree, killOne, lives, pidOf, watchHealth, type Kind } from "./processes.ts";
import { png } from "../../support/pictures.ts";
import { needs } from "../../support/needs.ts";

const unable = missing ?? (process.platform === "linux" ? null : "the processes are found in /proc");
if (unable !== null) console.log(`\nskipped: ${unable}\n`);

let desktop: DesktopApp;
const heading = () => desktop.window.getByRole("heading", { name: "Overview", level: 1 });

/** Evaluates an expression in the page, also after its first process is gone, with which the driver's own page ends. */
const inWindow = (expression: string): Promise<unknown> =>
  desktop.app.evaluate(
    ({ BrowserWindow }, code) => BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(code),
    expression,
  );
const title = () => inWindow("document.querySelector('h1')?.textContent ?? ''").catch(() => "");
const pageText = () => inWindow("document.querySelector('main')?.innerText ?? ''").catch(() => "");

const post = (path: string, body: object, signal?: AbortSignal): Promise<Response> =>
  fetch(`${desktop.ready.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${desktop.ready.apiKey ?? ""}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
const chat = (content: string): Promise<Response> =>
  post("/v1/chat/completions", { model: "gpt-4o-mini", stream: true, messages: [{ role: "user", content }] });

/** Streams that have started. */
const streams = (count: number, ms: number): Promise<Response[]> =>
  Promise.all(Array.from({ length: count }, () => chat(`Count to a hundred. sandbox:slow=${ms}`)));

/** An edit of an uploaded picture, which is broken off. */
async function editPicture(): Promise<string> {
  const form = new FormData();
  form.set("model", "gpt-image-1");
  form.set("prompt", "A gate at night. sandbox:slow=20000");
  form.set("image", new Blob([new Uint8Array(png({ padding: 500_000 }))], { type: "image/png" }), "gate.png");
  const headers = { authorization: `Bearer ${desktop.ready.apiKey ?? ""}` };
  const init = { method: "POST", headers, body: form };
  return fetch(`${desktop.ready.url}/v1/images/edits`, init).then(
    (response) => response.text().catch(() => "broken off"),
    () => "broken off",
  );
}
/** Asks the control API as a page would. */
async function openControl(): Promise<(path: string) => Promise<{ data: { id: string; outcome?: string }[] }>> {
  const session = await fetch(`${desktop.ready.url}/control/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: new URL(desktop.ready.ui).hash.slice("#token=".length) }),
  });
  const { bearer } = (await session.json()) as { bearer: string };
  const { url } = desktop.ready;
  return async (path) => {
    const response = await fetch(`${url}/control${path}`, { headers: { authorization: `Bearer ${bearer}` } });
    return (await response.json()) as { data: { id: string; outcome?: string }[] };
  };
}

/** The process that an app has now; waits for it where it is only starting. */
async function processOf(kind: Kind): Promise<number> {
  let pid: number | null = null;
  await expect.poll(() => (pid = pidOf(desktop.ready.pid, kind)), { timeout: 10_000 }).not.toBeNull();
  if (pid === null) throw new Error(`the app has no process for its ${kind}`);
  return pid;
}

describe.skipIf(unable !== null)("the app when one of the window's processes is killed", needs(unable), () => {
  beforeEach(async () => {
    desktop = await startDesktopApp();
    await heading().waitFor();
  });
  afterEach(() => endDesktopApp(desktop));

  it.each(["window", "graphics", "network"] as const)(
    "%s: every stream ends as it should, no one waits for /health, and the page goes on with its data",
    async (kind) => {
      await (await chat("Before the kill.")).text();
      await inWindow("void (location.hash = '#/requests')");
      await expect.poll(pageText).toContain("gpt-4o-mini");
      const watch = watchHealth(desktop.ready.url);
      const running = await streams(20, 3_000);
      const before = await processOf(kind);
      killOne(before);
      await expect.poll(() => lives(before)).toBe(false);
      const texts = await Promise.all(running.map((response) => response.text()));
      expect(texts.filter((text) => !text.endsWith("data: [DONE]\n\n"))).toEqual([]);
      const { asked, failed, longest } = await watch.stop();
      expect([failed, asked > 20]).toEqual([[], true]);
      expect(longest).toBeLessThan(2_000);
      expect(await processOf(kind)).not.toBe(before);
      // The same page, signed in, and notified of what came after.
      await expect.poll(title, { timeout: 15_000 }).toBe("Requests");
      expect(await inWindow("location.hash")).toBe("#/requests");
      await (await post("/v1/embeddings", { model: "text-embedding-3-small", input: "After the kill." })).text();
      await expect.poll(pageText, { timeout: 15_000 }).toContain("text-embedding-3-small");
    },
  );

  it("keeps the gateway however often the process that draws ends, and gives up the window instead", async () => {
    const watch = watchHealth(desktop.ready.url);
    const running = await streams(20, 5_000);
    await desktop.app.evaluate(({ dialog }) => {
      const asked: string[] = [];
      Object.assign(globalThis, { boxes: asked });
      dialog.showMessageBox = (...given: unknown[]) => {
        asked.push((given[0] as { message: string }).message);
        return new Promise(() => undefined);
      };
    });
    const readBoxes = () => desktop.app.evaluate(() => (globalThis as unknown as { boxes: string[] }).boxes);
    // Chromium ends the app at the sixth, or at the third where it has started without a graphics card.
    for (let count = 0; count < 12 && (await readBoxes()).length === 0; count++) {
      killOne(await processOf("graphics"));
    }
    await expect.poll(readBoxes).toEqual(["The window stopped working"]);
    const isVisible = () =>
      desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()));
    expect(await isVisible()).toBe(false);
    const texts = await Promise.all(running.map((response) => response.text()));
    expect(texts.filter((text) => !text.endsWith("data: [DONE]\n\n"))).toEqual([]);
    expect((await watch.stop()).failed).toEqual([]);
    await desktop.startAgain();
    await expect.poll(isVisible).toBe(true);
    expect(await title()).toBe("Overview");
  });
});

describe.skipIf(unable !== null)("the app when its main process is killed", needs(unable), () => {
  it("leaves no process and no port behind, and opens again with every receipt and its pages", async () => {
    desktop = await startDesktopApp();
    const { dataDir } = desktop;
    try {
      await heading().waitFor();
      await (await chat("Before the kill.")).text();
      const task = await post("/v1/videos", {
        model: "sora-2",
        prompt: "A gate opens. sandbox:slow=2000",
        seconds: "4",
      });
      const { id } = (await task.json()) as { id: string };
      expect(task.status).toBeLessThan(300);
      const running = await streams(20, 20_000);
      const left = running.map((response) => response.text().catch(() => "broken off"));
      for (let count = 0; count < 3; count++) left.push(editPicture());
      const before = await openControl();
      await expect.poll(async () => (await before("/running-requests")).data.length).toBe(23);
      // A call is noted some milliseconds after it was sent, since most are over by then.
      const { data: open } = await before("/running-requests");
      const notes = async (): Promise<number> => {
        const folder = join(dataDir, "usage");
        const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")));
        const lines = files.join("").split("\n");
        return open.filter((call) => lines.some((line) => line.includes('"call"') && line.includes(call.id))).length;
      };
      await expect.poll(notes).toBe(23);
      const family = descendants(desktop.ready.pid).map(({ pid }) => pid);
      expect(family.length).toBeGreaterThan(2);
      killOne(desktop.ready.pid);
      expect(await Promise.all(left)).toEqual(left.map(() => "broken off"));
      await expect.poll(() => family.filter(lives), { timeout: 5_000 }).toEqual([]);
      expect(await isFree(desktop.ready.url)).toBe(true);

      const { apiKey } = desktop.ready;
      desktop = await startDesktopAppWith({ dataDir });
      await heading().waitFor();
      const after = { authorization: `Bearer ${apiKey ?? ""}` };
      await inWindow("void (location.hash = '#/requests')");
      await expect.poll(pageText).toContain("gpt-4o-mini");
      const { data } = await (await openControl())("/requests?limit=100");
      const outcomes = data.map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome === "unknown")).toHaveLength(23);
      expect(outcomes).toContain("completed");
      // The task is seen through, by the provider that has it.
      const status = async (): Promise<unknown> => {
        const response = await fetch(`${desktop.ready.url}/v1/videos/${id}`, { headers: after });
        return ((await response.json()) as { status: string }).status;
      };
      await expect.poll(status, { timeout: 20_000 }).not.toMatch(/queued|in_progress/);
    } finally {
      await endDesktopApp(desktop);
    }
  });
});
