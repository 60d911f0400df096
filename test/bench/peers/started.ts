import { mkdtempSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkResponse, questionOf } from "./check-response.ts";
import { askingOf, contender, peerFolder, type ContenderName, type Dialect } from "./contenders.ts";
import type { Target } from "./load.ts";
import { SERVER_CPU, freePort } from "./machine.ts";
import { start, type Running } from "./processes.ts";
import type { Bench } from "./round.ts";

/** Until the first response of any kind; LiteLLM takes 20 s on one CPU that is not quiet. */
const TIMEOUT_MS = 60_000;
/** From the first response to a 200: what a program still says then, it does not say because it is starting. */
const RETRY_FOR_MS = 15_000;
const RETRY_MS = 1;

/** A contender that gives right responses; ends with its scope. */
export interface Started extends AsyncDisposable {
  readonly target: Target;
  /** Null for the mock itself. */
  readonly pid: number | null;
  /** From its start to its first 200. */
  readonly startMs: number;
}

/** What a contender is started for. */
export interface Purpose {
  readonly name: ContenderName;
  readonly dialect: Dialect;
  readonly streamed: boolean;
  /** Where it keeps what it likes; a new folder unless named. */
  readonly folder?: string;
}

/** Starts a contender and waits for it. @throws Error when it ends, or does not give the right response. */
export async function startContender(bench: Bench, purpose: Purpose): Promise<Started> {
  const { name, dialect, streamed } = purpose;
  const upstreamPort = streamed ? bench.mocks.streamPort : bench.mocks.wholePort;
  const asking = askingOf(name, dialect, upstreamPort);
  const { launch } = contender(name);
  if (launch === null) {
    const target = { port: upstreamPort, asking };
    await checkResponse(target, streamed);
    return { target, pid: null, startMs: 0, async [Symbol.asyncDispose]() {} };
  }
  const port = await freePort();
  const morePorts = [await freePort(), await freePort()] as const;
  const folder = purpose.folder ?? mkdtempSync(join(bench.folder, `${name}-`));
  const peer = peerFolder(name, bench.peers);
  const { command, env } = launch({ port, morePorts, upstreamPort, streamed, folder, peer });
  const target = { port, asking };
  const from = performance.now();
  const running: Running = start(command, {
    cpu: SERVER_CPU,
    output: join(folder, "output.log"),
    ...(env === undefined ? {} : { env }),
  });
  try {
    await untilReady(target, running, streamed);
    const startMs = performance.now() - from;
    await checkResponse(target, streamed);
    return { target, pid: running.pid, startMs, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
  } catch (error) {
    await running[Symbol.asyncDispose]();
    throw error;
  }
}

/** Asks, for a stream or a whole response, until that is a 200. @throws Error when the program ends, or none exists. */
async function untilReady(target: Target, running: Running, streamed: boolean): Promise<void> {
  let until = performance.now() + TIMEOUT_MS;
  let last = "";
  while (performance.now() < until) {
    const ended = running.ended();
    if (ended !== null) throw new Error(ended);
    const text = await ask(target, streamed);
    if (text.startsWith("HTTP/1.1 200")) return;
    if (last === "" && text !== "") until = Math.min(until, performance.now() + RETRY_FOR_MS);
    last = text === "" ? last : text;
    await sleep(RETRY_MS);
  }
  throw new Error(`no 200 from ${target.asking.path}: ${last === "" ? "no response" : last.replaceAll(/\s+/g, " ")}`);
}

/** One request on a socket of its own, without an HTTP client in between. @returns the head of the response, or "". */
function ask(target: Target, stream: boolean): Promise<string> {
  const { port, asking } = target;
  const body = questionOf(target, stream);
  const headers = {
    host: `127.0.0.1:${port}`,
    "content-type": "application/json",
    authorization: "Bearer sk-test-of-the-benchmarks",
    ...asking.headers,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const head = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(`POST ${asking.path} HTTP/1.1\r\n${head}\r\n${body}`));
    socket.once("data", (bytes) => {
      resolve(bytes.toString("latin1", 0, 400));
      socket.destroy();
    });
    socket.once("error", () => resolve(""));
    socket.once("close", () => resolve(""));
  });
}
