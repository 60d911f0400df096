import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { startBrowser, watchedPage } from "../e2e/browser/browser.ts";
import { cpuMicroseconds } from "./peers/processes.ts";
import { gatewayMemory, inspectorOf } from "./pages/gateway-memory.ts";
import { fillFolder, modelOf, secretOf, type Amounts } from "./fill-folder.ts";
import { BARE, PAGES, countNodes, memoryOf, show, type Shown } from "./pages/look.ts";
import { scrollThrough } from "./pages/scroll.ts";
import { startCommand } from "./start-command.ts";

/**
 * How every page bears a long history, by hand: `npm run build && node test/bench/pages.ts [page …]`, with
 * `--rounds 5`, `--ticks 3600`, `--parts look,scroll,touch,memory` and `--folder D` for a data folder that is filled
 * once and kept. Three months with
 * 100,000 requests, 10,000 tasks, 5,000 results, 600 models and 50 keys in a real Postern.
 */
const { values, positionals: only } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string" },
    ticks: { type: "string" },
    parts: { type: "string" },
    folder: { type: "string" },
  },
});
const { rounds = "5", ticks = "3600", parts = "look,scroll,touch,memory", folder: stored } = values;
const expected = (part: "look" | "scroll" | "touch" | "memory"): boolean => parts.split(",").includes(part);
const AMOUNTS: Amounts = { receipts: 100_000, tasks: 10_000, media: 5_000, models: 600, keys: 50 };
/** How often memory is looked at. */
const POINTS = 4;
const PROJECT = join(import.meta.dirname, "../..");
const TICKED = ["overview", "requests", "tasks", "mcp", "usage"];
const pages = Object.keys(PAGES).filter((id) => only.length === 0 || only.includes(id));
const loadNow = (): string =>
  loadavg()
    .map((figure) => figure.toFixed(1))
    .join(" ");
const median = (figures: readonly number[]): number => figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? 0;

const provider = createServer((request, response) => {
  request.resume().on("end", () => {
    const model = { object: "model", created: 1_700_000_000, owned_by: "bench" };
    const list = {
      object: "list",
      data: Array.from({ length: AMOUNTS.models }, (_, n) => ({ id: modelOf(n), ...model })),
    };
    const message = { role: "assistant", content: "Good." };
    const chat = {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1_700_000_000,
      model: modelOf(1),
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage: { prompt_tokens: 100, completion_tokens: 60, total_tokens: 160 },
    };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(request.url?.endsWith("/models") === true ? list : chat));
  });
});
// A provider that closes a resting connection just as a call takes it is another subject.
provider.keepAliveTimeout = 0;
provider.listen(0, "127.0.0.1");
await once(provider, "listening");

const dir = stored ?? (await mkdtemp(join(tmpdir(), "postern-pages-")));
const filling = performance.now();
if (!existsSync(join(dir, "usage"))) await fillFolder(dir, AMOUNTS);
console.log(`filled in ${((performance.now() - filling) / 1_000).toFixed(1)} s; load ${loadNow()}`);

