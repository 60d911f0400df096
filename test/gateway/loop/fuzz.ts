import { formOf } from "../../support/forms.ts";
import { type WireAct } from "../../support/wire-provider.ts";
import { LoopWorld } from "./loop-world.ts";

/** Random input to every endpoint, by hand: `node test/gateway/loop/fuzz.ts [MINUTES] [SEED]` prints what takes long turns. */
const MAX_MS = 50;
const [minutes, first] = [Number(process.argv[2] ?? 1), Number(process.argv[3] ?? 1)];
let seed = first;
const random = (below: number): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed % below;
};
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;

const UNITS = [
  " ",
  '"',
  "\\",
  '\\"',
  "\n",
  "\r\n",
  "`",
  "[1]",
  "[",
  "{}",
  "0",
  "1e9",
  "_",
  "/",
  "a",
  "sk-",
  "eyJ",
  "门",
  "\u017F",
  "data:",
  ":",
  "\\u0073",
  "=",
  "-",
];
const NAMES = [
  "model",
  "messages",
  "input",
  "content",
  "role",
  "tools",
  "type",
  "text",
  "image_url",
  "url",
  "index",
  "id",
  "name",
  "function",
  "arguments",
  "tool_calls",
  "results",
  "query",
  "prompt",
  "stream",
  "max_tokens",
  "file_id",
  "citations",
  "reasoning_content",
  "data",
  "item",
  "output",
  "delta",
  "choices",
  "parts",
  "functionCall",
  "functionResponse",
  "inlineData",
  "args",
  "usage",
];
const VALUES = [
  "user",
  "assistant",
  "tool",
  "text",
  "tool_use",
  "tool_result",
  "web_search_call",
  "web_search_tool_result",
  "server_tool_use",
  "function",
  "function_call",
  "image_url",
  true,
  false,
  null,
  0,
  -1,
  1.5,
  5e7,
  4e9,
];

/** Characters that a round may still take. */
let budget = 0;
const textOf = (unit: string, times: number): string => {
  const text = unit.repeat(Math.min(times, Math.max(0, budget / unit.length)));
  budget -= text.length;
  return text;
};

function valueOf(depth: number): unknown {
  if (depth === 0 || random(4) === 0)
    return random(3) === 0 ? textOf(pick(UNITS), random(3) === 0 ? random(20_000) : random(20)) : pick(VALUES);
  const size = random(5) === 0 ? random(depth === 1 ? 5_000 : 30) : random(6);
  if (random(2) === 0) {
    const one =
      size > 30 ? pick([{}, [], "", null, { type: pick(VALUES) }, { role: "user", content: "a" }]) : valueOf(depth - 1);
    return Array.from({ length: budget > 0 ? size : 1 }, () => {
      budget -= 50;
      return size < 30 && random(20) === 0 ? valueOf(depth - 1) : one;
    });
  }
  return Object.fromEntries(Array.from({ length: Math.min(size, 40) }, () => [pick(NAMES), valueOf(depth - 1)]));
}

const MODELS = [
  "deepseek-v4-flash",
  "claude-sonnet-4-6",
  "gpt-4.1",
  "gpt-5.4",
  "gemini-3.8-flash",
  "mistral-large-latest",
  "text-embedding-3-small",
  "whisper-1",
  "gpt-image-1",
  "tts-1",
];
const PATHS = [
  "/chat/completions",
  "/messages",
  "/responses",
  "/messages/count_tokens",
  "beta/models/deepseek-v4-flash:generateContent",
  "beta/models/gemini-3.8-flash:streamGenerateContent",
  "beta/models/claude-sonnet-4-6:countTokens",
  "/embeddings",
  "/moderations",
  "/audio/speech",
  "/images/generations",
  "/images/edits",
  "/audio/transcriptions",
  "/videos/generations",
];

const turns = (): unknown =>
  random(3) === 0
    ? valueOf(4)
    : Array.from({ length: 1 + random(4) }, () => ({
        role: pick(["user", "assistant", "tool"]),
        content: valueOf(3),
        ...(random(3) === 0 ? { tool_calls: valueOf(3) } : {}),
      }));

