import type { Translate, Translation } from "../../codecs/translation.ts";
import { GatewayError } from "../../core/errors.ts";
import { type Exchange, getModel } from "../exchange.ts";
import { Failure } from "../failure.ts";
import { type Fields, getText } from "../fields.ts";
import { deriveCreated, createSeed } from "../seed.ts";

/**
 * Translates a conversation of another dialect to chat, by the gateway's own translation. Ids and times are derived
 * from the request, so that the same request gives the same bytes.
 * @throws Failure for features that the chat dialect lacks, and for an unknown model
 */
export function translateExchange(exchange: Exchange, translate: Translate, body: Fields): Translation {
  const seed = createSeed(exchange.body);
  let ids = 0;
  try {
    return translate(body, {
      publicModel: String(body["model"]),
      model: getModel(exchange, body["model"], "chat"),
      now: deriveCreated(seed),
      newId: () => seed.digits(`id ${(ids += 1)}`, 24),
    });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { param, anthropic } = error.details;
    throw new Failure(error.status, error.message, { code: getText(anthropic?.["error_code"]) ?? error.code, param });
  }
}
