import { GatewayError } from "../../core/errors.ts";
import { isRecord } from "../../lib/records.ts";
import { readNumber, readRecord, readRecords } from "../messages-to-chat/fields.ts";
import { readMessage } from "../messages-to-chat/spoken.ts";
import type { Document, Translate } from "../translation.ts";

/**
 * Writes a request of `/v1/completions` in the chat form, which limits, rules and sessions read. Its own fields stay in
 * it. Tokens are written as a text, which has more of them.
 */
export function buildChatForm(body: Document): Document {
  const { prompt } = body;
  const isTexts = Array.isArray(prompt) && typeof prompt[0] === "string";
  const content = typeof prompt === "string" ? prompt : isTexts ? prompt.join("\n") : JSON.stringify(prompt);
  return { ...body, messages: [{ role: "user", content }] };
}

/**
 * Translates a completion into a chat of one message, which is what OpenAI advises its users to do
 * (developers.openai.com/api/docs/guides/completions, 2026-11-30).
 * @param body in the form of `buildChatForm`
 * @throws GatewayError for what only the endpoint itself can do (400)
 */
export const completionsToChat: Translate = (body, context) => {
  refuseOwn(body);
  const { prompt: _prompt, suffix: _suffix, echo: _echo, best_of: _best, logprobs: _probabilities, ...rest } = body;
  const head = {
    id: `cmpl-${context.newId()}`,
    object: "text_completion",
    created: context.now,
    model: context.publicModel,
  };
  const showsUsage = readRecord(body["stream_options"])["include_usage"] === true;
  return {
    body: { ...rest, model: context.publicModel, ...(rest["max_tokens"] === 0 ? { max_tokens: 1 } : {}) },
    response: ({ choices, usage }) => ({
      ...head,
      choices: readRecords(choices).map((choice) => buildChoice(choice, readRecord(choice["message"]))),
      usage,
    }),
    stream: () => ({
      event: ({ choices, usage }) => [
        ...readRecords(choices).map((choice) => ({
          ...head,
          choices: [buildChoice(choice, readRecord(choice["delta"]))],
          ...(showsUsage ? { usage: null } : {}),
        })),
        ...(showsUsage && isRecord(usage) ? [{ ...head, choices: [], usage }] : []),
      ],
      end: () => [],
    }),
  };
};

function buildChoice({ index, finish_reason: reason }: Document, message: Document): Document {
  const { text, refusal } = readMessage(message);
  return { text: text + refusal, index: index ?? 0, logprobs: null, finish_reason: reason ?? null };
}

function refuseOwn(body: Document): void {
  const { prompt } = body;
  if (typeof prompt !== "string" && !(Array.isArray(prompt) && prompt.length === 1 && typeof prompt[0] === "string"))
    throw refuse("prompt", "holds tokens or several texts. Send one text in a request");
  if (typeof body["suffix"] === "string" && body["suffix"] !== "") throw refuse("suffix", "asks for text before it");
  if (body["echo"] === true) throw refuse("echo", "asks for the prompt back");
  if (body["logprobs"] != null && body["logprobs"] !== false) throw refuse("logprobs", "asks for probabilities");
  if ((readNumber(body["best_of"]) ?? 1) > (readNumber(body["n"]) ?? 1))
    throw refuse("best_of", "asks for more choices than it wants");
}

function refuse(param: string, what: string): GatewayError {
  return new GatewayError(
    "unsupported_value",
    `'${param}' ${what}, or ask a model of a server that has /v1/completions itself: this one is reached by chat.`,
    { param },
  );
}
