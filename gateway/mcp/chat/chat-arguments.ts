import * as z from "zod";
import { between, wholeFrom } from "../../contract/bounds.ts";
import { GatewayError } from "../../core/errors.ts";
import type { ChatInput } from "../../services/chat/run-chat.ts";
import type { ToolCall } from "../tool/tool.ts";

const part = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string().describe("The text.") }),
  z.strictObject({
    type: z.literal("image_url"),
    image_url: z.strictObject({
      url: z
        .string()
        .describe(
          "postern://media/{id} of an image that this key made, data:image/png;base64,… or the https URL of an image.",
        ),
      detail: z
        .enum(["low", "high", "auto"])
        .optional()
        .describe("Resolution at which the model sees the image; low costs least."),
    }),
  }),
]);

const message = z.strictObject({
  role: z.enum(["system", "user", "assistant"]).describe("Author of the message."),
  content: z.union([z.string(), z.array(part)]).describe("Text, or a list of text and image parts."),
});

const seedError = "expected a whole number";

/** Arguments of `/v1/chat/completions`, with the same names and bounds; `prompt` and `system` are short forms. */
export const chatArguments = z.strictObject({
  model: z.string().describe("Id of a chat model: call list_models with capability chat."),
  prompt: z.string().optional().describe("One user message. Give either prompt or messages, not both."),
  messages: z
    .array(message)
    .optional()
    .describe("The conversation, oldest message first: for several turns, and for images. Instead of prompt."),
  system: z.string().optional().describe("System prompt, put before the messages."),
  max_tokens: wholeFrom(1)
    .optional()
    .describe(
      "Most output tokens, reasoning included; limits what the call can cost. Default: the model's max output.",
    ),
  temperature: between(0, 2)
    .optional()
    .describe("Sampling temperature, 0 to 2; default the model's own. Reasoning models ignore it."),
  top_p: between(0, 1).optional().describe("Nucleus sampling, 0 to 1. Reasoning models ignore it."),
  stop: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe("One or more sequences at which the model stops. Reasoning models ignore it."),
  seed: z
    .number({ error: seedError })
    .refine(Number.isInteger, { error: seedError })
    .meta({ type: "integer" })
    .optional()
    .describe("Integer; the same seed gives repeatable completions where the provider supports it."),
  reasoning_effort: z
    .string()
    .optional()
    .describe(
      "Effort of a reasoning model: none, minimal, low, medium, high, … Models differ; the error for an unsupported value lists the accepted ones.",
    ),
  response_format: z
    .strictObject({
      type: z.enum(["text", "json_object", "json_schema"]).describe("Format of the completion. Default text."),
      json_schema: z
        .looseObject({
          name: z.string().describe("A short name for the schema: letters, digits, _ and -."),
          schema: z.record(z.string(), z.unknown()).optional().describe("JSON Schema of the completion."),
          strict: z
            .boolean()
            .optional()
            .describe("Whether the completion must match the schema exactly. Default false."),
        })
        .optional()
        .describe("For type json_schema."),
    })
    .optional()
    .describe("For completions in JSON. With json_object the prompt has to ask for JSON too."),
});
export type ChatArguments = z.output<typeof chatArguments>;

/**
 * The body for `/v1/chat/completions`.
 * @param stream whether to stream, with the usage at the end.
 * @throws GatewayError unless exactly one of `prompt` and `messages` is given.
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
