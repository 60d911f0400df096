import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { endDesktopApp, isPackaged, missing, startDesktopApp, type DesktopApp } from "./desktop-app.ts";
import { needs } from "../../support/needs.ts";

let desktop: DesktopApp;

interface Dragged {
  readonly file: string;
  readonly files: readonly string[];
  readonly icon: { readonly width: number; readonly height: number };
}

async function make(prompt: string): Promise<void> {
  const response = await fetch(`${desktop.ready.url}/v1/images/generations`, {
    method: "POST",
    headers: { authorization: `Bearer ${desktop.ready.apiKey ?? ""}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-image-1", prompt }),
  });
  expect(response.ok).toBe(true);
  await response.json();
}

/** Takes the place of the system's own drag, which would take the pointer away from the test. */
const listen = (): Promise<void> =>
  desktop.app.evaluate(({ BrowserWindow }) => {
    const heard: unknown[] = [];
    Object.assign(globalThis, { events: heard });
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    if (contents === undefined) throw new Error("no window");
    contents.startDrag = ({ file, files, icon }) =>
      void heard.push({ file, files, icon: typeof icon === "string" ? icon : icon.getSize() });
  });
const received = (): Promise<readonly Dragged[]> =>
  desktop.app.evaluate(() => (globalThis as unknown as { events: Dragged[] }).events);

const tile = (prompt: string) => desktop.window.getByRole("option").filter({ hasText: prompt });
const pull = async (prompt: string): Promise<void> => {
  const box = await tile(prompt).boundingBox();
  if (box === null) throw new Error("no tile");
  await desktop.window.mouse.move(box.x + 80, box.y + 60);
  await desktop.window.mouse.down();
  await desktop.window.mouse.move(box.x + 120, box.y + 90, { steps: 6 });
  await desktop.window.mouse.up();
};

describe.skipIf(missing !== null || isPackaged)(
  "dragging results out of the window",
  needs(missing ?? "the unpacked bundles"),
  () => {
    beforeEach(async () => {
      desktop = await startDesktopApp();
      await make("A lighthouse at dusk");
      await make("A harbour at dawn");
      await desktop.window.evaluate("void (location.hash = '#/library')");
      await tile("A lighthouse at dusk").locator("img").waitFor();
      await tile("A harbour at dawn").locator("img").waitFor();
      await listen();
    });
    afterEach(() => endDesktopApp(desktop));

    it("hands over the file of a tile, with a picture at the pointer", async () => {
      await pull("A lighthouse at dusk");
      await expect.poll(async () => (await received()).length).toBe(1);
      const [{ file, files, icon }] = (await received()) as [Dragged];
      expect(files).toEqual([file]);
      expect(basename(file)).toMatch(/^postern-\d{4}-\d\d-\d\d-\w{8}\.(png|jpg|webp)$/);
      expect((await readFile(file)).length).toBeGreaterThan(100);
      expect(Math.max(icon.width, icon.height)).toBe(96);
    });

    it("hands over all that are selected", async () => {
      await tile("A lighthouse at dusk").click({ modifiers: ["Control"] });
      await tile("A harbour at dawn").click({ modifiers: ["Control"] });
      await pull("A harbour at dawn");
      await expect.poll(async () => (await received())[0]?.files.length).toBe(2);
    });

    it("refuses the page everything but ids of the library", async () => {
      const refused = await desktop.window.evaluate(async () => {
        const { desktop } = globalThis as unknown as { desktop: { dragFiles(ids: unknown): Promise<void> } };
        const tries = [["/etc/passwd"], "med_1", [], ["../../etc/passwd"]];
        return Promise.all(tries.map((ids) => desktop.dragFiles(ids).then(() => "", String)));
      });
      for (const message of refused) expect(message).toContain("Only results of the media library can be dragged.");
      expect(await desktop.window.evaluate("desktop.dragFiles(['med_unknown']).then(() => '', String)")).toContain(
        "not in the data folder",
      );
      expect(await received()).toEqual([]);
    });
  },
);
