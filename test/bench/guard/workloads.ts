import { Agent, createServer, request, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** What is asked of both versions. */
export interface Workload {
  readonly name: string;
  readonly path: string;
  readonly body: Buffer;
  /** In each round. */
  readonly calls: number;
  /** While allocations are counted: few enough that their buffers do not make the collector run. */
  readonly countedCalls: number;
}

export const KEY = "sk-test-of-the-benchmarks";
export const CONNECTIONS = 8;
const CHUNKS = 50;
const FOX = "The quick brown fox jumps over the lazy dog. ";

const chat = (more: object): object => ({
  model: "gpt-4o-mini",
  messages: [{ role: "user", content: FOX.repeat(16) }],
  ...more,
});

/** An agent's request late in its session: calls of tools and what they brought, 730 kB. */
function history(): object {
  const turns = Array.from({ length: 116 }, (_, turn) => [
    {
      role: "assistant",
      content: null,
      tool_calls: [
        {
          id: `call_${turn}`,
          type: "function",
          function: { name: "read_file", arguments: `{"path":"src/${turn}.ts"}` },
        },
      ],
    },
    { role: "tool", tool_call_id: `call_${turn}`, content: FOX.repeat(136) },
  ]);
  return chat({ messages: [{ role: "user", content: FOX }, ...turns.flat(), { role: "user", content: "Go on." }] });
}

const bytes = (value: object): Buffer => Buffer.from(JSON.stringify(value));

export const WORKLOADS: readonly Workload[] = [
  { name: "a call", path: "/v1/chat/completions", body: bytes(chat({})), calls: 800, countedCalls: 200 },
  { name: "a stream", path: "/v1/chat/completions", body: bytes(chat({ stream: true })), calls: 200, countedCalls: 40 },
  {
    name: "a translated stream",
    path: "/v1/messages",
    body: bytes(chat({ stream: true, max_tokens: 1_000 })),
    calls: 200,
    countedCalls: 40,
  },
  { name: "a request of 730 kB", path: "/v1/chat/completions", body: bytes(history()), calls: 60, countedCalls: 1 },
];

const RESPONSE = JSON.stringify({
  id: "chatcmpl-mock-0001",
  object: "chat.completion",
  created: 1_700_000_000,
  model: "gpt-4o-mini-2024-07-18",
  choices: [{ index: 0, message: { role: "assistant", content: FOX.repeat(10) }, finish_reason: "stop" }],
  usage: { prompt_tokens: 100, completion_tokens: 60, total_tokens: 160 },
});
const event = (choices: readonly object[], more: object = {}): string =>
  `data: ${JSON.stringify({ id: "chatcmpl-mock-0001", object: "chat.completion.chunk", created: 1_700_000_000, model: "gpt-4o-mini-2024-07-18", choices, ...more })}\n\n`;
const STREAM: readonly string[] = [
  ...Array.from({ length: CHUNKS }, (_, index) =>
    event([{ index: 0, delta: { content: `word ${index} ` }, finish_reason: null }]),
  ),
  event([{ index: 0, delta: {}, finish_reason: "stop" }]),
  event([], { usage: { prompt_tokens: 100, completion_tokens: CHUNKS, total_tokens: 100 + CHUNKS } }),
  "data: [DONE]\n\n",
];

/** Answers with a stream, each part in a write of its own. */
export function writeStream(response: ServerResponse, parts: readonly string[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const next = (index: number): void => {
    const part = parts[index];
    if (part === undefined) response.end();
    else response.write(part, () => setImmediate(next, index + 1));
  };
  next(0);
}

/** A provider on this machine that answers at once, each chunk of a stream in a write of its own. */
export async function startProvider(): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((requested, response) => {
    const body: Buffer[] = [];
    requested.on("data", (part: Buffer) => body.push(part));
    requested.on("end", () => {
      if (!Buffer.concat(body).includes('"stream":true')) {
        response.writeHead(200, { "content-type": "application/json" }).end(RESPONSE);
        return;
      }
      writeStream(response, STREAM);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Makes calls, eight at a time, each read to its end. @throws Error for another status than 200. */
export async function makeCalls(port: number, agent: Agent, { path, body }: Workload, calls: number): Promise<void> {
  let left = calls;
  const headers = {
    "content-type": "application/json",
    authorization: `Bearer ${KEY}`,
    "content-length": body.length,
  };
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const requested = request({ port, host: "127.0.0.1", method: "POST", path, agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${path} answers ${response.statusCode}`));
        response.resume().on("end", resolve);
      });
      requested.on("error", reject).end(body);
    });
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) await one();
    }),
  );
}

export const newAgent = (): Agent => new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
