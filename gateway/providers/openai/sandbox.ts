import { responsesToChat } from "../../codecs/responses-to-chat/translate.ts";
import { converse } from "../../sandbox/chat/converse.ts";
import { translated } from "../../sandbox/chat/translated.ts";
import { bodyOf, type Exchange, type Protocol } from "../../sandbox/exchange.ts";
import { recordOf, recordsOf } from "../../sandbox/fields.ts";
import { sandbox as compatible } from "../openai-compatible/sandbox.ts";

/** The sandbox as OpenAI: what servers that follow it have, and the Responses API, translated into the chat dialect and back. */
export const sandbox: Protocol = {
  routes: [...compatible.routes, { method: "POST", path: "/v1/responses", handle: respond }],
};

async function respond(exchange: Exchange): Promise<void> {
  const body = bodyOf(exchange);
  // Items that are only named would be kept at OpenAI: here they are left out.
  const input = Array.isArray(body["input"])
    ? recordsOf(body["input"]).filter(({ type }) => type !== "item_reference")
    : body["input"];
  const translation = translated(exchange, responsesToChat, { ...body, input });
  await converse(exchange, translation.body, {
    translation,
    // Reasoning is told in summaries, and only where they are asked for.
    hidesReasoning: typeof recordOf(body["reasoning"])["summary"] !== "string",
    units: ({ prompt, cached, completion, reasoning }) => ({
      input: prompt - cached,
      cached_input: cached,
      output: completion - reasoning,
      reasoning,
    }),
  });
}
