import type { Dialect } from "../../services/chat/dialect.ts";
import type { RunChat } from "../../services/chat/run-chat.ts";
import { callInput, sendWhole } from "../call-input.ts";
import { HttpReply } from "../http-reply.ts";
import type { Context } from "../state.ts";

/** Headers of Anthropic's dialect; vendors of other dialects get none (upstreams reference 2.5, A.6). */
const DIALECT_HEADER = /^(anthropic-|x-claude-code-)/;
const NONE: Readonly<Record<string, string>> = {};

/**
 * `POST /v1/chat/completions`, `/v1/messages` and `/v1/responses`. The story is in services/chat/run-chat.ts; here it
 * only meets HTTP.
 */
export function conversationRoute(runChat: RunChat, dialect: Dialect) {
  return async function converse(context: Context): Promise<void> {
    const { state, res } = context;
    if (state.raw === null) throw new Error("the body comes first");
    const answer = await runChat.run(
      dialect,
      {
        ...callInput(context),
        raw: state.raw,
        body: state.body,
        headers: dialect.name === "messages" ? dialectHeaders(context) : NONE,
      },
      new HttpReply(res),
      () => {
        // From here on the stream writes to the response itself.
        context.respond = false;
      },
    );
    if (answer !== null) sendWhole(context, answer);
  };
}

function dialectHeaders(context: Context): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(context.req.headers)) {
    if (DIALECT_HEADER.test(name) && typeof value === "string") headers[name] = value;
  }
  return headers;
}
