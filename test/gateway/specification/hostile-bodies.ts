import { gammaBody } from "../../support/image-acts.ts";
import { png } from "../../support/pictures.ts";
import { thin } from "../../support/dose.ts";
import { modelTurn, textBlock, thinkingBlock, toolUse, userTurn } from "../codecs/support/blocks.ts";

/** Good requests of every endpoint that takes JSON, and the bad ones that are made of them. */

const messages = [userTurn([textBlock("Hello")])];
const tools = [{ type: "function", function: { name: "f", parameters: { type: "object", properties: {} } } }];
const chat = { messages, tools, tool_choice: "auto", max_tokens: 10, stop: ["x"], metadata: { a: "b" } };
const called = [
  userTurn([textBlock("Hello"), { type: "image", source: { type: "url", url: "https://example.com/a.png" } }]),
  modelTurn([thinkingBlock("x", "y"), toolUse("toolu_1", "f", { a: 1 })]),
  userTurn([{ type: "tool_result", tool_use_id: "toolu_1", content: [textBlock("15")], is_error: false }]),
];
const message = {
  max_tokens: 2_000,
  system: [textBlock("Be short.")],
  messages: called,
  tools: [{ name: "f", description: "d", input_schema: { type: "object", properties: {} } }],
  tool_choice: { type: "auto" },
  thinking: { type: "enabled", budget_tokens: 1_024 },
  metadata: { user_id: "u" },
  output_config: { effort: "low", format: { type: "json_schema", schema: { type: "object" } } },
};
const response = {
  instructions: "Be short.",
  input: [
    { type: "message", role: "user", content: [{ type: "input_text", text: "Hello" }] },
    { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "x" }] },
    { type: "function_call", call_id: "c1", name: "f", arguments: "{}" },
    { type: "function_call_output", call_id: "c1", output: "15" },
  ],
  tools: [{ type: "function", name: "f", parameters: { type: "object", properties: {} } }],
  text: { format: { type: "json_schema", name: "x", schema: { type: "object" } } },
  reasoning: { effort: "low" },
  include: ["reasoning.encrypted_content"],
};
const speech = { input: "Hello", voice: "alloy", instructions: "x", response_format: "mp3", speed: 1 };
const reference = { image_url: `data:image/png;base64,${png().toString("base64")}` };

/** Name, path below /v1, good body. */
export const BASES: readonly (readonly [name: string, path: string, body: Readonly<Record<string, unknown>>])[] = [
  ["chat at OpenAI", "/chat/completions", { model: "gpt-4.1", ...chat }],
  ["chat at Anthropic", "/chat/completions", { model: "claude-haiku-4-5", ...chat }],
  ["chat at DashScope", "/chat/completions", { model: "qwen-plus", ...chat, reasoning_effort: "low" }],
  ["chat at Gemini", "/chat/completions", { model: "gemini-3-pro-preview", ...chat }],
  ["messages at Anthropic", "/messages", { model: "claude-haiku-4-5", ...message }],
  ["messages at OpenAI", "/messages", { model: "gpt-4.1", ...message }],
  ["counting at OpenAI", "/messages/count_tokens", { model: "gpt-4.1", ...message }],
  ["responses at OpenAI", "/responses", { model: "gpt-4.1", ...response }],
  ["responses at Anthropic", "/responses", { model: "claude-haiku-4-5", ...response }],
  ["responses at DashScope", "/responses", { model: "qwen-plus", ...response }],
  [
    "embeddings at OpenAI",
    "/embeddings",
    { model: "text-embedding-3-small", input: ["a", "b"], dimensions: 256, user: "u" },
  ],
  [
    "embeddings at DashScope",
    "/embeddings",
    { model: "text-embedding-v4", input: ["a", "b"], dimensions: 256, encoding_format: "float" },
  ],
  ["embeddings at Gemini", "/embeddings", { model: "zeta-embedding-001", input: ["a", "b"], dimensions: 256 }],
  ["embeddings at Voyage", "/embeddings", { model: "eta-4", input: ["a", "b"], dimensions: 256, input_type: "query" }],
  ["speech at DashScope", "/audio/speech", { model: "gamma3-tts-flash", ...speech }],
  ["instructed speech at DashScope", "/audio/speech", { model: "gamma3-tts-instruct-flash", ...speech }],
  ["speech at OpenAI", "/audio/speech", { model: "gpt-4o-mini-tts", ...speech }],
  [
    "images at DashScope",
    "/images/generations",
    gammaBody("gamma-image-2.0", { size: "1024*1024", n: 1, seed: 1, watermark: true, negative_prompt: "x" }, [
      { image: "https://example.com/a.png" },
      { text: "A fox" },
    ]),
  ],
  [
    "images at OpenAI",
    "/images/generations",
    {
      model: "delta-image-2",
      prompt: "A fox",
      n: 1,
      size: "1024x1024",
      quality: "low",
      background: "auto",
      output_format: "png",
      output_compression: 50,
    },
  ],
  [
    "images at Gemini, its own shape",
    "/images/generations",
    {
      model: "gemini-2.5-flash-image",
      contents: [{ role: "user", parts: [{ text: "A fox" }] }],
      generationConfig: { imageConfig: { aspectRatio: "1:1" } },
    },
  ],
  ["images at Gemini", "/images/generations", { model: "gemini-2.5-flash-image", prompt: "A fox", size: "1024x1024" }],
  [
    "images at Ark",
    "/images/generations",
    {
      model: "doubao-seedream-4-5-251128",
      prompt: "A fox",
      image: ["https://example.com/a.png"],
      size: "2K",
      sequential_image_generation: "auto",
      sequential_image_generation_options: { max_images: 2 },
    },
  ],
  [
    "images at xAI",
    "/images/generations",
    { model: "grok-imagine-image", prompt: "A fox", n: 1, aspect_ratio: "1:1", size: "1024x1024" },
  ],
  [
    "edits at OpenAI",
    "/images/edits",
    { model: "delta-image-2", prompt: "A hat", images: [reference], mask: reference, n: 1, size: "1024x1024" },
  ],
  ["edits at Gemini", "/images/edits", { model: "gemini-2.5-flash-image", prompt: "A hat", images: [reference] }],
  ["edits at xAI", "/images/edits", { model: "grok-imagine-image", prompt: "A hat", images: [reference] }],
];

