import * as z from "zod";
import { between, wholeFrom } from "./bounds.ts";
import { addFirstIssue, addIssue } from "./first-issue.ts";
import { given, where } from "./json-schema-rules.ts";

/**
 * The bodies of `POST /v1/messages` and `POST /v1/messages/count_tokens`: Anthropic's formats
 * (docs/providers/anthropic.md#messages).
 *
 * Deliberately tolerant: unknown fields, block types and tool types at any level are allowed, and `null` means absent.
 * Claude Code retries a 400 with fewer and fewer fields (docs/clients.md#all-of-them), so only clearly invalid requests
 * are refused. Model-specific limits (thinking budgets, effort levels, tool combinations) are checked by the provider:
 * clients recover by Anthropic's own messages. Use it for checking only: the original body is forwarded (see
 * core/validation.ts).
 *
 * Messages begin with "expected": core/validation.ts prepends the field and the value.
 */

const text = z.string();
const looseRecord = z.looseObject({});

/** Required fields by block type. Other types are allowed with any fields. */
const BLOCK_NEEDS = {
  text: ["text"],
  image: ["source"],
  tool_use: ["id", "name"],
  tool_result: ["tool_use_id"],
  thinking: ["thinking"],
  redacted_thinking: ["data"],
  tool_reference: ["tool_name"],
} as const satisfies Readonly<Record<string, readonly string[]>>;
const blockNeeds: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(BLOCK_NEEDS));

/**
 * Fields by `type`: `base64` has `media_type` and `data`, `url` has `url`, `file` has `file_id`; others are allowed.
 */
const sourceSchema = z.looseObject({
  type: text,
  media_type: text.nullish(),
  data: z.union([text, looseRecord]).nullish(),
  url: text.nullish(),
});

/** Fields of a block without tool result content: what may be nested in one. */
const blockFields = {
  type: text,
  text: text.nullish(),
  source: z.union([sourceSchema, text]).nullish(),
  id: text.nullish(),
  name: text.nullish(),
  input: looseRecord.nullish(),
  tool_use_id: text.nullish(),
  is_error: z.boolean().nullish(),
  thinking: text.nullish(),
  signature: text.nullish(),
  tool_name: text.nullish(),
  cache_control: looseRecord.nullish(),
};

const innerBlockSchema = z.looseObject(blockFields).check(findBlock);
const resultContentSchema = getContentSchema(innerBlockSchema);

export const messagesBlockSchema = z.looseObject(blockFields).check((context) => {
  findBlock(context);
  const block = context.value;
  if (block.type !== "tool_result" || block["content"] == null) return;
  addFirstIssue(context, resultContentSchema, block["content"], ["content"]);
});

function getContentSchema<B extends z.ZodType>(block: B) {
  return z.union([text, z.array(block)]);
}

function findBlock(context: z.core.ParsePayload<{ type: string; [field: string]: unknown }>): void {
  const block = context.value;
  for (const field of blockNeeds.get(block.type) ?? []) {
    if (block[field] != null) continue;
    addIssue(context, [field], block[field], `expected a value, because the block's type is "${block.type}"`);
  }
}

/**
 * Roles; `system` is included because Claude Code inserts such messages after the first user turn
 * (docs/clients.md#claude-code).
 */
const MESSAGES_ROLES = ["user", "assistant", "system"] as const;

export const messagesMessageSchema = z.looseObject({
  role: z.enum(MESSAGES_ROLES),
  content: getContentSchema(messagesBlockSchema),
});

const SERVER_TOOL_HINT = "expected a JSON schema, because a tool without 'type' is a tool of the client's own";

/** A tool of the client's own (`type` missing or `custom`), or one that Anthropic runs, by its dated `type`. */
const toolSchema = z
  .looseObject({
    type: text.nullish(),
    name: text.min(1, { error: "expected a name" }).nullish(),
    description: text.nullish(),
    input_schema: looseRecord.nullish(),
    cache_control: looseRecord.nullish(),
    defer_loading: z.boolean().nullish(),
    strict: z.boolean().nullish(),
  })
  .check((context) => {
    const tool = context.value;
    if (tool.type != null && tool.type !== "custom") return;
    if (tool.name == null) addIssue(context, ["name"], tool.name, "expected the tool's name");
    if (tool.input_schema == null) addIssue(context, ["input_schema"], undefined, SERVER_TOOL_HINT);
  })
  .meta({
    allOf: [
      {
        anyOf: [
          { required: ["type"], properties: { type: { not: { enum: ["custom", null] } } } },
          { allOf: [given("name"), given("input_schema")] },
        ],
      },
    ],
  });

const toolChoiceSchema = z
  .looseObject({ type: text, name: text.nullish(), disable_parallel_tool_use: z.boolean().nullish() })
  .check((context) => {
    const choice = context.value;
    if (choice.type !== "tool" || choice.name != null) return;
    addIssue(
      context,
      ["name"],
      choice.name,
      'expected the name of one of the tools, because the choice\'s type is "tool"',
    );
  })
  .meta({ allOf: [where("type", "tool", given("name"))] });

const common = {
  model: text.min(1, { error: "expected the id of a model, as GET /v1/models lists it" }),
  /**
   * Empty only to continue a thread whose last turn was paused. The OpenAPI document omits that beta, because generated
   * clients cannot express the condition.
   */
  messages: z.array(messagesMessageSchema).meta({ minItems: 1 }),
  /** Anthropic's beta message-threads-2026-08-12. */
  thread: z.looseObject({ type: text, previous_message_id: text.nullish() }).nullish(),
  system: z.union([text, z.array(innerBlockSchema)]).nullish(),
  tools: z.array(toolSchema).nullish(),
  tool_choice: toolChoiceSchema.nullish(),
  thinking: z.looseObject({ type: text, budget_tokens: z.number().nullish(), display: text.nullish() }).nullish(),
  output_config: z
    .looseObject({
      effort: text.nullish(),
      format: z.looseObject({ type: text, schema: looseRecord.nullish() }).nullish(),
    })
    .nullish(),
  context_management: looseRecord.nullish(),
  cache_control: looseRecord.nullish(),
};

type Asked = z.core.ParsePayload<{ messages: readonly unknown[]; thread?: { type: string } | null | undefined }>;

function somethingAsked(context: Asked): void {
  const { messages, thread } = context.value;
  if (messages.length > 0 || thread?.type === "continue") return;
  addIssue(context, ["messages"], messages, "expected an array with at least one item");
}

/** `POST /v1/messages/count_tokens`. */
export const countTokensRequestSchema = z.looseObject(common).check(somethingAsked);

/** `POST /v1/messages`. */
export const messagesRequestSchema = z
  .looseObject({
    ...common,
    /** 0 warms Anthropic's cache and answers nothing. */
    max_tokens: wholeFrom(0),
    stream: z.boolean().nullish(),
    stop_sequences: z.array(text).nullish(),
    temperature: between(0, 1).nullish(),
    top_p: between(0, 1).nullish(),
    top_k: wholeFrom(0).nullish(),
    metadata: z.looseObject({ user_id: text.nullish() }).nullish(),
    service_tier: text.nullish(),
  })
  .check(somethingAsked);
