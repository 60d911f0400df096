import { createParser } from "eventsource-parser";
import * as z from "zod";
import { nestedErrorSchema } from "../../../gateway/contract/errors.ts";
import { CallError, readRequestId } from "./call-v1.ts";

/** Displayed part of a `chat.completion.chunk`. Tolerant, because providers add and omit fields. */
const chunkSchema = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        delta: z
          .looseObject({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            reasoning_content: z.string().nullish(),
            reasoning: z.string().nullish(),
            tool_calls: z
              .array(
                z.looseObject({
                  index: z.number().int().nonnegative().nullish(),
                  id: z.string().nullish(),
                  function: z.looseObject({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
});
export type Chunk = z.infer<typeof chunkSchema>;

/**
 * Reads a response until it ends.
 * @throws CallError if it broke off, or contains an error; the reader's error if the network failed
 */
export async function readChatStream(response: Response, onChunk: (chunk: Chunk) => void): Promise<void> {
  const id = readRequestId(response);
  let whole = false;
  const failures: CallError[] = [];
  const parser = createParser({
    onEvent({ data }) {
      if (data === "[DONE]") whole = true;
      const frame = getJson(data);
      const error = nestedErrorSchema.safeParse(frame);
      if (error.success) failures.push(new CallError(200, error.data.error.code, error.data.error.message, id));
      const chunk = chunkSchema.safeParse(frame);
      if (chunk.success) onChunk(chunk.data);
    },
  });
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    parser.feed(decoder.decode(part.value, { stream: true }));
  }
  const [failure] = failures;
  if (failure !== undefined) throw failure;
  if (!whole) throw new CallError(200, "interrupted", "The answer broke off before its end.", id);
}

function getJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
