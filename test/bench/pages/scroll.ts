import type { Browser, Page } from "playwright-core";

export interface Scrolled {
  /** Tasks of the main thread over 50 ms, by the wall: `others` of the machine are in them. */
  readonly over50: number;
  readonly longestMs: number;
  /** The same by the main thread's own work. */
  readonly over50Work: number;
  readonly longestWorkMs: number;
  readonly rows: number;
  readonly elements: number;
  readonly pixels: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Rolls the wheel `turns` times by `pixels`, then jumps to the end and back to the top. */
export async function scrollThrough(browser: Browser, page: Page, turns: number, pixels: number): Promise<Scrolled> {
  await page.evaluate(`window.most = { rows: 0, elements: 0, pixels: 0 };
    document.querySelector("main").onscroll = ({ target }) => {
      most.rows = Math.max(most.rows, document.querySelectorAll("[role=row], tr, [data-tile]").length);
      most.elements = Math.max(most.elements, document.getElementsByTagName("*").length);
      most.pixels = Math.max(most.pixels, target.scrollTop);
    };`);
  await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline", "__metadata"] });
  await page.mouse.move(700, 500);
  for (let turn = 0; turn < turns; turn += 1) {
    await page.mouse.wheel(0, pixels);
    await page.evaluate("new Promise(requestAnimationFrame)");
  }
  for (const place of ["main.scrollHeight", "main.scrollHeight", "0"]) {
    await page.evaluate(`new Promise((resolve) => {
      const main = document.querySelector("main");
      main.scrollTop = ${place};
      requestAnimationFrame(() => requestAnimationFrame(resolve));
    })`);
  }
  const trace = JSON.parse((await browser.stopTracing()).toString("utf8")) as { traceEvents: TraceEvent[] };
  const most = await page.evaluate<{ rows: number; elements: number; pixels: number }>("most");
  const tasks = mainTasks(trace.traceEvents);
  const wall = tasks.map(({ dur = 0 }) => dur / 1_000);
  const work = tasks.map(({ tdur = 0 }) => tdur / 1_000);
  return {
    over50: wall.filter((ms) => ms > 50).length,
    longestMs: Math.max(0, ...wall),
    over50Work: work.filter((ms) => ms > 50).length,
    longestWorkMs: Math.max(0, ...work),
    ...most,
  };
}

/** The tasks of renderers' main threads. */
function mainTasks(events: readonly TraceEvent[]): TraceEvent[] {
  const mains = new Set(
    events
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return events.filter(
    ({ name, ph, pid, tid }) => ph === "X" && name.endsWith("RunTask") && mains.has(`${pid} ${tid}`),
  );
}
