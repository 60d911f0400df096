import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { needs } from "../../support/needs.ts";
import { environment, executablePath, isPackaged, missing, script, type Ready } from "./desktop-app.ts";

const reason = missing ?? (process.platform === "linux" ? null : "Linux");
if (reason !== null) console.log(`\nskipped: ${reason}\n`);

const SOON = { timeout: 20_000, interval: 100 };
const npmStart = join(import.meta.dirname, "../../../main/start.mjs");

let dataDir: string;
let terminal: ChildProcess;
let ready: Ready[] = [];
let stderr = "";

/** Starts a program in a process group of its own, as a terminal does, and waits until it is ready. */
async function start(program: string, words: readonly string[]): Promise<void> {
  terminal = spawn(program, [...words, "--port", "0", "--data-dir", dataDir, "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: environment(),
    detached: true,
  });
  createInterface({ input: terminal.stdout! }).on("line", (line) => ready.push(JSON.parse(line) as Ready));
  terminal.stderr!.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  // The first start of a working copy builds what is stale.
  await expect.poll(() => ready.length, { timeout: 50_000, interval: 100 }).toBe(1);
}

const countSlowly = (): Promise<Response> =>
  fetch(`${ready[0]!.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${ready[0]!.apiKey ?? ""}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "gpt-4o-mini",
      stream: true,
      messages: [{ role: "user", content: "Count to twenty. sandbox:slow=2500" }],
    }),
  });

/** Processes that have the data folder on their command line: Postern, and Chromium's for it. */
async function processes(): Promise<readonly number[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")));
  return ids.filter((_, index) => lines[index]?.includes(dataDir));
}

describe.skipIf(reason !== null)("a signal to the whole process group", needs(reason), () => {
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "postern-group-"));
    ready = [];
    stderr = "";
  });
  afterEach(async () => {
    for (const pid of await processes()) process.kill(pid, "SIGKILL");
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  const programs: [string, () => string, readonly string[]][] = [
    ["the app", executablePath, script],
    ["the app without a window", executablePath, [...script, "--hidden"]],
  ];
  if (!isPackaged) programs.push(["npm start", () => process.execPath, [npmStart]]);
  const cases = programs.flatMap((program) =>
    (["SIGTERM", "SIGHUP", "SIGINT"] as const).map((signal) => [...program, signal] as const),
  );

  it.each(cases)("%s: the response goes on to its end, and nothing stays", async (_name, program, words, signal) => {
    await start(program(), words);
    const response = await countSlowly();
    const exit = once(terminal, "exit");
    process.kill(-terminal.pid!, signal);
    expect(await response.text()).toContain("data: [DONE]");
    expect(await exit).toEqual([0, null]);
    await expect.poll(processes, SOON).toEqual([]);
    expect(ready).toHaveLength(1);
  });

  it.skipIf(isPackaged)(
    "is not what a crash is: then npm start starts Postern again",
    needs("a source tree"),
    async () => {
      await start(process.execPath, [npmStart]);
      process.kill(ready[0]!.pid, "SIGABRT");
      await expect.poll(() => ready.length, SOON).toBe(2);
      expect((await fetch(`${ready[1]!.url}/health`)).status).toBe(200);
      expect(stderr).toContain("Electron crashed (SIGABRT). Postern starts again");
      terminal.kill("SIGKILL");
      await expect.poll(processes, SOON).toEqual([]);
    },
  );
});
