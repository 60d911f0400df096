import { chatRequestSchema } from "../../../../gateway/contract/chat.ts";
import { GatewayError } from "../../../../gateway/core/errors.ts";
import { validate } from "../../../../gateway/core/validation.ts";

/** The least that a chat request may be. */
export const minimal = { model: "gpt-5.4", messages: [{ role: "user", content: "hi" }] };

/** The error of a body with these fields; undefined when it is accepted. */
export function errorOf(fields: unknown): GatewayError | undefined {
  try {
    validate(chatRequestSchema, fields);
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}
