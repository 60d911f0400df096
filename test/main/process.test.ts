import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundled } from "../run/bundled.ts";
import { needs } from "../support/needs.ts";

/** The desktop app as a process: real signals, exit codes and streams, a stand-in where Electron would be. */
const runner = await bundled("test/main/fakes/run-main.ts", "test/main/fakes/electron.ts");
let folder = "";
let started: ChildProcess[] = [];

interface Run {
  readonly child: ChildProcess;
  /** The next lines of standard output. */
  lines(count: number): Promise<string[]>;
  readonly ended: Promise<{ code: number | null; stderr: string }>;
}

function run(dataDir: string, ...own: string[]): Run {
  const child = spawn(process.execPath, [runner, "--data-dir", dataDir, ...own], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, POSTERN_SANDBOX: "on" },
  });
  started.push(child);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const output = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { value, done } = await output.next();
    if (done === true) throw new Error(`it said nothing more on standard output, and on standard error: ${stderr}`);
    return value;
  };
  return {
    child,
    async lines(count) {
      const lines: string[] = [];
      while (lines.length < count) lines.push(await next());
      return lines;
    },
    ended: once(child, "close").then(([code]) => ({ code: code as number | null, stderr })),
  };
}

interface Ready {
  readonly url: string;
  readonly apiKey: string;
  readonly pid: number;
}

async function ready(process: Run): Promise<Ready> {
  const [line = ""] = await process.lines(1);
  return JSON.parse(line) as Ready;
}
const start = (...own: string[]): Run => run(folder, "--port", "0", "--json", ...own);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-process-"));
  started = [];
});
afterEach(async () => {
  for (const child of started) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

describe("the desktop app's process", () => {
  it("says that it is ready in one line of JSON, on the process that serves", async () => {
    const first = start();
    const { url, pid } = await ready(first);
    expect(pid).toBe(first.child.pid);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });

  it("says the same as a headless start, in JSON and in words", async () => {
    const message = async (...own: string[]) => {
      const inJson = Object.keys(await ready(run(join(folder, `json${own.length}`), "--port", "0", "--json", ...own)));
      const words = await run(join(folder, `words${own.length}`), "--port", "0", ...own).lines(3);
      return { inJson, words: words.map((line) => line.replace(/(http|sk-)\S+$/, "…")) };
    };
    const desktop = await message();
    expect(desktop.inJson).toStrictEqual(["event", "url", "ui", "mcp", "dataDir", "pid", "apiKey"]);
    expect(desktop.words[0]).toBe("Postern is ready at …");
    expect(await message("--headless")).toStrictEqual(desktop);
  });

  it.skipIf(process.platform === "win32").each(["SIGTERM", "SIGINT"] as const)(
    "finishes an answer that has started and ends with 0 at %s",
    needs("POSIX signals"),
    async (signal) => {
      const first = start();
      const { url, apiKey } = await ready(first);
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
        body: JSON.stringify({
          model: "gpt-4o-mini",
          stream: true,
          messages: [{ role: "user", content: "Count to twenty. sandbox:slow=400" }],
        }),
      });
      expect(response.status).toBe(200);
      first.child.kill(signal);
      expect(await response.text()).toContain("data: [DONE]");
      expect(await first.ended).toMatchObject({ code: 0 });
      await expect(access(join(folder, "instance.json"))).rejects.toThrow("ENOENT");
    },
  );

  it("leaves the folder to the first, says where it is and ends with 0: second desktop shell and headless alike", async () => {
    const { url } = await ready(start());
    for (const second of [start("--no-lock"), start(), start("--headless")]) {
      expect(await ready(second)).toMatchObject({ event: "already-running", url });
      expect(await second.ended).toMatchObject({ code: 0 });
    }
  });

  it("ends with 1 and a sentence when its port is taken", async () => {
    const { url } = await ready(start());
    const port = new URL(url).port;
    const { code, stderr } = await run(join(folder, "other"), "--port", port).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is taken.*--port`));
  });

  it("outlives the reader of its output", async () => {
    const first = start();
    const { url } = await ready(first);
    first.child.stdout?.destroy();
    first.child.stderr?.destroy();
    for (let index = 0; index < 20; index++) expect((await fetch(`${url}/health?${index}`)).status).toBe(200);
    first.child.kill("SIGTERM");
    expect((await once(first.child, "exit"))[0]).toBe(process.platform === "win32" ? null : 0);
  });
});