function respond(): WireAct {
  const isStream = random(2) === 0;
  const parts = Array.from({ length: 1 + random(300) }, () => {
    const kind = random(4);
    if (kind === 0) return pick(UNITS).repeat(random(2_000));
    const delta =
      kind === 1
        ? valueOf(3)
        : {
            content: pick(UNITS).repeat(random(200)),
            tool_calls: [{ index: pick(VALUES), id: `c${random(9)}`, function: { name: "f", arguments: "{}" } }],
          };
    const event = pick([
      { choices: [{ index: 0, delta }] },
      { type: "content_block_delta", index: pick(VALUES), delta },
      { type: "response.output_text.delta", output_index: pick(VALUES), delta: "a" },
      valueOf(3),
    ]);
    return `data: ${JSON.stringify(event)}\n\n`;
  });
  const body = isStream
    ? parts.join("")
    : JSON.stringify({
        choices: [{ index: 0, message: valueOf(3) }],
        content: valueOf(3),
        output: valueOf(3),
        data: valueOf(3),
        text: valueOf(1),
        segments: valueOf(3),
      });
  const status = pick([200, 200, 200, 200, 400, 429, 500]);
  return (_seen, outgoing) =>
    void outgoing.writeHead(status, { "content-type": isStream ? "text/event-stream" : "application/json" }).end(body);
}

const world = await LoopWorld.start();
const until = Date.now() + minutes * 60_000;
let rounds = 0;
let failures = 0;
for (; Date.now() < until; rounds += 1) {
  const at = seed;
  budget = 3_000_000;
  const act = respond();
  for (const route of [
    "/deepseek/v1/chat/completions",
    "/v1/messages",
    "/v1/chat/completions",
    "/v1/responses",
    "/v1/embeddings",
    "/v1/audio/transcriptions",
    "/v1/images/generations",
    "/mistral/v1/chat/completions",
    "/gemini/v1beta/models/gemini-3.8-flash:streamGenerateContent",
  ])
    world.wire.on(`POST ${route}`, act);
  world.wire.on("GET /searx/search", act);
  world.wire.seen.length = 0;
  const path = pick(PATHS);
  budget = 3_000_000;
  const body = {
    model: pick(MODELS),
    max_tokens: 100,
    stream: random(2) === 0,
    messages: turns(),
    contents: Array.from({ length: 1 + random(4) }, () => ({
      role: pick(["user", "model"]),
      parts: Array.from({ length: 1 + random(300) }, () => pick([{ text: "a" }, valueOf(2)])),
    })),
    input: turns(),
    prompt: valueOf(1),
    voice: "alloy",
    ...(random(2) === 0
      ? { tools: [{ type: pick(["web_search", "web_search_20250305", "function"]), name: "web_search" }] }
      : {}),
    ...(random(3) === 0 ? (valueOf(1) as object) : {}),
  };
  const form = (): FormData =>
    formOf(
      { model: pick(MODELS), response_format: pick(["srt", "json", "vtt"]), prompt: pick(UNITS).repeat(random(9_000)) },
      [["file", Buffer.alloc(random(2_000_000), pick(["OggS", "\xFF\xFB", "ftyp", "RIFF", "\0\0\0\bfree"])), "a.ogg"]],
    );
  const sent =
    path.startsWith("/audio/tr") || (path === "/images/edits" && random(2) === 0) ? form() : JSON.stringify(body);
  const status = await world.post(path, sent).catch((error: unknown) => String(error));
  const imported =
    random(6) === 0
      ? await world.control("POST", "/imports/preview", {
          program: pick(["env", "litellm", "opencode", "continue", "zed", "bifrost"]),
          text: typeof sent === "string" ? sent.slice(0, 900_000) : "a",
        })
      : 0;
  const { ms } = await world.peak();
  if (status === 500 || imported === 500) failures += 1;
  if (ms > MAX_MS || status === 500 || typeof status === "string" || imported === 500)
    console.log(
      `${ms.toFixed(0).padStart(5)} ms  seed ${at}  ${path} (${status}, import ${imported}, ${typeof sent === "string" ? sent.length : "form"})`,
    );
}
console.log(`${rounds} rounds, ${failures} internal errors`);
await world.close();
