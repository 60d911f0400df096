import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { adopt, residentBytes } from "./peers/processes.ts";
import { startCommand } from "./start-command.ts";

/** What hostile.ts runs against: a provider of its own, a gateway as `npm start` runs it, and a watch on its memory. */
export const MIB = 1024 * 1024;
export const KEY = "sk-hostile-0000000000000001";
const OTHER = "sk-other-000000000000000001";

export interface Run {
  readonly port: number;
  readonly pid: number;
  readonly provider: Provider;
}

/** What the provider does with calls, as the scenario wants it. */
export class Provider {
  act: (path: string, body: Buffer, outgoing: ServerResponse) => void = whole;
  readonly #server = createServer((incoming, outgoing) => void this.#serve(incoming, outgoing));

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => void (chunks.length < 16 && chunks.push(chunk)));
    outgoing.on("error", () => {});
    incoming.on("error", () => {});
    await once(incoming, "end").catch(() => undefined);
    if ((incoming.url ?? "").endsWith("/models")) {
      outgoing.writeHead(200, { "content-type": "application/json" }).end('{"object":"list","data":[]}');
    } else this.act(incoming.url ?? "", Buffer.concat(chunks), outgoing);
  }
}

export function whole(_path: string, _body: Buffer, outgoing: ServerResponse): void {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const choices = [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }];
  outgoing
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ id: "chatcmpl-1", object: "chat.completion", created: 1, model: "m", choices, usage }));
}

export function post(port: number, path: string, headers: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${lines.join("")}\r\n`;
}

/** A socket that sends these bytes; what comes back is told to `heard`. */
export function dial(
  port: number,
  bytes: readonly (string | Buffer)[],
  heard: (text: string) => void = () => {},
): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.on("data", (chunk) => heard(chunk.toString("latin1")));
  for (const piece of bytes) socket.write(piece);
  return socket;
}

const mib = (bytes: number): string => (bytes / MIB).toFixed(0);

/** Watches memory while something is done; then says what it was before, at most, and some time afterwards. */
export async function measured(
  run: Run,
  work: () => Promise<void>,
  undo: () => void,
  settle = [5, 20, 40],
): Promise<void> {
  const before = residentBytes(run.pid);
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, residentBytes(run.pid))), 50);
  await work();
  const during = residentBytes(run.pid);
  undo();
  const after: string[] = [];
  let waited = 0;
  for (const seconds of settle) {
    await sleep((seconds - waited) * 1_000);
    waited = seconds;
    after.push(`${mib(residentBytes(run.pid))} after ${seconds} s`);
  }
  clearInterval(watch);
  const latency = await chatLatency(run, 3);
  console.log(
    `  MiB: ${mib(before)} before, ${mib(most)} at most, ${mib(during)} at the end of it, ${after.join(", ")}; ` +
      `then a call takes ${latency}`,
  );
}

export async function chatLatency({ port }: Run, calls: number): Promise<string> {
  const body = JSON.stringify({ model: "gpt-4o-mini", messages: [{ role: "user", content: "Hello." }] });
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const from = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${OTHER}`, "content-type": "application/json" },
      signal: AbortSignal.timeout(20_000),
    }).catch(() => null);
    if (response?.status !== 200) return `FAILED (${response?.status ?? "no answer"})`;
    await response.text();
    times.push(performance.now() - from);
  }
  const sorted = times.toSorted((a, b) => a - b);
  return `${(sorted[sorted.length >> 1] ?? 0).toFixed(1)} ms (worst ${(sorted.at(-1) ?? 0).toFixed(1)})`;
}

export async function start(
  folder: string,
  providerPort: number,
  dataDir: string,
): Promise<ChildProcess & { port: number }> {
  const { PATH = "", HOME = "" } = process.env;
  const [node = "", ...options] = startCommand(folder);
  const child = spawn(node, [...options, "--headless", "--port", "0", "--data-dir", dataDir], {
    env: {
      PATH,
      HOME,
      POSTERN_KEYS: JSON.stringify([
        { key: KEY, name: "hostile" },
        { key: OTHER, name: "other" },
      ]),
      POSTERN_OPENAI_BASE_URL: `http://127.0.0.1:${providerPort}/v1`,
      POSTERN_OPENAI_API_KEY: "sk-upstream",
      POSTERN_SANDBOX: "off",
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  adopt(child);
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  child.stdout.resume();
  return Object.assign(child, { port: Number(/127\.0\.0\.1:(\d+)/.exec(line.toString())?.[1]) });
}
