import { responsesToChat } from "../../codecs/responses-to-chat/translate.ts";
import { converse } from "../../sandbox/chat/converse.ts";
import { translateExchange } from "../../sandbox/chat/translated.ts";
import { getBody, type Exchange, getModel, type Protocol } from "../../sandbox/exchange.ts";
import { Failure, invalidValue } from "../../sandbox/failure.ts";
import { getRecord, getRecords } from "../../sandbox/fields.ts";
import { sandbox as compatible } from "../openai-compatible/sandbox.ts";

/** The sandbox as OpenAI: what servers that follow it have, and the Responses API, translated into the chat dialect and back. */
export const sandbox: Protocol = {
  routes: [...compatible.routes, { method: "POST", path: "/v1/responses", handle: respond }],
};

async function respond(exchange: Exchange): Promise<void> {
  const body = getBody(exchange);
  const { effort, summary } = getRecord(body["reasoning"]);
  checkEffort(effort, getModel(exchange, body["model"], "chat").reasoning?.efforts ?? []);
  const format = getRecord(getRecord(body["text"])["format"])["type"] ?? "text";
  if (!FORMATS.includes(format)) throw invalidValue("text.format.type", "use text, json_object or json_schema.");
  // References to items stored at OpenAI are ignored here.
  const input = Array.isArray(body["input"])
    ? getRecords(body["input"]).filter(({ type }) => type !== "item_reference")
    : body["input"];
  const translation = translateExchange(exchange, responsesToChat, { ...body, input });
  await converse(exchange, translation.body, {
    translation,
    // Reasoning is shown in summaries, and only on request.
    hidesReasoning: typeof summary !== "string",
    units: ({ prompt, cached, completion, reasoning }) => ({
      input: prompt - cached,
      cached_input: cached,
      output: completion - reasoning,
      reasoning,
    }),
  });
}

const FORMATS: readonly unknown[] = ["text", "json_object", "json_schema"];

/** A translation would take the nearest one. @throws Failure (400) for one that the model does not have */
function checkEffort(effort: unknown, efforts: readonly string[]): void {
  if (effort == null || efforts.length === 0 || efforts.some((known) => known === effort)) return;
  const supported = efforts.map((known) => `'${known}'`).join(", ");
  const given = JSON.stringify(effort).slice(0, 100);
  const sentence = `Unsupported value: 'reasoning.effort' is ${given}. Supported values are: ${supported}.`;
  throw new Failure(400, sentence, { param: "reasoning.effort", code: "unsupported_value" });
}
