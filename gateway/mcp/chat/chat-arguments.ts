import * as z from "zod";
import { between, wholeFrom } from "../../contract/bounds.ts";
import { GatewayError } from "../../core/errors.ts";
import type { ChatInput } from "../../services/chat/run-chat.ts";
import type { ToolCall } from "../tool/tool.ts";

const part = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string().describe("The words.") }),
  z.strictObject({
    type: z.literal("image_url"),
    image_url: z.strictObject({
      url: z
        .string()
        .describe(
          "postern://media/{id} of an image that this key made, data:image/png;base64,… or the https address of a picture.",
        ),
      detail: z.enum(["low", "high", "auto"]).optional().describe("How closely the model looks; low costs least."),
    }),
  }),
]);

const message = z.strictObject({
  role: z.enum(["system", "user", "assistant"]).describe("Who says it."),
  content: z.union([z.string(), z.array(part)]).describe("Text, or parts: text and pictures."),
});

const seedError = "expected a whole number";

/** Those of `/v1/chat/completions`, by the same names and within the same bounds; `prompt` and `system` are short forms. */
export const chatArguments = z.strictObject({
  model: z.string().describe("Id of a chat model, as list_models tells it with the capability chat."),
  prompt: z
    .string()
    .optional()
    .describe("What the model is asked, as one user message. Give either prompt or messages, not both."),
  messages: z
    .array(message)
    .optional()
    .describe("The conversation so far, oldest first: for several turns, and for pictures. Instead of prompt."),
  system: z.string().optional().describe("Instructions for the whole conversation; goes in front of its messages."),
  max_tokens: wholeFrom(1)
    .optional()
    .describe(
      "The most tokens the answer may have, thinking included. It bounds what the call can cost. Default: the model's own maximum.",
    ),
  temperature: between(0, 2)
    .optional()
    .describe("0 to 2: how much chance there is in the answer; default the model's. Reasoning models ignore it."),
  top_p: between(0, 1)
    .optional()
    .describe("0 to 1: only the likeliest words that together have this probability. Reasoning models ignore it."),
  stop: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe("A text, or several, before which the answer ends. Reasoning models ignore it."),
  seed: z
    .number({ error: seedError })
    .refine(Number.isInteger, { error: seedError })
    .meta({ type: "integer" })
    .optional()
    .describe("A whole number: the same one makes answers repeatable where the provider can do that."),
  reasoning_effort: z
    .string()
    .optional()
    .describe(
      "How long a reasoning model thinks: none, minimal, low, medium, high, … What a model accepts differs; a refusal names its values.",
    ),
  response_format: z
    .strictObject({
      type: z.enum(["text", "json_object", "json_schema"]).describe("What the answer has to be. Default text."),
      json_schema: z
        .looseObject({
          name: z.string().describe("A short name for the schema: letters, digits, _ and -."),
          schema: z.record(z.string(), z.unknown()).optional().describe("JSON Schema of the answer."),
          strict: z.boolean().optional().describe("Whether the answer has to match exactly. Default false."),
        })
        .optional()
        .describe("With the type json_schema."),
    })
    .optional()
    .describe("For answers in JSON. With json_object the prompt has to ask for JSON too."),
});
export type ChatArguments = z.output<typeof chatArguments>;

/**
 * The body for `/v1/chat/completions`.
 * @param stream in pieces, with the usage at the end.
 * @throws GatewayError when there is not exactly one of `prompt` and `messages`.
 */
export function chatBody(args: ChatArguments, stream: boolean): Record<string, unknown> {
  const { prompt, messages, system, ...rest } = args;
  if (prompt !== undefined && messages !== undefined) {
    throw new GatewayError(
      "invalid_value",
      "Give either 'prompt' or 'messages', not both: put the prompt behind the messages as one of role user.",
      { param: "prompt" },
    );
  }
  const turns = prompt === undefined ? messages : [{ role: "user", content: prompt }];
  if (turns === undefined) {
    throw new GatewayError(
      "missing_required_parameter",
      "Missing required parameter: 'prompt': a text to ask the model; or 'messages', a conversation.",
      { param: "prompt" },
    );
  }
  return {
    ...rest,
    // An empty conversation stays one, so that it is refused as /v1 refuses it.
    messages: system === undefined || turns.length === 0 ? turns : [{ role: "system", content: system }, ...turns],
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  };
}

/** A body of `/v1/chat/completions` as its service takes it. */
export function chatInput({ input }: Pick<ToolCall, "input">, body: Readonly<Record<string, unknown>>): ChatInput {
  return { ...input, raw: Buffer.from(JSON.stringify(body)), body, headers: {} };
}
