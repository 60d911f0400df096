import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createControlClient } from "../../../main/launch/control-client.ts";
import { findInstance } from "../../../main/launch/instance.ts";

const PROJECT = join(import.meta.dirname, "../../..");

/** A Postern of its own: started by the command that people use, on a free port, in a data folder that goes away. */
export interface RunningGateway {
  readonly url: string;
  /** The address that opens the pages, good for one time. */
  readonly ui: string;
  /** The first local key. */
  readonly apiKey: string;
  /** A fresh address for the pages, as `npm run postern -- open` prints it. */
  freshAddress(): Promise<string>;
  /** A token that opens the pages one time, asked for as that command does. */
  pageToken(): Promise<string>;
  stop(): Promise<void>;
}

interface ReadyLine {
  readonly event: string;
  readonly url: string;
  readonly ui: string;
  readonly apiKey: string;
}

/** The test's own environment, without what would configure a Postern. */
function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("POSTERN_")));
}

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: PROJECT,
    env: { ...plainEnvironment(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** The first line of standard output; what the process said on standard error when none exists. */
async function firstLine(child: ChildProcess): Promise<string> {
  let complaint = "";
  child.stderr?.on("data", (part) => (complaint += String(part)));
  if (child.stdout === null) throw new Error("no standard output");
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error(`ended without a line: ${complaint}`);
}

/** @param env what configures it next to its command line */
export async function startGateway(env: Readonly<Record<string, string>> = {}): Promise<RunningGateway> {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-e2e-"));
  const child = run(["main/start.mjs", "--headless", "--port", "0", "--json", "--data-dir", dataDir], env);
  const ended = once(child, "exit");
  const { url, ui, apiKey } = JSON.parse(await firstLine(child)) as ReadyLine;
  return {
    url,
    ui,
    apiKey,
    async freshAddress() {
      const line = await firstLine(run(["main/postern.mjs", "open", "--data-dir", dataDir]));
      const address = /http:\S+/.exec(line)?.[0];
      if (address === undefined) throw new Error(`no address in: ${line}`);
      return address;
    },
    async pageToken() {
      const control = createControlClient(() => findInstance(dataDir));
      return (await control.call("issuePageToken")).token;
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface ChatResponse {
  readonly status: number;
  readonly body: unknown;
}

/** A real chat call, as a client makes it. */
export async function chat(url: string, key: string, model: string): Promise<ChatResponse> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "user-agent": "e2e-client/1.0" },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "Say something short." }] }),
  });
  return { status: response.status, body: await response.json() };
}
