import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { useGateway, useWire } from "../../../support/use-gateway.ts";
import { wireEnvironment } from "../../../support/wire-environment.ts";
import { reply, replyBytes, type WireAct } from "../../../support/wire-provider.ts";

/** Masked secrets at every endpoint, in streams that break off, and after refusals. */

const SECRET = "sk-proj-Ab12Cd34Ef56Gh78Ij90";
const PROMPT = `curl -H "Authorization: Bearer ${SECRET}" https://acme.internal/`;
const WORDS = "acme.internal";

const wire = useWire();
const list = (): void => {
  wire.on("GET /v1/models", reply(200, { data: [] }));
  wire.on("GET /router/v1/models", reply(200, { data: [{ id: "local-chat" }, { id: "other" }] }));
};
const postern = useGateway(() => {
  list();
  return { env: wireEnvironment(wire) };
});
let key = "";
beforeAll(async () => {
  const body = { name: "masked", mask_secrets: true, mask_words: WORDS };
  key = (await postern.ask<{ secret: string }>("POST", "/keys", body)).secret;
});
afterEach(() => {
  for (const { body } of wire.seen) expect(body.toString("latin1")).not.toMatch(/Ab12Cd34|acme/);
  wire.reset();
  list();
});

/** The prompt as the provider got it. */
function readMasked(body: Buffer): string {
  const [first, second] = body.toString("utf8").match(/MASKED_[0-9A-HJKMNP-TV-Z]{12}/g) ?? [];
  return `curl -H "Authorization: Bearer ${first}" https://${second}/`;
}
const CHAT = { model: "local-chat", messages: [{ role: "user", content: PROMPT }] };
const chunk = (content: string, index = 0, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index, delta: { content }, finish_reason }] })}\n\n`;
const stream =
  (write: (masked: string) => readonly string[], end = "data: [DONE]\n\n"): WireAct =>
  (seen, outgoing) => {
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    for (const frame of write(readMasked(seen.body))) outgoing.write(frame);
    outgoing.end(end);
  };
const readContent = (text: string, index = 0): string =>
  text
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .flatMap(
      (line) =>
        (JSON.parse(line.slice(6)) as { choices?: { index: number; delta: { content?: string } }[] }).choices ?? [],
    )
    .map((choice) => (choice.index === index ? (choice.delta.content ?? "") : ""))
    .join("");

describe("an endpoint masks", () => {
  it.each([
    [
      "/audio/speech",
      "POST /v1/audio/speech",
      { model: "gpt-4o-mini-tts", voice: "alloy", input: PROMPT },
      replyBytes("audio/mpeg", "ID3"),
    ],
    [
      "/images/generations",
      "POST /v1/images/generations",
      { model: "gpt-image-2", prompt: PROMPT },
      reply(200, { created: 1, data: [{ b64_json: "AAAA" }] }),
    ],
    [
      "/moderations",
      "POST /v1/moderations",
      { model: "omni-moderation-latest", input: PROMPT },
      reply(200, { id: "m", model: "m", results: [{ flagged: false, categories: {}, category_scores: {} }] }),
    ],
    [
      "/completions",
      "POST /router/v1/completions",
      { model: "local-chat", prompt: PROMPT },
      reply(200, { choices: [{ index: 0, text: "x", finish_reason: "stop" }] }),
    ],
  ] as const)("%s", async (path, route, body, act) => {
    wire.on(route, act);
    const response = await postern.post(path, body, key);
    expect(response.status, await response.text()).toBe(200);
    expect(wire.seen.at(-1)?.body.toString()).toContain("MASKED_");
  });

  it("transcriptions: the prompt, and the name of the file", async () => {
    const form = new FormData();
    form.set("model", "gpt-4o-mini-transcribe");
    form.set("prompt", PROMPT);
    const wav = Buffer.alloc(44 + 3200);
    wav.write("RIFF", 0);
    wav.writeUInt32LE(wav.length - 8, 4);
    wav.write("WAVEfmt ", 8);
    wav.writeUInt32LE(16, 16);
    wav.writeUInt16LE(1, 20);
    wav.writeUInt16LE(1, 22);
    wav.writeUInt32LE(16_000, 24);
    wav.writeUInt32LE(32_000, 28);
    wav.writeUInt16LE(2, 32);
    wav.writeUInt16LE(16, 34);
    wav.write("data", 36);
    wav.writeUInt32LE(3200, 40);
    form.set("file", new Blob([wav], { type: "audio/wav" }), `${SECRET} acme.internal.wav`);
    wire.on("POST /v1/audio/transcriptions", reply(200, { text: "x" }));
    const response = await postern.post("/audio/transcriptions", form, key);
    expect(response.status, await response.text()).toBe(200);
    const sent = wire.seen.at(-1);
    expect(sent?.body.toString("latin1")).toMatch(/filename="MASKED_\w{12} MASKED_\w{12}\.wav"/);
    expect(Number(sent?.headers["content-length"])).toBe(sent?.body.length);
  });
});

describe("a stream of chat", () => {
  it("has what it held back before an error in its middle, and before its early end", async () => {
    const first = (masked: string): string[] => [chunk(masked), chunk(" and M")];
    for (const end of ['data: {"error":{"message":"overloaded","code":500}}\n\n', ""]) {
      wire.on("POST /router/v1/chat/completions", stream(first, end));
      const text = await (await postern.post("/chat/completions", { ...CHAT, stream: true }, key)).text();
      expect(readContent(text)).toBe(`${PROMPT} and M`);
      expect(text).toMatch(/"error"/);
    }
  });

  it("with two choices, each of whose last piece has its end, and with usage after them, is whole", async () => {
    const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 } })}\n\n`;
    wire.on(
      "POST /router/v1/chat/completions",
      stream((masked) => [
        ...Array.from(masked)
          .slice(0, -1)
          .flatMap((one) => [chunk(one), chunk(one, 1)]),
        chunk("/", 0, "stop"),
        chunk("/ M", 1, "stop"),
        usage,
      ]),
    );
    const body = { ...CHAT, n: 2, stream: true, stream_options: { include_usage: true } };
    const text = await (await postern.post("/chat/completions", body, key)).text();
    expect([readContent(text), readContent(text, 1)]).toEqual([PROMPT, `${PROMPT} M`]);
    expect(text.indexOf('"usage":{')).toBeGreaterThan(text.lastIndexOf('"finish_reason":"stop"'));
    expect(text.trimEnd().endsWith("[DONE]")).toBe(true);
    expect((await postern.receipt()).masked).toBe(2);
  });

  it.each(["/api/chat", "/api/generate"])("has them in Ollama's lines of %s", async (path) => {
    wire.on(
      "POST /router/v1/chat/completions",
      stream((masked) => [...Array.from(masked).map((one) => chunk(one)), chunk("", 0, "stop")]),
    );
    const response = await fetch(`${postern.url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ ...CHAT, prompt: PROMPT }),
    });
    const lines = (await response.text()).trim().split("\n");
    const said = lines.map((line) => JSON.parse(line) as { message?: { content?: string }; response?: string });
    expect(said.map(({ message, response: text }) => message?.content ?? text ?? "").join("")).toBe(PROMPT);
  });

  it.each(["sse", "json"])("of Google's has them as %s", async (alt) => {
    const event = (text: string, finishReason?: string): string =>
      `data: ${JSON.stringify({ candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason }] })}\n\n`;
    wire.on(
      "POST /v1beta/models/gemini-3.5-flash:streamGenerateContent",
      stream((masked) => [...Array.from(masked).map((one) => event(one)), event("M", "STOP")], ""),
    );
    const response = await fetch(`${postern.url}/v1beta/models/gemini-3.5-flash:streamGenerateContent?alt=${alt}`, {
      method: "POST",
      headers: { "x-goog-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({ contents: [{ role: "user", parts: [{ text: PROMPT }] }] }),
    });
    const text = await response.text();
    const texts = [...text.matchAll(/"text":\s*("(?:[^"\\]|\\.)*")/g)].map(
      ([, one]) => JSON.parse(one ?? '""') as string,
    );
    expect(texts.join(""), text).toBe(`${PROMPT}M`);
  });
});

it("masks again after a refusal, and for another key", async () => {
  wire.on(
    "POST /v1/messages",
    reply(529, { type: "error", error: { type: "overloaded_error", message: "busy" } }),
    (seen, outgoing) =>
      reply(200, {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "claude-sonnet-5",
        content: [
          {
            type: "tool_use",
            id: "toolu_1",
            name: "run",
            input: { command: readMasked(seen.body), data: [readMasked(seen.body)] },
          },
        ],
        stop_reason: "tool_use",
        usage: { input_tokens: 1, output_tokens: 1 },
      })(seen, outgoing),
  );
  const body = { model: "claude-sonnet-5", max_tokens: 100, messages: CHAT.messages };
  const response = await postern.post("/messages", body, key);
  const { content } = (await response.json()) as { content: [{ input: unknown }] };
  expect(content[0].input).toEqual({ command: PROMPT, data: [PROMPT] });
  expect(wire.seen).toHaveLength(2);
  expect(wire.seen[0]?.body.equals(wire.seen[1]?.body ?? Buffer.alloc(0))).toBe(true);
});

it("restores no mask of another key", async () => {
  let masked = "";
  wire.on("POST /router/v1/chat/completions", (seen, outgoing) => {
    masked ||= readMasked(seen.body);
    return reply(200, { choices: [{ index: 0, message: { content: masked }, finish_reason: "stop" }] })(seen, outgoing);
  });
  await postern.post("/chat/completions", CHAT, key);
  const { secret } = await postern.ask<{ secret: string }>("POST", "/keys", { name: "other", mask_secrets: true });
  const response = await postern.post(
    "/chat/completions",
    { ...CHAT, messages: [{ role: "user", content: masked }] },
    secret,
  );
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: masked } }] });
});

it("sends the reasoning, the signature and the arguments of the first turn back as they came", async () => {
  const signature = `EqQB${"CkgIARABGAIiQL".repeat(30)}==`;
  const made = `${PROMPT} and sk-example-0123456789`;
  let content: unknown;
  wire.on("POST /v1/messages", (seen, outgoing) => {
    const masked = readMasked(seen.body);
    content = [
      { type: "thinking", thinking: `${masked} and sk-example-0123456789`, signature },
      { type: "tool_use", id: "toolu_1", name: "run", input: { command: masked } },
    ];
    const answer = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-5", content };
    const usage = { input_tokens: 1, output_tokens: 1 };
    return reply(200, { ...answer, stop_reason: "tool_use", usage })(seen, outgoing);
  });
  const ask = async (messages: readonly unknown[]): Promise<unknown[]> => {
    const response = await postern.post("/messages", { model: "claude-sonnet-5", max_tokens: 9, messages }, key);
    return ((await response.json()) as { content: unknown[] }).content;
  };
  const shown = await ask(CHAT.messages);
  expect(shown).toEqual([
    { type: "thinking", thinking: made, signature },
    { type: "tool_use", id: "toolu_1", name: "run", input: { command: PROMPT } },
  ]);
  const sent = content;
  const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: PROMPT }] };
  await ask([...CHAT.messages, { role: "assistant", content: shown }, result]);
  expect(wire.seen.at(-1)?.json).toMatchObject({ messages: [{}, { content: sent }, {}] });
});

it("sends the arguments of a chat back as they came, whatever a word has in it", async () => {
  const word = 'Say "hi" \\ München';
  const made = { name: "odd", mask_secrets: true, mask_words: word };
  const { secret } = await postern.ask<{ secret: string }>("POST", "/keys", made);
  let args = "";
  wire.on("POST /router/v1/chat/completions", (seen, outgoing) => {
    const [mask = ""] = seen.body.toString("utf8").match(/MASKED_\w{12}/) ?? [];
    args ||= JSON.stringify({ text: `${mask}\n`, [mask]: 1 });
    const call = { id: "c", type: "function", function: { name: "run", arguments: args } };
    const message = { role: "assistant", content: null, tool_calls: [call] };
    return reply(200, { choices: [{ index: 0, message, finish_reason: "tool_calls" }] })(seen, outgoing);
  });
  const asked = { role: "user", content: word };
  const first = await postern.post("/chat/completions", { model: "local-chat", messages: [asked] }, secret);
  const { choices } = (await first.json()) as {
    choices: [{ message: { tool_calls: [{ function: { arguments: string } }] } }];
  };
  const [{ message }] = choices;
  expect(JSON.parse(message.tool_calls[0].function.arguments)).toEqual({ text: `${word}\n`, [word]: 1 });
  const result = { role: "tool", tool_call_id: "c", content: JSON.stringify([JSON.stringify(word)]) };
  await postern.post("/chat/completions", { model: "local-chat", messages: [asked, message, result] }, secret);
  const sent = wire.seen.at(-1)?.json as { messages: Record<string, unknown>[] };
  expect(sent.messages[1]).toMatchObject({ tool_calls: [{ function: { arguments: args } }] });
  expect(JSON.stringify(sent)).not.toMatch(/Say|nchen/);
});
