import type { CDPSession, Page } from "playwright-core";

/** The pages, and what is in sight on each when it can be used. */
export const PAGES: Readonly<Record<string, string>> = {
  overview: "main [data-row]",
  models: "main [data-row]",
  connections: "main section[aria-labelledby]",
  keys: "main [data-row]",
  usage: "main .plot canvas, main [data-row]",
  requests: "main [data-row]",
  tasks: "main [data-row]",
  library: "main [data-tile] img",
  playground: "main textarea",
  clients: "main section[aria-labelledby]",
  mcp: "main [data-row]",
  settings: "main input, main [role=switch]",
};

/** No page: the frame alone, with one sentence. What it takes is what every page takes at least here and now. */
export const BARE = "nowhere";

export interface Shown {
  /** From the change of the address to the frame that was painted with the rows. */
  readonly ms: number;
  /** Work of the page's main thread meanwhile. */
  readonly cpuMs: number;
}

/** Work of the page's main thread since it began, ms. */
export async function workedMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000;
}

/** Goes to a page by its address, and waits until what makes it usable is painted. A page's title is set last. */
export async function show(page: Page, session: CDPSession, id: string): Promise<Shown> {
  const before = await workedMs(session);
  const selector = PAGES[id] ?? "main button";
  const ms = await page.evaluate<number>(`new Promise((resolve, reject) => {
    const titled = document.title;
    const there = () => document.title !== titled && ${JSON.stringify(selector)}.split(", ").every((one) =>
      document.querySelector(one) !== null);
    const give = setTimeout(() => reject(new Error("nothing of ${id} came in 30 s")), 30_000);
    const observer = new MutationObserver(() => {
      if (!there()) return;
      observer.disconnect();
      clearTimeout(give);
      performance.mark("rows");
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - performance.getEntriesByName("went").at(-1).startTime);
        port2.postMessage(null);
      });
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    performance.mark("went");
    location.hash = "#/${id}";
  })`);
  return { ms, cpuMs: (await workedMs(session)) - before };
}

export interface Counts {
  readonly rows: number;
  readonly elements: number;
}

export const countNodes = (page: Page): Promise<Counts> =>
  page.evaluate<Counts>(
    `({ rows: document.querySelectorAll("[role=row], tr, [data-tile]").length, elements: document.querySelectorAll("*").length })`,
  );

export interface Memory {
  readonly heapMb: number;
  /** As the browser counts them, detached ones among them. */
  readonly nodes: number;
  readonly elements: number;
  readonly listeners: number;
}

/** What the page keeps after garbage was collected. */
export async function memoryOf(page: Page, session: CDPSession): Promise<Memory> {
  for (let time = 0; time < 3; time += 1) await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const { nodes, jsEventListeners } = await session.send("Memory.getDOMCounters");
  return { heapMb: usedSize / 1e6, nodes, elements: (await countNodes(page)).elements, listeners: jsEventListeners };
}
