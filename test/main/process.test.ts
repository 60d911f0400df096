import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

/** The desktop app as a process: real signals, exit codes and streams, a stand-in where Electron would be. */
const runner = join(import.meta.dirname, "fakes/run-main.ts");
let folder = "";
let started: ChildProcess[] = [];

interface Run {
  readonly child: ChildProcess;
  /** First line of standard output. */
  readonly line: Promise<string>;
  readonly ended: Promise<{ code: number | null; stderr: string }>;
}

function run(...own: string[]): Run {
  const child = spawn(process.execPath, [runner, "--data-dir", folder, "--json", ...own], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, POSTERN_SANDBOX: "on" },
  });
  started.push(child);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const line = once(createInterface({ input: child.stdout }), "line").then(([first]) => String(first));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, stderr }));
  return { child, line, ended };
}

async function ready(process: Run): Promise<{ url: string; apiKey: string; pid: number }> {
  const line = await Promise.race([
    process.line,
    process.ended.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ]);
  return JSON.parse(line) as { url: string; apiKey: string; pid: number };
}

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
    const first = run("--port", "0");
    const { url, pid } = await ready(first);
    expect(pid).toBe(first.child.pid);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });

  it.skipIf(process.platform === "win32").each(["SIGTERM", "SIGINT"] as const)(
    "finishes an answer that has begun and ends with 0 at %s",
    async (signal) => {
      const first = run("--port", "0");
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
    const { url } = await ready(run("--port", "0"));
    for (const second of [run("--port", "0", "--no-lock"), run("--port", "0"), run("--port", "0", "--headless")]) {
      expect(JSON.parse(await second.line)).toMatchObject({ event: "already-running", url });
      expect(await second.ended).toMatchObject({ code: 0 });
    }
  });

  it("ends with 1 and a sentence when its port is taken", async () => {
    const { url } = await ready(run("--port", "0"));
    const port = new URL(url).port;
    const other = spawn(process.execPath, [runner, "--data-dir", join(folder, "other"), "--port", port], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    started.push(other);
    let stderr = "";
    other.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    expect((await once(other, "close"))[0]).toBe(1);
    expect(stderr).toMatch(new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is taken.*--port`));
  });

  it("outlives whoever read its output", async () => {
    const first = run("--port", "0");
    const { url } = await ready(first);
    first.child.stdout?.destroy();
    first.child.stderr?.destroy();
    for (let index = 0; index < 20; index++) expect((await fetch(`${url}/health?${index}`)).status).toBe(200);
    first.child.kill("SIGTERM");
    expect((await once(first.child, "exit"))[0]).toBe(process.platform === "win32" ? null : 0);
  });
});
