import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Asking } from "./contenders.ts";
import { adopt } from "./processes.ts";

const execute = promisify(execFile);

function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ stdout: string; stderr: string }> {
  const running = execute(program, args, { env: { ...process.env, ...env } });
  adopt(running.child);
  return running;
}

/** The load tools, which run on the CPU that this program is pinned to. */
export interface Tools {
  readonly folder: string;
  /** The compiled stream client. */
  readonly sseload: string;
}

/** Where load goes. */
export interface Target {
  readonly port: number;
  readonly asking: Asking;
}

/** What wrk saw; latencies in microseconds. */
export interface WholeLoad {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly requests: number;
  /** Bytes of a response at the mean, head and all. */
  readonly bytes: number;
  /** Socket errors and answers other than 2xx. */
  readonly errors: number;
}

/** What the stream client saw; latencies in microseconds, a chunk's from the moment it was made. */
export interface StreamLoad {
  readonly events: number;
  readonly perSecond: number;
  readonly ttftP50: number;
  readonly chunkP50: number;
  readonly chunkP99: number;
  /** Streams that broke, lost a chunk, had no 200, or had not ended when the client gave up after 60 s. */
  readonly bad: number;
}

/** Unstreamed requests of about 850 bytes over kept-open connections. */
export async function loadWhole(
  tools: Tools,
  target: Target,
  connections: number,
  seconds: number,
): Promise<WholeLoad> {
  const script = join(import.meta.dirname, "tools/wrk-chat.lua");
  const url = `http://127.0.0.1:${target.port}${target.asking.path}`;
  const { stdout } = await run("wrk", ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", script, url], {
    MODEL: target.asking.model,
    DIALECT: target.asking.dialect,
    HDRS: headerFile(tools, target),
  });
  const line = /^RESULT (.*)$/m.exec(stdout)?.[1];
  if (line === undefined) throw new Error(`wrk said nothing that can be read:\n${stdout}`);
  const message = Object.fromEntries(line.split(" ").map((pair) => pair.split("=")));
  const number = (name: string): number => Number(message[name] ?? Number.NaN);
  if (number("n") === 0) throw new Error(`no response within ${seconds} s at ${connections} connections`);
  return {
    perSecond: number("rps"),
    p50: number("p50"),
    p99: number("p99"),
    requests: number("n"),
    bytes: number("bytes"),
    errors: number("err") + number("non2xx"),
  };
}

/** How many streams, and of what. */
export interface StreamShape {
  readonly connections: number;
  /** Streams in all; each connection has one after the other. */
  readonly streams: number;
  readonly chunks: number;
  readonly gapMs: number;
  /** Leave after this many seconds, whatever is still open. */
  readonly leaveAfter?: number;
  /** Between two connections' beginnings, microseconds. */
  readonly stagger?: number;
}

/** Streamed requests. */
export async function loadStreams(tools: Tools, target: Target, shape: StreamShape): Promise<StreamLoad> {
  const { connections, streams, chunks, gapMs, leaveAfter = 0, stagger = 0 } = shape;
  const numbers = [connections, streams, chunks, gapMs].map(String);
  const { stdout, stderr } = await run(
    tools.sseload,
    [String(target.port), target.asking.path, ...numbers, headerFile(tools, target), String(leaveAfter)],
    { MODEL: target.asking.model, DIALECT: target.asking.dialect, STAGGER_US: String(stagger) },
  );
  if (stdout === "") throw new Error(`sseload said nothing: ${stderr}`);
  const message = JSON.parse(stdout) as Record<string, number>;
  const number = (name: string): number => message[name] ?? Number.NaN;
  return {
    events: number("events"),
    perSecond: number("events_s"),
    ttftP50: number("ttft_p50_us"),
    chunkP50: number("chunk_p50_us"),
    chunkP99: number("chunk_p99_us"),
    bad: number("bad") + (leaveAfter === 0 ? streams - number("streams") : 0),
  };
}

function headerFile(tools: Tools, { port, asking }: Target): string {
  const file = join(tools.folder, `headers-${port}`);
  writeFileSync(
    file,
    Object.entries(asking.headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join(""),
  );
  return file;
}
