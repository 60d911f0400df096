import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { askingOf, launchOf } from "./contenders.ts";
import type { ContenderName } from "./contenders.ts";
import { loadStreams, loadWhole } from "./load.ts";
import type { Target, Tools } from "./load.ts";
import { SERVER_CPU, freePort } from "./machine.ts";
import type { Mocks } from "./mocks.ts";
import { cpuMicroseconds, residentBytes, start } from "./processes.ts";
import type { Running } from "./processes.ts";
import { untilAnswered } from "./startup.ts";

/** Everything that a round needs. */
export interface Bench {
  readonly tools: Tools;
  readonly mocks: Mocks;
  readonly peers: string;
  readonly folder: string;
  readonly pace: Pace;
}

/** How long everything takes, in seconds. */
export interface Pace {
  readonly warmUp: number;
  readonly window: number;
}

/** One round's figures of one contender by name (figures.ts says what they are). A contender may lack some. */
export type Figures = Readonly<Record<string, number>>;

const MIB = 2 ** 20;
const OPEN_STREAMS = 1_000;
/** Collectors run and lazy parts load; then memory is looked at. */
const SETTLE_MS = 2_000;

/** Unstreamed: requests per second, latencies, CPU and memory of a contender that was started afresh. */
export async function wholeRound(bench: Bench, name: ContenderName): Promise<Figures> {
  await using server = await startContender(bench, name, false);
  const { target, pid } = server;
  const { tools, pace } = bench;
  if (pid !== null) await sleep(SETTLE_MS);
  const idle = pid === null ? {} : { idleMiB: residentBytes(pid) / MIB };
  await loadWhole(tools, target, 64, pace.warmUp);
  const before = pid === null ? 0 : cpuMicroseconds(pid);
  const busy = await loadWhole(tools, target, 64, pace.window);
  const used =
    pid === null
      ? {}
      : { cpuPerRequest: (cpuMicroseconds(pid) - before) / busy.requests, loadedMiB: residentBytes(pid) / MIB };
  const eight = await loadWhole(tools, target, 8, pace.window);
  const one = await loadWhole(tools, target, 1, pace.window);
  return {
    ...idle,
    ...used,
    perSecond64: busy.perSecond,
    p99At64: busy.p99,
    p50At8: eight.p50,
    p99At8: eight.p99,
    p50At1: one.p50,
    errors: busy.errors + eight.errors + one.errors,
  };
}

/** Streamed: memory of open streams, time to the first token, and a hundred streams at one chunk a millisecond. */
export async function streamRound(bench: Bench, name: ContenderName): Promise<Figures> {
  await using server = await startContender(bench, name, true);
  const { target, pid } = server;
  const { tools, pace } = bench;
  const memory = pid === null ? {} : await openStreams(tools, target, pid);
  const hundred = { connections: 100, chunks: 300, gapMs: 1 };
  // A hundred streams of 300 chunks take 0.4 to 0.6 s here.
  await loadStreams(tools, target, { ...hundred, streams: Math.round(pace.warmUp * 200) });
  const first = await loadStreams(tools, target, { connections: 1, streams: 300, chunks: 3, gapMs: 1 });
  const before = pid === null ? 0 : cpuMicroseconds(pid);
  const busy = await loadStreams(tools, target, { ...hundred, streams: Math.round(pace.window * 200) });
  return {
    ...memory,
    ...(pid === null ? {} : { cpuPerEvent: (cpuMicroseconds(pid) - before) / busy.events }),
    ttftP50: first.ttftP50,
    eventsPerSecond: busy.perSecond,
    chunkP50: busy.chunkP50,
    chunkP99: busy.chunkP99,
    badStreams: first.bad + busy.bad,
  };
}

async function openStreams(tools: Tools, target: Target, pid: number): Promise<Figures> {
  await loadStreams(tools, target, { connections: 10, streams: 50, chunks: 3, gapMs: 1 });
  await sleep(SETTLE_MS);
  const before = residentBytes(pid);
  const open = loadStreams(tools, target, {
    connections: OPEN_STREAMS,
    streams: OPEN_STREAMS,
    chunks: 100,
    // One chunk each while we look, so that their number tells how many streams are open.
    gapMs: 60_000,
    stagger: 2_000,
    leaveAfter: 7,
  });
  await sleep(6_000);
  const after = residentBytes(pid);
  const { events } = await open;
  if (events !== OPEN_STREAMS) throw new Error(`${events} of ${OPEN_STREAMS} streams were open`);
  await sleep(SETTLE_MS);
  return { kibPerStream: (after - before) / 1024 / OPEN_STREAMS };
}

interface Started extends AsyncDisposable {
  readonly target: Target;
  /** Null for the mock itself. */
  readonly pid: number | null;
}

async function startContender(bench: Bench, name: ContenderName, streamed: boolean): Promise<Started> {
  const upstreamPort = streamed ? bench.mocks.streamPort : bench.mocks.wholePort;
  const asking = askingOf(name, upstreamPort);
  if (name === "direct") return { target: { port: upstreamPort, asking }, pid: null, async [Symbol.asyncDispose]() {} };
  const port = await freePort();
  const folder = mkdtempSync(join(bench.folder, `${name}-`));
  const { command, env } = launchOf(name, { port, upstreamPort, streamed, folder, peers: bench.peers });
  const running: Running = start(command, {
    cpu: SERVER_CPU,
    output: join(folder, "output.log"),
    ...(env === undefined ? {} : { env }),
  });
  try {
    await untilAnswered({ port, asking }, running, streamed);
  } catch (error) {
    await running[Symbol.asyncDispose]();
    throw error;
  }
  return { target: { port, asking }, pid: running.pid, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}
