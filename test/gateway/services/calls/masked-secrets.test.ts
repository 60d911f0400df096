import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { useGateway, useWire } from "../../../support/use-gateway.ts";
import { wireEnvironment } from "../../../support/wire-environment.ts";
import { reply, type WireAct } from "../../../support/wire-provider.ts";

/** Secrets of a key that masks them reach no provider, and come back in every form of a response. */

type Item = Record<string, unknown>;

const SECRET = "sk-proj-Ab12Cd34Ef56Gh78Ij90";
const WORD = 'Acme "Zürich"\\n';
const PROMPT = `Deploy with ${SECRET} for ${WORD}, please.`;
const MASKS = /MASKED_[0-9A-HJKMNP-TV-Z]{12}/g;

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const wire = useWire();
const list = (): void => {
  wire.on("GET /v1/models", reply(200, { data: [{ id: "gpt-5.4-mini" }] }));
  wire.on("GET /router/v1/models", reply(200, { data: [{ id: "local-chat" }, { id: "local-embed" }] }));
};
const postern = useGateway(() => {
  list();
  return { env: wireEnvironment(wire) };
});
afterEach(() => {
  wire.reset();
  list();
});

let key = "";
beforeAll(async () => {
  const made = await postern.ask<{ secret: string }>("POST", "/keys", {
    name: "masked",
    mask_secrets: true,
    mask_words: WORD,
  });
  key = made.secret;
});

async function post(path: string, body: unknown): Promise<string> {
  const response = await postern.post(path, body, key);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text;
}

/** The masks in what a provider got, which has no secret. */
function takeMasks(body: Buffer): readonly string[] {
  const text = body.toString("utf8");
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain("Acme");
  const masks = [...new Set(text.match(MASKS))];
  expect(masks).toHaveLength(2);
  return masks;
}

/** Answers with a stream that repeats the masks in pieces of some characters. */
function streamMasks(
  size: number,
  frames: (piece: string, index: number) => readonly Item[],
  ends: readonly Item[],
): WireAct {
  return (seen, outgoing) => {
    const [first = "", second = ""] = takeMasks(seen.body);
    const text = `${first}${second} ${second}M MASKED_ ${first}MASKED`;
    const pieces = text.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of [...pieces.flatMap(frames), ...ends])
      outgoing.write(`${"type" in event ? `event: ${String(event["type"])}\n` : ""}data: ${JSON.stringify(event)}\n\n`);
    outgoing.end();
  };
}

const found = (first: string, second: string): string => `${first}${second} ${second}M MASKED_ ${first}MASKED`;
const joinEvents = (text: string, pick: (event: Item) => string | undefined): string =>
  text
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => pick(JSON.parse(line.slice(6)) as Item) ?? "")
    .join("");

const textChunk = (content: string): Item => ({ choices: [{ index: 0, delta: { content } }] });
const argumentChunk = (piece: string, index: number): Item => ({
  choices: [
    {
      index: 0,
      delta: {
        tool_calls: [
          {
            index: 0,
            ...(index === 0 && { id: "call_1", type: "function" }),
            function: { ...(index === 0 && { name: "run" }), arguments: piece },
          },
        ],
      },
    },
  ],
});
const finish = (reason: string): Item[] => [{ choices: [{ index: 0, delta: {}, finish_reason: reason }] }];
const pickChat = ({ choices }: Item): string | undefined =>
  (choices as { delta?: { content?: string } }[])[0]?.delta?.content;
const pickArguments = ({ choices }: Item): string | undefined => {
  const [choice] = choices as { delta?: { tool_calls?: { function?: { arguments?: string } }[] } }[];
  return choice?.delta?.tool_calls?.[0]?.function?.arguments;
};
const CHAT = { model: "local-chat", messages: [{ role: "user", content: PROMPT }] };

