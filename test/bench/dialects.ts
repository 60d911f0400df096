import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startGateway } from "../support/running-gateway.ts";
import { KEY } from "../support/running-gateway.ts";
import { messagesToChat } from "../../gateway/codecs/messages-to-chat/translate.ts";
import { chatToMessages } from "../../gateway/codecs/chat-to-messages/translate.ts";
import { responsesToChat } from "../../gateway/codecs/responses-to-chat/translate.ts";
import type { Translate } from "../../gateway/codecs/translation.ts";

/**
 * What translation costs. Two figures in one run: CPU time of one translated request of typical size, and chunks per
 * second of 200-chunk streams through translation as a part of pass-through's. `node test/bench/dialects.ts`.
 */
const CHUNKS = 200;
const STREAMS = 150;
const AT_ONCE = 8;
const ROUNDS = 5;

const frame = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
const chunk = (delta: object, finish: string | null = null): string =>
  frame({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "m",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  });
const stream = [
  chunk({ role: "assistant", content: "" }),
  ...Array.from({ length: CHUNKS }, (_, index) => chunk({ content: ` word${index}` })),
  chunk({}, "stop"),
  frame({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [],
    usage: { prompt_tokens: 5, completion_tokens: 200, total_tokens: 205 },
  }),
  "data: [DONE]\n\n",
];

const provider = createServer((incoming, outgoing) => {
  incoming.resume().once("end", () => {
    if (incoming.url?.endsWith("/models") === true) {
      outgoing.writeHead(200, { "content-type": "application/json" }).end('{"data":[{"id":"mock-chat"}]}');
      return;
    }
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    for (const part of stream) outgoing.write(part);
    outgoing.end();
  });
});
await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
const gateway = await startGateway({
  env: { POSTERN_COMPATIBLE_BASE_URL: `${origin}/v1`, POSTERN_COMPATIBLE_API_KEY: "sk-v" },
});

const bodies: Readonly<Record<string, object>> = {
  "/chat/completions": { model: "mock-chat", stream: true, messages: [{ role: "user", content: "Hi" }] },
  "/messages": { model: "mock-chat", stream: true, max_tokens: 100, messages: [{ role: "user", content: "Hi" }] },
  "/responses": { model: "mock-chat", stream: true, input: "Hi" },
};

/** Chunks per second of the process (the provider and the client are in it as well, on both sides of the ratio). */
async function round(path: string): Promise<number> {
  const from = performance.now();
  let left = STREAMS;
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      const response = await gateway.post(path, bodies[path], KEY);
      if (!response.ok) throw new Error(await response.text());
      for await (const _ of response.body ?? []);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return (STREAMS * CHUNKS * 1_000) / (performance.now() - from);
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const rates = new Map<string, number[]>(Object.keys(bodies).map((path) => [path, []]));
for (const path of rates.keys()) await round(path);
for (let index = 0; index < ROUNDS; index++) for (const [path, seen] of rates) seen.push(await round(path));
const plain = median(rates.get("/chat/completions") ?? []);
for (const [path, seen] of rates) {
  console.log(
    `${path.padEnd(18)} ${Math.round(median(seen))} chunks/s, ${(median(seen) / plain).toFixed(2)} of pass-through`,
  );
}
await gateway.close();
provider.close();
provider.closeAllConnections();

/** A conversation of an agent: a system prompt of 8 kB, 12 tools, 20 turns with calls and results. */
const text = "The quick brown fox jumps over the lazy dog. ".repeat(12);
const parameters = {
  type: "object",
  properties: { path: { type: "string", description: text.slice(0, 90) } },
  required: ["path"],
};
const names = Array.from({ length: 12 }, (_, index) => `tool_${index}`);
const turns = Array.from({ length: 10 }, (_, index) => index);
const requests: readonly (readonly [string, Translate, Record<string, unknown>])[] = [
  [
    "messages to chat",
    messagesToChat,
    {
      model: "m",
      max_tokens: 1_000,
      system: [{ type: "text", text: text.repeat(15) }],
      tools: names.map((name) => ({ name, description: text, input_schema: parameters })),
      messages: turns.flatMap((turn) => [
        {
          role: "user",
          content: turn === 0 ? text : [{ type: "tool_result", tool_use_id: `toolu_${turn - 1}`, content: text }],
        },
        {
          role: "assistant",
          content: [
            { type: "text", text },
            { type: "tool_use", id: `toolu_${turn}`, name: "tool_1", input: { path: text } },
          ],
        },
      ]),
    },
  ],
  [
    "chat to messages",
    chatToMessages,
    {
      model: "m",
      tools: names.map((name) => ({ type: "function", function: { name, description: text, parameters } })),
      messages: [
        { role: "system", content: text.repeat(15) },
        { role: "user", content: text },
        ...turns.flatMap((turn) => [
          {
            role: "assistant",
            content: text,
            tool_calls: [
              {
                id: `call_${turn}`,
                type: "function",
                function: { name: "tool_1", arguments: JSON.stringify({ path: text }) },
              },
            ],
          },
          { role: "tool", tool_call_id: `call_${turn}`, content: text },
        ]),
      ],
    },
  ],
  [
    "responses to chat",
    responsesToChat,
    {
      model: "m",
      instructions: text.repeat(15),
      tools: names.map((name) => ({ type: "function", name, description: text, parameters })),
      input: turns.flatMap((turn) => [
        { type: "message", role: "user", content: [{ type: "input_text", text }] },
        { type: "function_call", call_id: `call_${turn}`, name: "tool_1", arguments: JSON.stringify({ path: text }) },
        { type: "function_call_output", call_id: `call_${turn}`, output: text },
      ]),
    },
  ],
];
const context = { publicModel: "m", model: null, now: 1, newId: () => "0123456789abcdefghijABCD" };
for (const [name, translate, body] of requests) {
  const times: number[] = [];
  for (let index = 0; index < 3_000; index++) {
    const from = process.cpuUsage();
    for (let inner = 0; inner < 10; inner++) translate(body, context);
    const { user, system } = process.cpuUsage(from);
    if (index >= 500) times.push((user + system) / 10);
  }
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  console.log(`${name.padEnd(18)} ${mean.toFixed(1)} µs of CPU a request (${JSON.stringify(body).length} bytes)`);
}
