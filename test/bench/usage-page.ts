import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGateway } from "../../gateway/index.ts";
import { systemClock } from "../../gateway/lib/clock.ts";
import { silentLog } from "../../gateway/lib/log.ts";
import { fileSealer } from "../../gateway/store/data-key.ts";
import { openStore } from "../../gateway/store/open-store.ts";
import { startBrowser, watchedPage } from "../e2e/browser/browser.ts";
import { receiptOf } from "../e2e/browser/receipts.ts";

/**
 * How the Usage page bears a long history, by hand:
 * `node main/build.mjs renderer && node test/bench/usage-page.ts [receipts, 100000 unless told]`.
 * Half of them are of the last two days: those are read back by the first look at hours after a start. Milliseconds.
 */
const count = Number(process.argv[2] ?? 100_000);
const DAY_MS = 86_400_000;
const dir = await mkdtemp(join(tmpdir(), "postern-usage-"));
const now = Date.now();
const store = await openStore({ dir, sealer: fileSealer(), clock: systemClock, log: () => {} });
for (let index = 0; index < count; index += 1) {
  const half = index < count / 2;
  const share = half ? index / (count / 2) : (index - count / 2) / (count / 2);
  const at = Math.round(half ? now - 30 * DAY_MS + share * 28 * DAY_MS : now - 2 * DAY_MS + share * 2 * DAY_MS);
  const written = store.usage.settle(receiptOf(index, { at, model: `model-${index % 40}` }));
  if (index % 2_000 === 0) await written;
}
await store.close();

const opening = performance.now();
const gateway = await createGateway({
  dataDir: dir,
  host: "127.0.0.1",
  port: 0,
  env: { POSTERN_SANDBOX: "on" },
  clock: systemClock,
  log: silentLog,
  sealer: fileSealer(),
  version: "bench",
  assetsDir: join(import.meta.dirname, "../../out/renderer"),
});
console.log("gateway up", Math.round(performance.now() - opening));
const browser = await startBrowser();
const { page, faults } = await watchedPage(browser, gateway.url);
await page.goto(`${gateway.url}/#token=${gateway.issuePageToken()}`);
await page.getByRole("heading", { level: 1 }).waitFor();

/** Milliseconds from a change of the address to drawn plots and rows of `bucket`s. */
function shown(address: string, buckets: number): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const began = performance.now();
    location.hash = ${JSON.stringify(`#/${address}`)};
    const timer = setInterval(() => {
      const slider = document.querySelector("[role=slider]");
      if (document.querySelectorAll(".plot canvas").length < 3 || document.querySelectorAll("[data-row]").length < 5) return;
      if (Number(slider.getAttribute("aria-valuemax")) !== ${buckets}) return;
      clearInterval(timer);
      resolve(Math.round(performance.now() - began));
    }, 2);
  })`);
}

console.log("30 days, first look", await shown("usage", 30));
console.log("24 hours, first look (reads back)", await shown("usage?range=24h", 25));
console.log("7 days", await shown("usage?range=7d", 7));
console.log("24 hours again", await shown("usage?range=24h", 25));
console.log("30 days, rows by client", await shown("usage?show=requests", 30));
console.log("rows in the document", await page.evaluate("document.querySelectorAll('[role=row], tr').length"));
if (faults.length > 0) console.log(faults.join("\n"));
await browser.close();
await gateway.close();
await rm(dir, { recursive: true, force: true });
