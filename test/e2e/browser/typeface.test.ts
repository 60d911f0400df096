import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { en } from "../../../renderer/locales/en.ts";
import { useFakePages } from "./page-suite.ts";

/** The bundled typeface: small, there with the first page, and whole for what the pages write. */
const pages = useFakePages();
const FILE = join(import.meta.dirname, "../../../renderer/assets/inter-latin.woff2");
const MOST_BYTES = 45_000;

/** Every sentence of the catalogue; those with gaps as their source. */
const words = (part: unknown): string =>
  typeof part === "object" && part !== null ? Object.values(part).map(words).join("") : String(part);

it("weighs little, and is fetched once, before the first page is drawn", async () => {
  expect((await stat(FILE)).size).toBeLessThan(MOST_BYTES);
  const page = await pages.open();
  await page.locator("main h1").waitFor();
  const fonts = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.endsWith(".woff2"))
      .map(({ startTime }) => startTime),
  );
  expect(fonts).toHaveLength(1);
  const firstCall = await page.evaluate(
    () => performance.getEntriesByType("resource").find(({ name }) => name.includes("/control/"))?.startTime,
  );
  expect(fonts[0]).toBeLessThan(firstCall ?? 0);
});

it("draws the words of the pages, also where it is read by its name", async () => {
  const page = await pages.open();
  await page.locator("main h1").waitFor();
  const drawn = await page.locator("main h1").evaluate((heading) => getComputedStyle(heading).fontFamily);
  expect(drawn).toMatch(/^"?Inter"?,/);
  const loaded = await page.evaluate(() => [...document.fonts].filter(({ status }) => status === "loaded").length);
  expect(loaded).toBeGreaterThan(0);
});

it("has every sign that the English pages write", async () => {
  const page = await pages.open();
  const signs = [...new Set(words(en).match(/\S/gu))];
  // A sign that it lacks is as wide as in the typeface behind it, whichever that is.
  const missing = await page.evaluate(async (all) => {
    await document.fonts.load('16px "Inter"');
    const context = document.createElement("canvas").getContext("2d");
    if (context === null) throw new Error("There is no canvas.");
    const width = (sign: string, family: string): number => {
      context.font = `160px ${family}`;
      return context.measureText(sign).width;
    };
    return all.filter(
      (sign) =>
        width(sign, "Inter, monospace") === width(sign, "monospace") &&
        width(sign, "Inter, serif") === width(sign, "serif"),
    );
  }, signs);
  expect(missing).toEqual([]);
});
