import { setTimeout as sleep } from "node:timers/promises";
import { checkResponse } from "./check-response.ts";
import type { ContenderName, Dialect } from "./contenders.ts";
import { loadStreams, loadWhole, type Target, type Tools, type WholeLoad } from "./load.ts";
import type { Mocks } from "./mocks.ts";
import { cpuMicroseconds, residentBytes } from "./processes.ts";
import { startContender } from "./started.ts";

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

/** One round's figures of one contender by name. A contender may lack some. */
export type Figures = Readonly<Record<string, number>>;

const MIB = 2 ** 20;
const OPEN_STREAMS = 1_000;
/** Collectors run and lazy parts load; then memory is looked at. */
const SETTLE_MS = 2_000;

/** Unstreamed: requests per second, latencies, CPU and memory of a contender that was started afresh. */
export async function wholeRound(bench: Bench, name: ContenderName, dialect: Dialect): Promise<Figures> {
  await using server = await startContender(bench, { name, dialect, streamed: false });
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
  await checkResponse(target, false);
  sameResponses([busy, eight, one]);
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

/** An error with the status 200 is not one to the client of the load; its length gives it away. */
function sameResponses(loads: readonly WholeLoad[]): void {
  const lengths = loads.map(({ bytes }) => bytes);
  if (Math.max(...lengths) / Math.min(...lengths) < 1.03) return;
  throw new Error(`responses of ${lengths.join(", ")} bytes at 64, 8 and 1 connections: not all can be right`);
}

/** Streamed: memory of open streams (chat), time to the first token, and a hundred streams at one chunk a millisecond. */
export async function streamRound(bench: Bench, name: ContenderName, dialect: Dialect): Promise<Figures> {
  await using server = await startContender(bench, { name, dialect, streamed: true });
  const { target, pid } = server;
  const { tools, pace } = bench;
  const memory = pid === null || dialect !== "chat" ? {} : await openStreams(tools, target, pid);
  const hundred = { connections: 100, chunks: 300, gapMs: 1 };
  // A hundred streams of 300 chunks take 0.4 to 0.6 s here.
  await loadStreams(tools, target, {
    ...hundred,
    streams: Math.round(pace.warmUp * 200),
    leaveAfter: Math.ceil(pace.warmUp * 2),
  });
  const first = await loadStreams(tools, target, { connections: 1, streams: 300, chunks: 3, gapMs: 1 });
  const before = pid === null ? 0 : cpuMicroseconds(pid);
  const busy = await loadStreams(tools, target, { ...hundred, streams: Math.round(pace.window * 200) });
  const used = pid === null ? {} : { cpuPerEvent: (cpuMicroseconds(pid) - before) / busy.events };
  await checkResponse(target, true);
  return {
    ...memory,
    ...used,
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
  await sleep(SETTLE_MS);
  // Fewer would be divided by too many.
  if (events !== OPEN_STREAMS) return { openStreams: events };
  return { kibPerStream: (after - before) / 1024 / OPEN_STREAMS };
}