/** Values in the spelling of JSON: what JSON.stringify would not write is among them. */
const HOSTILE: readonly string[] = [
  "null",
  "true",
  "0",
  "-1",
  "1.5",
  "1e308",
  "1e999",
  "-0",
  "9007199254740993",
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"a\\udc00b"',
  '"__proto__"',
  '"constructor"',
  "[]",
  "{}",
  "[null]",
  "[[]]",
  "[{}]",
  '{"__proto__":{"polluted":true}}',
  '{"type":"__proto__"}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"length":-1}',
  `${'{"a":'.repeat(60)}1${"}".repeat(60)}`,
  `"${"x".repeat(20_000)}"`,
];

/** Those of them that get furthest. */
export const STRANGE: readonly string[] = [
  "null",
  "1e308",
  "9007199254740993",
  '"\\u0000"',
  '"a\\udc00b"',
  '"__proto__"',
  "[{}]",
  '{"__proto__":{"polluted":true}}',
];

/** The same for a field of a form. */
export const HOSTILE_TEXTS: readonly string[] = [
  "",
  " ",
  "\0",
  "-1",
  "1e999",
  "NaN",
  "[]",
  "{}",
  "null",
  "__proto__",
  "a\r\nb",
  "\ud800",
  "x".repeat(40_000),
];

type Path = readonly (string | number)[];

/** Every place of a value, the value itself left out. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  const here = path.length === 0 ? [] : [path];
  if (typeof value !== "object" || value === null) return here;
  const inner = Object.entries(value).flatMap(([name, one]) =>
    pathsOf(one, [...path, Array.isArray(value) ? Number(name) : name]),
  );
  return [...here, ...inner];
}

const MARK = "@@hostile@@";

/** JSON of a good body with one place made hostile: each place with each value, and unknown fields next to. */
export function* hostileBodies(
  base: Readonly<Record<string, unknown>>,
  values: readonly string[] = HOSTILE,
): Generator<string> {
  for (const path of pathsOf(base)) {
    const marked = structuredClone(base) as Record<string, unknown>;
    let target: Record<string | number, unknown> = marked;
    for (const name of path.slice(0, -1)) target = target[name] as Record<string, unknown>;
    target[path.at(-1) ?? ""] = MARK;
    const text = JSON.stringify(marked);
    for (const value of values) yield text.replace(JSON.stringify(MARK), () => value);
  }
  const good = JSON.stringify(base).slice(1);
  yield `{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},${good}`;
  yield `{"\\u0000":1,"\\ud800":2,"":3,${good}`;
  for (const stream of values) yield `{"stream":${stream},${good}`;
}

/**
 * The bodies of {@link hostileBodies} for one of many endpoints. In the short dose the first endpoint gets
 * all of them and each other one every eighth, another eighth than its neighbour.
 * @param position of the endpoint in its table
 */
export function hostileBodiesAt(
  position: number,
  base: Readonly<Record<string, unknown>>,
  values?: readonly string[],
): readonly string[] {
  const bodies = [...hostileBodies(base, values)];
  return position < 1 ? bodies : thin(bodies, 8, position % 8);
}
