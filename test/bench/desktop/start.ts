import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../peers/bars.ts";
import { freePort } from "../peers/machine.ts";
import { electronHere, projectFolder } from "./app.ts";

/** Milliseconds from the command. */
interface StartTimes {
  readonly ready: number;
  /** The window has begun to load the pages. */
  readonly loading: number;
  /** The overview stands with its data, painted. */
  readonly data: number;
}

/** Resolves, as Unix ms, when the overview has painted what it shows; and when its document began. */
const PAINTED = `new Promise((resolve) => {
  const look = () => {
    if (document.querySelector("main [data-row], main section") === null) return false;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve({ data: Date.now(), loading: performance.timeOrigin });
      port2.postMessage(null);
    });
    return true;
  };
  if (!look()) new MutationObserver((_, observer) => look() && observer.disconnect())
    .observe(document, { childList: true, subtree: true });
})`;

/** Starts it `times` times on one data folder and one port, as a person does every day, after one that is not counted. */
export async function measureStarts(folder: string, command: readonly string[], times: number): Promise<StartTimes> {
  const debugging = await freePort();
  // The pages are looked at over Chromium's own debugging port, which the start command has no option for.
  const dist = join(folder, `dist-${debugging}`);
  mkdirSync(dist);
  writeFileSync(
    join(dist, "electron"),
    `#!/bin/sh\nexec ${electronHere()} --remote-debugging-port=${debugging} "$@"\n`,
  );
  chmodSync(join(dist, "electron"), 0o755);
  const port = await freePort();
  const [program = "", ...first] = command;
  const measured: StartTimes[] = [];
  for (let time = 0; time <= times; time++) {
    const from = Date.now();
    const own = ["--port", String(port), "--data-dir", join(folder, "starts"), "--json"];
    const child = spawn(program, [...first, ...own], {
      cwd: projectFolder,
      env: { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: dist, POSTERN_SANDBOX: "on" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const ended = once(child, "exit");
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    const ready = Date.now() - from;
    const { data, loading } = await painted(debugging);
    if (time > 0) measured.push({ ready, loading: loading - from, data: data - from });
    // What it does after that, such as writing down what was fetched, belongs to a start too.
    await sleep(1_500);
    process.kill((JSON.parse(line) as { pid: number }).pid, "SIGTERM");
    await ended;
  }
  const of = (name: keyof StartTimes): number => median(measured.map((one) => one[name]));
  return { ready: of("ready"), loading: of("loading"), data: of("data") };
}

async function painted(debugging: number): Promise<{ data: number; loading: number }> {
  for (;;) {
    const result = await evaluated(debugging).catch(() => null);
    if (result !== null) return result;
    await sleep(10);
  }
}

/** One look at the page; null where there is none yet, or another one took its place meanwhile. */
async function evaluated(debugging: number): Promise<{ data: number; loading: number } | null> {
  const list = await fetch(`http://127.0.0.1:${debugging}/json/list`);
  const targets = (await list.json()) as { type: string; url: string; webSocketDebuggerUrl: string }[];
  const page = targets.find(({ type, url }) => type === "page" && url.startsWith("http"));
  if (page === undefined) return null;
  const socket = new WebSocket(page.webSocketDebuggerUrl);
  try {
    await once(socket, "open");
    const params = { expression: PAINTED, awaitPromise: true, returnByValue: true };
    const response = once(socket, "message");
    socket.send(JSON.stringify({ id: 1, method: "Runtime.evaluate", params }));
    const [{ data }] = (await response) as [MessageEvent];
    const said = JSON.parse(String(data)) as { result?: { result?: { value?: { data: number; loading: number } } } };
    return said.result?.result?.value ?? null;
  } finally {
    socket.close();
  }
}