describe.each([1, 2, 3, 7, 18, 19, 20, 200])("a stream in pieces of %i characters", (size) => {
  it("of chat has the secrets", async () => {
    wire.on(
      "POST /router/v1/chat/completions",
      streamMasks(size, (piece) => [textChunk(piece)], finish("stop")),
    );
    const text = await post("/chat/completions", { ...CHAT, stream: true });
    expect(joinEvents(text, pickChat)).toBe(found(SECRET, WORD));
    expect(text).toContain("[DONE]");
  });

  it("of arguments of a tool has them escaped", async () => {
    wire.on(
      "POST /router/v1/chat/completions",
      streamMasks(size, (piece, index) => [argumentChunk(piece, index)], finish("tool_calls")),
    );
    const text = await post("/chat/completions", { ...CHAT, stream: true });
    expect(joinEvents(text, pickArguments)).toBe(found(SECRET, JSON.stringify(WORD).slice(1, -1)));
  });

  it("of Messages has them, translated or not, with a ping in the middle", async () => {
    wire.on(
      "POST /v1/messages",
      streamMasks(
        size,
        (piece, index) => [
          ...(index === 0
            ? [
                {
                  type: "message_start",
                  message: {
                    id: "msg_1",
                    type: "message",
                    role: "assistant",
                    model: "claude-sonnet-5",
                    content: [],
                    usage: { input_tokens: 1, output_tokens: 1 },
                  },
                },
                { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
              ]
            : [{ type: "ping" }]),
          { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: piece } },
        ],
        [
          { type: "content_block_stop", index: 0 },
          { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5 } },
          { type: "message_stop" },
        ],
      ),
    );
    const body = { model: "claude-sonnet-5", max_tokens: 100, stream: true, messages: CHAT.messages };
    const own = await post("/messages", body);
    expect(joinEvents(own, ({ delta }) => (delta as { text?: string } | undefined)?.text)).toBe(found(SECRET, WORD));
    expect(joinEvents(await post("/chat/completions", body), pickChat)).toBe(found(SECRET, WORD));
  });

  it("of Responses has them in the pieces and in the whole", async () => {
    let whole = "";
    wire.on("POST /v1/responses", (seen, outgoing) => {
      const [first = "", second = ""] = takeMasks(seen.body);
      whole = found(first, second);
      return streamMasks(
        size,
        (delta, index) => [
          ...(index === 0
            ? [{ type: "response.created", response: { id: "resp_1", status: "in_progress", output: [] } }]
            : []),
          { type: "response.output_text.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta },
        ],
        [
          { type: "response.output_text.done", item_id: "msg_1", output_index: 0, content_index: 0, text: whole },
          {
            type: "response.completed",
            response: {
              id: "resp_1",
              object: "response",
              status: "completed",
              output: [
                { type: "message", role: "assistant", content: [{ type: "output_text", text: whole }] },
                { type: "function_call", name: "run", call_id: "c", arguments: JSON.stringify({ first, second }) },
              ],
              usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
            },
          },
        ],
      )(seen, outgoing);
    });
    const text = await post("/responses", { model: "gpt-5.4-mini", stream: true, input: PROMPT });
    expect(joinEvents(text, ({ delta }) => delta as string | undefined)).toBe(found(SECRET, WORD));
    expect(text).not.toContain(whole);
    const last = joinEvents(text, ({ type, response }) =>
      type === "response.completed" ? JSON.stringify(response) : "",
    );
    const { output } = JSON.parse(last) as { output: [{ content: { text: string }[] }, { arguments: string }] };
    expect(output[0].content[0]?.text).toBe(found(SECRET, WORD));
    expect(JSON.parse(output[1].arguments)).toEqual({ first: SECRET, second: WORD });
  });
});

it("leaves other keys' requests as they are", async () => {
  wire.on("POST /router/v1/chat/completions", (seen, outgoing) => {
    expect(seen.json).toMatchObject({ messages: CHAT.messages });
    return reply(200, { choices: [{ message: { content: "fine" }, finish_reason: "stop" }] })(seen, outgoing);
  });
  const response = await postern.chat(CHAT);
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: "fine" } }] });
  expect((await postern.receipt()).masked).toBeUndefined();
});

it("counts the masked secrets in the receipt, and restores a whole response with the arguments of tools", async () => {
  wire.on("POST /router/v1/chat/completions", (seen, outgoing) => {
    const [first = "", second = ""] = takeMasks(seen.body);
    const call = { id: "c", type: "function", function: { name: "run", arguments: JSON.stringify({ first, second }) } };
    const message = { role: "assistant", content: `${first} ${second}`, tool_calls: [call] };
    return reply(200, { choices: [{ index: 0, message, finish_reason: "tool_calls" }] })(seen, outgoing);
  });
  const { choices } = JSON.parse(await post("/chat/completions", CHAT)) as { choices: { message: Item }[] };
  const { content, tool_calls: calls } = choices[0]?.message ?? {};
  expect(content).toBe(`${SECRET} ${WORD}`);
  const [
    {
      function: { arguments: text },
    },
  ] = calls as [{ function: { arguments: string } }];
  expect(JSON.parse(text)).toEqual({ first: SECRET, second: WORD });
  expect((await postern.receipt()).masked).toBe(2);
});

