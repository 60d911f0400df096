import * as z from "zod";
import { STAND_IN } from "../media/media-requests.ts";

const bodySchema = z.looseObject({
  model: z.string(),
  messages: z.array(
    z.looseObject({ role: z.string(), content: z.unknown(), tool_calls: z.array(z.unknown()).optional() }),
  ),
  max_tokens: z.number().optional(),
  max_completion_tokens: z.number().optional(),
  reasoning_effort: z.string().optional(),
  tools: z.array(z.unknown()).optional(),
});

/**
 * Builds the arguments of the tool `chat` for an estimate of `/v1/chat/completions`. It does not support tools, so
 * their definitions are added as text of similar length.
 * @param body the request body
 */
export function chatQuote(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { model, messages, tools, reasoning_effort: effort, ...rest } = bodySchema.parse(body);
  const most = rest.max_completion_tokens ?? rest.max_tokens;
  return {
    model,
    messages: messages.map(({ role, content, tool_calls: calls }) => ({
      role: role === "tool" ? "user" : role,
      content:
        calls === undefined
          ? withStandIns(content)
          : `${typeof content === "string" ? content : ""}${JSON.stringify(calls)}`,
    })),
    ...(tools === undefined ? {} : { system: JSON.stringify(tools) }),
    ...(most === undefined ? {} : { max_tokens: most }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
  };
}

const partSchema = z.looseObject({ type: z.literal("image_url") });

/** Replaces pictures by one-pixel ones, so that an estimate does not send megabytes. */
function withStandIns(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.map((part: unknown) =>
    partSchema.safeParse(part).success ? { type: "image_url", image_url: { url: STAND_IN } } : part,
  );
}
