import type { Page } from "playwright-core";
import { startBrowser, watchedPage } from "../e2e/browser/browser.ts";
import { startFakeControl } from "../e2e/browser/fake-control.ts";
import { addLibrary } from "../e2e/browser/fake-library.ts";

/**
 * How the library page bears many results, by hand:
 * `node main/build.mjs renderer && node test/bench/library-page.ts [results, 100000 unless told]`.
 * Figures of a quiet machine; milliseconds, but where another unit stands.
 */
const count = Number(process.argv[2] ?? 100_000);
const fake = await startFakeControl();
addLibrary(fake, count);
const browser = await startBrowser();
const { page, faults } = await watchedPage(browser, fake.url);
await page.addInitScript(`
  window.longTasks = [];
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration))))
    .observe({ type: "longtask" });
`);
await page.goto(fake.ui);
await page.waitForFunction("document.title.includes('·')");

/** Waits for a condition in the page; milliseconds since `begin` ran there. */
function until(begin: string, condition: string): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const began = performance.now();
    ${begin};
    const timer = setInterval(() => {
      if (!(${condition})) return;
      clearInterval(timer);
      resolve(Math.round(performance.now() - began));
    }, 4);
  })`);
}

/** Scrolls by so many pixels in each of 300 frames. */
function scroll(target: Page, pixels: number): Promise<Record<string, number>> {
  return target.evaluate<Record<string, number>>(`new Promise((resolve) => {
    window.longTasks.length = 0;
    const main = document.querySelector("main");
    const frames = [];
    let [nodes, last] = [0, performance.now()];
    requestAnimationFrame(function step() {
      frames.push(performance.now() - last);
      last = performance.now();
      main.scrollTop += ${pixels};
      nodes = Math.max(nodes, document.querySelectorAll("*").length);
      if (frames.length < 300) return requestAnimationFrame(step);
      frames.sort((a, b) => a - b);
      setTimeout(() => resolve({
        "longest task": Math.max(0, ...window.longTasks),
        "tasks over 50 ms": window.longTasks.length,
        "frame p50": Math.round(frames[150]),
        "frame p99": Math.round(frames[297]),
        nodes,
        "scrolled to px": Math.round(main.scrollTop),
      }), 500);
    });
  })`);
}

const firstPicture = "document.querySelector('[data-tile] img')?.complete";
console.log("page change to first picture", await until("location.hash = '#/library'", firstPicture));
console.log("nodes", await page.evaluate("document.querySelectorAll('*').length"));
await page.waitForTimeout(2_000);
for (const pixels of [30, 400, 3_000, -400]) console.log(`${pixels} px a frame`, await scroll(page, pixels));
const end = `document.querySelector("[data-tile='${count - 1}']")?.textContent.includes("number 1")`;
const jump =
  "const main = document.querySelector('main'); window.longTasks.length = 0; main.scrollTop = main.scrollHeight";
console.log(
  "jump to the end",
  await until(jump, end),
  "longest task",
  await page.evaluate("Math.max(0, ...longTasks)"),
);
console.log("heap MB", await page.evaluate("Math.round(performance.memory.usedJSHeapSize / 1e6)"));
if (faults.length > 0) console.log(faults.join("\n"));
await browser.close();
await fake.close();
