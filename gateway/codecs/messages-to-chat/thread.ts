import { GatewayError } from "../../core/errors.ts";
import type { Document } from "../translation.ts";
import { recordOf, textOf } from "./fields.ts";

/**
 * Refuses to continue a thread (`{"type":"continue","previous_message_id":"msg_…"}`, Anthropic's beta
 * message-threads-2026-08-12): the client sends only what is new, and no other provider keeps what came before. Anthropic's
 * SDK sends the whole conversation again when it reads this error code. A thread that is created is an ordinary request.
 * @throws GatewayError (404)
 */
export function refuseContinued(body: Document): void {
  const thread = recordOf(body["thread"]);
  if (thread["type"] !== "continue") return;
  const previous = textOf(thread["previous_message_id"])?.slice(0, 60) ?? "";
  throw new GatewayError(
    "not_found",
    `'thread.previous_message_id' (${JSON.stringify(previous)}) refers to a conversation that is not kept here: send all of it in 'messages', with 'thread' {"type":"create"} or none.`,
    { param: "thread.previous_message_id", anthropic: { error_code: "thread_not_found" } },
  );
}