const starting = performance.now();
const [node = "", ...options] = startCommand(PROJECT, "--inspect=127.0.0.1:0");
const child = spawn(node, [...options, "--headless", "--port", "0", "--json", "--data-dir", dir], {
  cwd: PROJECT,
  env: {
    PATH: process.env["PATH"],
    HOME: dir,
    POSTERN_SANDBOX: "on",
    POSTERN_COMPATIBLE_BASE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`,
    POSTERN_COMPATIBLE_API_KEY: "sk-upstream",
  },
  stdio: ["ignore", "pipe", "pipe"],
});
const inspector = await inspectorOf(child.stderr);
const [line] = (await once(child.stdout, "data")) as [Buffer];
const ready = JSON.parse(line.toString()) as { url: string; ui: string };
child.stdout.resume();
const started = [performance.now() - starting, cpuMicroseconds(child.pid ?? 0) / 1_000] as const;
console.log(`ready after ${started[0].toFixed(0)} ms, ${started[1].toFixed(0)} ms of work`);

/** One chat call, as a client makes it. */
async function call(): Promise<void> {
  const response = await fetch(`${ready.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secretOf(1)}`, "content-type": "application/json" },
    body: JSON.stringify({ model: modelOf(1), messages: [{ role: "user", content: "Say something short." }] }),
  });
  if (response.status !== 200) throw new Error(`a call was answered with ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

/** A fresh address of the pages: each is good for one time. */
async function address(): Promise<string> {
  const request = spawn(process.execPath, ["main/postern.mjs", "open", "--data-dir", dir], { cwd: PROJECT });
  const [message] = (await once(request.stdout, "data")) as [Buffer];
  return /http:\S+/.exec(message.toString())?.[0] ?? "";
}

const browser = await startBrowser();
const faults: string[] = [];
try {
  const cold = new Map<string, Shown[]>();
  const warm = new Map<string, Shown[]>();
  const bare: Shown[] = [];
  const counts = new Map<string, Awaited<ReturnType<typeof countNodes>>>();
  for (let round = 0; expected("look") && round < Number(rounds); round += 1) {
    const { page, context, faults: seen } = await watchedPage(browser, ready.url);
    const session = await context.newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await open(page);
    for (const id of pages) {
      cold.set(id, [...(cold.get(id) ?? []), await show(page, session, id)]);
      counts.set(id, await countNodes(page));
      bare.push(await show(page, session, BARE));
      warm.set(id, [...(warm.get(id) ?? []), await show(page, session, id)]);
      await show(page, session, BARE);
    }
    faults.push(...seen);
    await context.close();
  }
  const of = (figures: readonly Shown[] | undefined, what: keyof Shown): number =>
    median((figures ?? []).map((shown) => shown[what]));
  const base = of(bare, "ms");
  console.log(`\nfrom the change of the address, medians of ${rounds}; load ${loadNow()}`);
  console.log(`bare page: ${base.toFixed(0)} ms, ${of(bare, "cpuMs").toFixed(0)} ms of work`);
  console.log("page | first look ms | of the bare page | work ms | again ms | work ms | rows | elements");
  for (const id of expected("look") ? pages : []) {
    const [first, again, count] = [cold.get(id), warm.get(id), counts.get(id)];
    const figures = [
      of(first, "ms").toFixed(0),
      (of(first, "ms") / base).toFixed(1),
      of(first, "cpuMs").toFixed(0),
      of(again, "ms").toFixed(0),
      of(again, "cpuMs").toFixed(0),
      count?.rows,
      count?.elements,
    ];
    console.log([id, ...figures].join(" | "));
  }

  const { page, context, faults: seen } = await watchedPage(browser, ready.url);
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await open(page);
  console.log(`\nscrolled: page | tasks over 50 ms (longest) | of work (longest) | most rows | most elements | px`);
  for (const id of expected("scroll") ? pages : []) {
    await show(page, session, id);
    const seenHere = await scrollThrough(browser, page, 120, 400);
    const { over50, longestMs, over50Work, longestWorkMs, rows, elements, pixels } = seenHere;
    const figures = [`${over50} (${longestMs.toFixed(0)})`, `${over50Work} (${longestWorkMs.toFixed(0)})`];
    console.log([id, ...figures, rows, elements, pixels.toFixed(0)].join(" | "));
    await show(page, session, BARE);
  }
  console.log(`load ${loadNow()}`);

  console.log("\none call: page | rows touched (new) | elements touched outside rows");
  for (const id of expected("touch") ? TICKED.filter((one) => pages.includes(one)) : []) {
    await show(page, session, id);
    await page.waitForLoadState("networkidle").catch(() => undefined);
    await settle(page, 1_500);
    await page.evaluate(`{
      window.touched = new Map(); window.added = new Set(); window.outside = new Map();
      window.watcher = new MutationObserver((records) => {
        for (const { target, addedNodes, type, attributeName } of records) {
          // A row that moved down by one says so; it is not drawn again.
          if (attributeName === "aria-rowindex") continue;
          for (const node of addedNodes) if (node.matches?.("[data-row]")) added.add(node);
          const element = target.nodeType === 1 ? target : target.parentElement;
          const row = element?.closest("[data-row]");
          const name = type + " " + (element?.tagName ?? "") + "." + String(element?.className?.baseVal ?? element?.className ?? "").split(" ").slice(0, 3).join(".");
          if (row) touched.set(row, (touched.get(row) ?? "") + " " + name + ":" + element.textContent.slice(0, 20));
          else outside.set(name, (outside.get(name) ?? 0) + 1);
        }
      });
      watcher.observe(document.querySelector("main"), { subtree: true, childList: true, attributes: true, characterData: true });
    }`);
    await call();
    await settle(page, 2_500);
    const message = await page.evaluate<{ touched: string[]; added: number; outside: string }>(`(watcher.disconnect(), {
      touched: [...touched].filter(([row]) => !added.has(row)).map(([, what]) => what.slice(0, 200)),
      added: added.size,
      outside: [...outside].map(([name, times]) => name + " ×" + times).join(", "),
    })`);
    console.log([id, `${message.touched.length} (${message.added} new)`, message.outside].join(" | "));
    for (const what of message.touched.slice(0, 4)) console.log(`    touched:${what}`);
    await show(page, session, BARE);
  }

  console.log(`\n${ticks} calls while a page is open, after so many: heap of the page MB, nodes, elements, listeners;`);
  console.log("heap of the gateway MB, buffers outside it MB");
  const left = ["overview", "requests", "usage"].filter((one) => pages.includes(one));
  for (const id of expected("memory") ? left : []) {
    await show(page, session, id);
    // The first ones fill lists and caches to what they may hold.
    const warmUp = Math.min(600, Number(ticks));
    await tick(warmUp);
    for (let done = 0; ; done += Number(ticks) / POINTS) {
      const { heapMb, nodes, elements, listeners } = await memoryOf(page, session);
      const gateway = await gatewayMemory(inspector);
      const figures = [heapMb.toFixed(2), nodes, elements, listeners];
      const after = [gateway.heapMb.toFixed(2), gateway.externalMb.toFixed(2), `load ${loadNow()}`];
      console.log([id, warmUp + done, figures.join(" "), ...after].join(" | "));
      if (done >= Number(ticks)) break;
      await tick(Number(ticks) / POINTS);
    }
    await show(page, session, BARE);
  }
  faults.push(...seen);
  await context.close();
} finally {
  await browser.close();
  child.kill("SIGTERM");
  await once(child, "exit");
  provider.close();
  if (stored === undefined) await rm(dir, { recursive: true, force: true });
}
if (faults.length > 0) console.log([...new Set(faults)].join("\n"));

async function open(page: Page): Promise<void> {
  await page.goto(await address());
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator("main [data-row]").first().waitFor();
  await page.evaluate(`location.hash = "#/${BARE}"`);
  await page.waitForFunction("document.title === 'Postern'");
}

/** Waits until nothing was drawn for a while: what follows is due to what is done then. */
function settle(page: Page, ms: number): Promise<void> {
  return page.waitForTimeout(ms);
}

async function tick(count: number): Promise<void> {
  let left = count;
  const caller = async (): Promise<void> => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: 4 }, caller));
}
