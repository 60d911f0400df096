import * as z from "zod";
import type { WireAct, WireSeen } from "../../../support/wire-provider.ts";
import { reply } from "../../../support/wire-provider.ts";

/** What a test's client sends beside its key: none of it may reach a provider (docs/providers/README.md#headers). */
export const CLIENT_HEADERS = {
  cookie: "session=client-secret",
  "user-agent": "client-of-a-stranger/1.0",
  "x-client-secret": "client-secret",
  "x-stainless-lang": "js",
  "openai-organization": "org_client",
  "anthropic-beta": "client-beta",
  referer: "http://client.example/",
  "x-forwarded-for": "203.0.113.9",
} as const;
const CLIENT_WORDS =
  /client-secret|client-of-a-stranger|org_client|client-beta|client\.example|203\.0\.113\.9|sk-test-/;

/** Headers of a JSON request that need no reason, and the mark by which Postern knows a request that it sent to itself. */
const ORDINARY = new Set([
  "host",
  "connection",
  "content-type",
  "content-length",
  "accept",
  "accept-encoding",
  "user-agent",
  "x-postern-instance",
]);

/** What a provider asks of each request. */
export interface Strictness {
  /** The header of the key, in lower case, and its whole value. */
  readonly auth: readonly [header: string, value: string];
  /** Headers beside the ordinary ones that must be there with this value. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, unknown fields refused. */
  readonly body: z.ZodType;
}

/** What requests did that docs/providers does not have; empty when the gateway keeps to it. */
export type Deviations = string[];

/** An act that checks its request as the strictest reader of docs/providers would, then answers. */
export function strictly(deviations: Deviations, asked: Strictness, act: WireAct): WireAct {
  return (seen, outgoing) => {
    const found = deviationsOf(seen, asked).map((sentence) => `${seen.method} ${seen.path}: ${sentence}`);
    deviations.push(...found);
    return found.length === 0
      ? act(seen, outgoing)
      : reply(400, { error: { message: found.join("; ") } })(seen, outgoing);
  };
}

function deviationsOf(seen: WireSeen, { auth: [header, key], headers = {}, body }: Strictness): string[] {
  const found: string[] = [];
  const wanted: Readonly<Record<string, string>> = { ...headers, [header]: key, "content-type": "application/json" };
  for (const [name, value] of Object.entries(wanted)) {
    if (seen.headers[name] !== value) found.push(`header ${name} is ${String(seen.headers[name])}, not ${value}`);
  }
  for (const [name, value] of Object.entries(seen.headers)) {
    if (!ORDINARY.has(name) && !(name in wanted))
      found.push(`header ${name}: ${String(value)} is not in docs/providers`);
    if (CLIENT_WORDS.test(String(value))) found.push(`header ${name} is the client's: ${String(value)}`);
  }
  if ([...seen.query.keys()].length > 0 && header !== "x-goog-api-key") found.push(`a query: ${seen.query.toString()}`);
  if (CLIENT_WORDS.test(seen.body.toString("utf8"))) found.push("the body has the client's key or headers");
  const parsed = body.safeParse(seen.json);
  if (!parsed.success) found.push(z.prettifyError(parsed.error).replaceAll("\n", " "));
  return found;
}

const text = z.string().min(1);
const part = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({
    type: z.literal("image_url"),
    image_url: z.strictObject({ url: text, detail: z.enum(["auto", "low", "high"]).optional() }),
  }),
  z.strictObject({
    type: z.literal("input_audio"),
    input_audio: z.strictObject({ data: text, format: z.string().optional() }),
  }),
  z.strictObject({ type: z.literal("video_url"), video_url: z.looseObject({ url: text }) }),
]);
const content = z.union([z.string(), z.array(part).min(1)]);
const call = z.strictObject({
  id: text,
  type: z.literal("function"),
  function: z.strictObject({ name: z.string().regex(/^[\w-]{1,64}$/), arguments: z.string() }),
});

type Optional = Readonly<Record<string, z.ZodOptional>>;

/** Messages of the common chat API, as providers other than OpenAI document them (docs/providers/openai.md#chat). */
export function messagesSchema(extras: Optional = {}, extraContent: z.ZodType = z.undefined()): z.ZodType {
  return z
    .array(
      z.discriminatedUnion("role", [
        z.strictObject({ role: z.literal("system"), content }),
        z.strictObject({ role: z.literal("user"), content, name: text.optional() }),
        z.strictObject({
          role: z.literal("assistant"),
          content: content.nullable().optional(),
          tool_calls: z
            .array(call.extend({ extra_content: extraContent.optional() }))
            .min(1)
            .optional(),
          ...extras,
        }),
        z.strictObject({ role: z.literal("tool"), tool_call_id: text, content }),
      ]),
    )
    .min(1)
    .superRefine((messages, context) => {
      const open = new Set<string>();
      for (const message of messages) {
        if (message.role === "assistant") for (const { id } of message.tool_calls ?? []) open.add(id);
        if (message.role === "tool" && !open.delete(message.tool_call_id)) {
          context.addIssue(`the result of ${message.tool_call_id} answers no call`);
        }
      }
      if (open.size > 0) context.addIssue(`no result for ${[...open].join()}`);
    });
}

const tool = z.strictObject({
  type: z.literal("function"),
  function: z.strictObject({
    name: z.string().regex(/^[\w-]{1,64}$/),
    description: z.string().optional(),
    parameters: z.looseObject({ type: z.literal("object") }).optional(),
    strict: z.boolean().nullable().optional(),
  }),
});

/** The request of the common chat API that every provider takes; each adds its own fields. */
export const CHAT_FIELDS = {
  model: text,
  messages: messagesSchema(),
  stream: z.boolean().optional(),
  stream_options: z.strictObject({ include_usage: z.literal(true) }).optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  max_tokens: z.int().min(1).optional(),
  n: z.int().min(1).optional(),
  stop: z.union([z.string(), z.array(z.string())]).optional(),
  seed: z.int().optional(),
  presence_penalty: z.number().min(-2).max(2).optional(),
  frequency_penalty: z.number().min(-2).max(2).optional(),
  response_format: z.looseObject({ type: z.enum(["text", "json_object", "json_schema"]) }).optional(),
  tools: z.array(tool).min(1).optional(),
  tool_choice: z
    .union([
      z.enum(["none", "auto", "required"]),
      z.strictObject({ type: z.literal("function"), function: z.strictObject({ name: text }) }),
    ])
    .optional(),
  parallel_tool_calls: z.boolean().optional(),
  user: z.string().optional(),
  prompt_cache_key: z.string().optional(),
} as const;

/** A chat request that says how it wants its response: usage is asked for where and only where it streams. */
export function chatSchema(own: z.ZodRawShape): z.ZodType {
  return z.strictObject({ ...CHAT_FIELDS, ...own }).superRefine((body, context) => {
    const streams = body.stream === true;
    if (streams !== (body.stream_options !== undefined)) context.addIssue("stream and stream_options do not fit");
    if (body.tools === undefined && body.tool_choice !== undefined) context.addIssue("tool_choice without tools");
  });
}

/** Frames of a stream of chunks, each given as what a chunk holds beside its head. */
export function chunksOf(head: Readonly<Record<string, unknown>>, chunks: readonly object[]): string[] {
  return [...chunks.map((chunk) => `data: ${JSON.stringify({ ...chunk, ...head })}\n\n`), "data: [DONE]\n\n"];
}
