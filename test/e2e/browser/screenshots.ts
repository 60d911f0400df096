import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startBrowser, watchedPage } from "./browser.ts";
import { startFakeControl } from "./fake-control.ts";

/**
 * Renews docs/screenshots, by hand: `node main/build.mjs renderer && node test/e2e/browser/screenshots.ts`.
 * The figures are the fixtures', so that pictures of two versions differ only where the pages do.
 */
const folder = join(import.meta.dirname, "../../../docs/screenshots");
const pages = ["overview", "keys", "connections"] as const;
const sizes = [
  { suffix: "", width: 1280, height: 800 },
  { suffix: "-360", width: 360, height: 740 },
] as const;

await mkdir(folder, { recursive: true });
const fake = await startFakeControl();
fake.state = { ...fake.state, url: "http://127.0.0.1:6174" };
const browser = await startBrowser();
for (const theme of ["light", "dark"] as const) {
  for (const { suffix, width, height } of sizes) {
    const { page, context } = await watchedPage(browser, fake.url, { theme, width, height });
    await page.goto(fake.ui);
    await page.locator("[data-row]").first().waitFor();
    for (const name of pages) {
      await page.goto(`${fake.url}/#/${name}`);
      await page.getByRole("heading", { level: 1, name, exact: false }).waitFor();
      await page.evaluate("document.fonts.ready");
      await page.screenshot({ path: join(folder, `${name}-${theme}${suffix}.png`) });
    }
    await context.close();
  }
}
await browser.close();
await fake.close();
