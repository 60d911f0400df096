import * as z from "zod";
import { between, getWholeBetween, wholeFrom } from "./bounds.ts";
import { addIssue } from "./first-issue.ts";
import { given, givenByType, where } from "./json-schema-rules.ts";

/**
 * The body of `POST /v1/chat/completions`: every field of the specification's table with its bounds.
 *
 * Deliberately tolerant: unknown fields at any level are forwarded to the provider, and `null` means absent, as for
 * clients of the common chat API. Rules across fields are in core/chat-rules.ts. Use it for checking only: the original
 * body is forwarded (see core/validation.ts).
 *
 * Messages begin with "expected": core/validation.ts prepends the field and the value.
 */

/**
 * Token limit of the client. "-1 for no limit", which some providers accept, is refused, because a hold needs a bound.
 */
const tokenLimit = wholeFrom(1);

/** Up to 64 bits, which clients fill at random: more than the numbers that JavaScript calls safe. */
const seedError = "expected a whole number";
const seed = z.number({ error: seedError }).refine(Number.isInteger, { error: seedError }).meta({ type: "integer" });

const list = <T extends z.ZodType>(item: T) =>
  z.array(item).min(1, { error: "expected an array with at least one item" });
const text = z.string();
const looseRecord = z.looseObject({});

/** Media by reference: `{url}` as the common chat API has it, or the bare URL that local servers take. */
const mediaReference = z.union([text, z.looseObject({ url: text })]);

/** Content field by a block's `type`. Other types are allowed. */
const BLOCK_FIELDS = {
  text: "text",
  image_url: "image_url",
  video_url: "video_url",
  audio_url: "audio_url",
  input_audio: "input_audio",
  file: "file",
  refusal: "refusal",
} as const;
const blockField: ReadonlyMap<string, keyof typeof BLOCK_FIELDS> = new Map(Object.entries(BLOCK_FIELDS));

export const chatBlockSchema = z
  .looseObject({
    type: text,
    text: text.nullish(),
    image_url: mediaReference.nullish(),
    video_url: mediaReference.nullish(),
    audio_url: mediaReference.nullish(),
    input_audio: looseRecord.nullish(),
    file: looseRecord.nullish(),
    refusal: text.nullish(),
  })
  .check((context) => {
    const block = context.value;
    const field = blockField.get(block.type);
    if (field !== undefined && block[field] == null) {
      addIssue(context, [field], block[field], `expected a value, because the block's type is "${block.type}"`);
    }
  })
  .meta({ allOf: givenByType(BLOCK_FIELDS) });

const toolCall = z.looseObject({
  id: text.nullish(),
  type: text.nullish(),
  function: z.looseObject({ name: text, arguments: text.nullish() }).nullish(),
});

const CHAT_ROLES = ["system", "developer", "user", "assistant", "tool", "function"] as const;

/** Fields that can replace an assistant's `content`. */
const INSTEAD_OF_CONTENT = [
  "tool_calls",
  "function_call",
  "refusal",
  "audio",
  "reasoning_content",
  "reasoning",
] as const;

export const chatMessageSchema = z
  .looseObject({
    role: z.enum(CHAT_ROLES),
    content: z.union([text, z.array(chatBlockSchema)]).nullish(),
    name: text.nullish(),
    tool_call_id: text.nullish(),
    tool_calls: z.array(toolCall).nullish(),
  })
  .check((context) => {
    const message = context.value;
    if (message.content == null && !mayLackContent(message)) {
      addIssue(context, ["content"], message.content, "expected a string or an array of content blocks");
    }
    if (message.role === "tool" && message.tool_call_id == null) {
      const text = "expected the id of the tool call that this message answers";
      addIssue(context, ["tool_call_id"], message.tool_call_id, text);
    }
  })
  .meta({
    allOf: [
      {
        anyOf: [
          given("content"),
          { properties: { role: { const: "assistant" } }, anyOf: INSTEAD_OF_CONTENT.map(given) },
        ],
      },
      where("role", "tool", given("tool_call_id")),
    ],
  });

function mayLackContent(message: Readonly<Record<string, unknown>>): boolean {
  return message["role"] === "assistant" && INSTEAD_OF_CONTENT.some((field) => message[field] != null);
}

const tool = z.looseObject({
  type: text,
  function: z
    .looseObject({
      name: text.min(1, { error: "expected a name" }),
      description: text.nullish(),
      parameters: looseRecord.nullish(),
    })
    .nullish(),
});

export const chatRequestSchema = z.looseObject({
  model: text.min(1, { error: "expected the id of a model, as GET /v1/models lists it" }),
  messages: list(chatMessageSchema),
  stream: z.boolean().nullish(),
  temperature: between(0, 2).nullish(),
  max_tokens: tokenLimit.nullish(),
  top_p: between(0, 1).nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: z.union([text, looseRecord]).nullish(),
  response_format: z.looseObject({ type: text }).nullish(),
  stop: z.union([text, z.array(text)]).nullish(),
  n: getWholeBetween(1, 128).nullish(),
  seed: seed.nullish(),
  frequency_penalty: between(-2, 2).nullish(),
  presence_penalty: between(-2, 2).nullish(),
  logit_bias: z.record(text, between(-100, 100)).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: getWholeBetween(0, 20).nullish(),
  max_completion_tokens: tokenLimit.nullish(),
  reasoning_effort: text.nullish(),
  verbosity: z.enum(["low", "medium", "high"]).nullish(),
  modalities: z.array(text).nullish(),
  audio: looseRecord.nullish(),
  prediction: looseRecord.nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  store: z.boolean().nullish(),
  metadata: looseRecord.nullish(),
  user: text.nullish(),
  prompt_cache_key: text.nullish(),
  prompt_cache_retention: text.nullish(),
});
export type ChatRequest = z.infer<typeof chatRequestSchema>;
