import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CDPSession } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { png } from "../../support/pictures.ts";
import { endDesktopApp, missing, startDesktopApp, type DesktopApp } from "./desktop-app.ts";
import { pressKey } from "./keys.ts";
import { needs } from "../../support/needs.ts";

let desktop: DesktopApp;
let folder: string;
let picture: string;
let session: CDPSession;
const bytes = png({ width: 40, height: 30 });

const heading = (name: string) => desktop.window.getByRole("heading", { name, level: 1 });
const removal = (name: string) => desktop.window.getByRole("button", { name: `Remove ${name}` });
const message = () => desktop.window.getByLabel("Message", { exact: true });
const count = (): Promise<number> => desktop.window.getByRole("button", { name: /^Remove / }).count();

/** Drags a file from outside over the window and lets it go there, as a file manager does. */
async function drop(file: string, at: { x: number; y: number }): Promise<void> {
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await session.send("Input.dispatchDragEvent", { type, ...at, data });
  }
}

describe.skipIf(missing !== null)("pictures for a question", needs(missing), () => {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "postern-pictures-"));
    picture = join(folder, "lighthouse.png");
    await writeFile(picture, bytes);
    desktop = await startDesktopApp();
    await heading("Overview").waitFor();
    session = await desktop.window.context().newCDPSession(desktop.window);
    await desktop.window.evaluate("void (location.hash = '#/playground?kind=chat&model=gpt-5.4-mini')");
    await message().waitFor();
  });
  afterEach(async () => {
    await endDesktopApp(desktop);
    await rm(folder, { recursive: true, force: true });
  });

  it("are dropped anywhere on the page and sent byte for byte", async () => {
    await drop(picture, { x: 640, y: 300 });
    await removal("lighthouse.png").waitFor();
    const pending = desktop.window.waitForRequest((request) => request.url().endsWith("/v1/chat/completions"));
    await message().fill("What is this?");
    await pressKey(desktop, "Return", ["control"]);
    expect((await pending).postData()).toContain(`data:image/png;base64,${bytes.toString("base64")}`);
    await desktop.window.getByText(/^took \d/).waitFor();
  });

  it("are chosen in the system's dialog for files", async () => {
    const pending = desktop.window.waitForEvent("filechooser");
    await desktop.window.getByRole("button", { name: "From a file" }).click();
    const dialog = await pending;
    expect(dialog.isMultiple()).toBe(true);
    await dialog.setFiles(picture);
    await removal("lighthouse.png").waitFor();
  });

  it("are pasted, and text stays text", async () => {
    await desktop.app.evaluate(({ clipboard, nativeImage }, data) => {
      // Electron 42's way, which 45 has no longer.
      const { writeImage } = clipboard as unknown as { writeImage(image: unknown): void };
      writeImage(nativeImage.createFromBuffer(Buffer.from(data, "base64")));
    }, bytes.toString("base64"));
    await message().click();
    await pressKey(desktop, "V", ["control"]);
    await removal("image.png").waitFor();
    expect(await message().inputValue()).toBe("");
    await desktop.app.evaluate(({ clipboard }) => clipboard.writeText("just words"));
    await pressKey(desktop, "V", ["control"]);
    await expect.poll(() => message().inputValue()).toBe("just words");
    expect(await count()).toBe(1);
  });

  it("are refused where they are invalid, with a sentence", async () => {
    const text = join(folder, "notes.txt");
    await writeFile(text, "no picture");
    await drop(text, { x: 640, y: 300 });
    await desktop.window.getByText("That is no PNG, JPEG, WebP or GIF.").waitFor();
    expect(await count()).toBe(0);
  });

  it("lead nowhere when they are dropped next to what takes them", async () => {
    await drop(picture, { x: 60, y: 500 });
    expect(await count()).toBe(0);
    await desktop.window.evaluate("void (location.hash = '#/keys')");
    await heading("Keys").waitFor();
    await desktop.window.evaluate("void (globalThis.stays = true)");
    await drop(picture, { x: 640, y: 300 });
    await drop(join(folder, "page.html"), { x: 640, y: 300 });
    await desktop.window.evaluate("void (location.hash = '#/usage')");
    await heading("Usage").waitFor();
    expect(await desktop.window.evaluate("globalThis.stays")).toBe(true);
    expect(desktop.app.windows()).toHaveLength(1);
  });
});
