import { mkdtempSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { askingOf, launchOf } from "./contenders.ts";
import type { ContenderName } from "./contenders.ts";
import type { Target } from "./load.ts";
import { SERVER_CPU, freePort } from "./machine.ts";
import { start } from "./processes.ts";
import type { Running } from "./processes.ts";
import type { Bench } from "./round.ts";

const TIMEOUT_MS = 20_000;
const RETRY_MS = 1;

/**
 * Milliseconds from the start of a contender to its first response 200 to a chat completion, `times` times, in a folder
 * that stays the same, as it does for a person who opens the program every day.
 */
export async function startupTimes(
  bench: Bench,
  name: Exclude<ContenderName, "direct">,
  times: number,
): Promise<number[]> {
  const folder = mkdtempSync(join(bench.folder, `${name}-startup-`));
  const upstreamPort = bench.mocks.wholePort;
  const measured: number[] = [];
  // The first start fills caches and makes the data folder; it is not counted.
  for (let time = 0; time <= times; time++) {
    const port = await freePort();
    const { command, env } = launchOf(name, { port, upstreamPort, streamed: false, folder, peers: bench.peers });
    const from = performance.now();
    await using running = start(command, {
      cpu: SERVER_CPU,
      output: join(folder, "output.log"),
      ...(env === undefined ? {} : { env }),
    });
    await untilAnswered({ port, asking: askingOf(name, upstreamPort) }, running, false);
    if (time > 0) measured.push(performance.now() - from);
    // Whatever a program does after its first response (writing its compile cache, say) belongs to a start too.
    await sleep(time === 0 ? 3_000 : 300);
  }
  return measured;
}

/** Asks, for a stream or a whole response, until that is a 200. @throws Error when the program ends, or nobody answers for 20 s. */
export async function untilAnswered(target: Target, running: Running, streamed: boolean): Promise<void> {
  const until = performance.now() + TIMEOUT_MS;
  let last = "no answer";
  while (performance.now() < until) {
    const ended = running.ended();
    if (ended !== null) throw new Error(ended);
    last = await ask(target, streamed);
    if (last.startsWith("HTTP/1.1 200")) return;
    await sleep(RETRY_MS);
  }
  throw new Error(`no 200 on port ${target.port} within ${TIMEOUT_MS / 1_000} s: ${last.slice(0, 300)}`);
}

/** One request on a socket of its own, without an HTTP client in between. @returns the head of the response, or "". */
function ask({ port, asking }: Target, stream: boolean): Promise<string> {
  const body = JSON.stringify({
    model: asking.model,
    stream,
    max_tokens: 3,
    messages: [{ role: "user", content: "hello" }],
  });
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
      resolve(bytes.toString("latin1"));
      socket.destroy();
    });
    socket.once("error", () => resolve(""));
    socket.once("close", () => resolve(""));
  });
}