it("sends the same bytes for the same prompt, so that caches stay warm", async () => {
  wire.on(
    "POST /router/v1/chat/completions",
    reply(200, { choices: [{ message: { content: "fine" }, finish_reason: "stop" }] }),
  );
  await post("/chat/completions", CHAT);
  await post("/chat/completions", CHAT);
  const [first, second] = wire.seen;
  expect(first?.body.equals(second?.body ?? Buffer.alloc(0))).toBe(true);
});

it("masks the fields of a form, and not its files", async () => {
  const form = new FormData();
  form.set("model", "gpt-image-2");
  form.set("prompt", PROMPT);
  form.set("image", new Blob([PIXEL], { type: "image/png" }), `${SECRET}.png`);
  wire.on("POST /v1/images/edits", (seen, outgoing) => {
    takeMasks(Buffer.from(seen.body.toString("latin1").replaceAll(/filename="[^"]*"/g, "")));
    expect(Number(seen.headers["content-length"])).toBe(seen.body.length);
    expect(seen.body.includes(PIXEL)).toBe(true);
    return reply(200, { created: 1, data: [{ b64_json: PIXEL.toString("base64") }] })(seen, outgoing);
  });
  const response = await postern.post("/images/edits", form, key);
  expect(response.status, await response.text()).toBe(200);
});

it("masks in Google's form, in counts of tokens and in embeddings", async () => {
  const told: Buffer[] = [];
  const act =
    (body: unknown): WireAct =>
    (seen, outgoing) => {
      told.push(seen.body);
      return reply(200, body)(seen, outgoing);
    };
  wire.on(
    "POST /v1beta/models/gemini-3.5-flash:generateContent",
    act({ candidates: [{ content: { parts: [{ text: "x" }] }, finishReason: "STOP" }] }),
  );
  wire.on("POST /v1/messages/count_tokens", act({ input_tokens: 3 }));
  wire.on("POST /router/v1/embeddings", act({ data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 1 } }));
  const response = await fetch(`${postern.url}/v1beta/models/gemini-3.5-flash:generateContent`, {
    method: "POST",
    headers: { "x-goog-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ contents: [{ parts: [{ text: PROMPT }] }] }),
  });
  expect(response.status, await response.text()).toBe(200);
  await post("/messages/count_tokens", { model: "claude-sonnet-5", messages: CHAT.messages });
  await post("/embeddings", { model: "local-embed", input: PROMPT });
  expect(told).toHaveLength(3);
  told.forEach(takeMasks);
});

it("restores what an earlier request masked, in a conversation that the provider keeps", async () => {
  const respond = (text: string): object => ({
    id: "resp_1",
    object: "response",
    status: "completed",
    output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text }] }],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  });
  let mask = "";
  wire.on(
    "POST /v1/responses",
    (seen, outgoing) => {
      [mask = ""] = takeMasks(seen.body);
      return reply(200, respond("fine"))(seen, outgoing);
    },
    (seen, outgoing) => reply(200, respond(`It was ${mask}.`))(seen, outgoing),
  );
  await post("/responses", { model: "gpt-5.4-mini", input: PROMPT, store: true });
  const next = { model: "gpt-5.4-mini", input: "Which key was it?", previous_response_id: "resp_1" };
  expect(await post("/responses", next)).toContain(`It was ${SECRET}.`);
});

it("holds a limit as for a request without masks", async () => {
  const limited = { limit_usd: 0.01, mask_secrets: true };
  const { secret } = await postern.ask<{ secret: string }>("POST", "/keys", { name: "poor", ...limited });
  wire.on("POST /v1/messages", (seen, outgoing) => {
    expect(seen.body.toString()).not.toContain(SECRET);
    const usage = { input_tokens: 1_000_000, output_tokens: 10 };
    const content = [{ type: "text", text: "fine" }];
    return reply(200, { id: "m", type: "message", role: "assistant", content, usage })(seen, outgoing);
  });
  const body = { model: "claude-sonnet-5", max_tokens: 10, messages: CHAT.messages };
  expect((await postern.post("/messages", body, secret)).status).toBe(200);
  expect((await postern.post("/messages", body, secret)).status).toBe(402);
});
