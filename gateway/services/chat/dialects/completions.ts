import { buildChatForm } from "../../../codecs/completions-to-chat/translate.ts";
import { readNumber, readRecords, readText } from "../../../codecs/messages-to-chat/fields.ts";
import type { Document } from "../../../codecs/translation.ts";
import { completionRequestSchema } from "../../../contract/completions.ts";
import { validate } from "../../../core/validation.ts";
import { mapFields, mapItems } from "../../../lib/records.ts";
import type { Noticed } from "../../calls/stream-reader.ts";
import type { Dialect } from "../dialect.ts";
import { ChatObserver, chatDialect } from "./chat.ts";

/** OpenAI's API before chat: `POST /v1/completions`, whose choices hold a text instead of a message. */
export const completionsDialect: Dialect = {
  ...chatDialect,
  name: "completions",
  toForm: buildChatForm,
  responseName: "a completion",
  check: (body) => validate(completionRequestSchema, body),
  getText: (response) =>
    readRecords(response["choices"])
      .map((choice) => readText(choice["text"]) ?? "")
      .join(""),
  observer: (toUnits) => new CompletionObserver(toUnits),
  mapText: (map) => (chunk) =>
    mapItems(chunk, "choices", (choice, index) =>
      mapFields(choice, ["text"], String(readNumber(choice["index"]) ?? index), map),
    ),
};

class CompletionObserver extends ChatObserver {
  override notice(chunk: Document): Noticed {
    return super.notice(mapItems(chunk, "choices", (choice) => ({ ...choice, delta: { content: choice["text"] } })));
  }
}
