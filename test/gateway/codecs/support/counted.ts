import type { Document } from "../../../../gateway/codecs/translation.ts";
import { createChatUnits } from "../../../../gateway/core/chat/chat-usage.ts";
import { createMessagesUnits } from "../../../../gateway/core/chat/messages-usage.ts";
import type { Units } from "../../../../gateway/core/models/model.ts";
import { isRecord } from "../../../../gateway/lib/records.ts";

/** What the gateway reads of the usage in a response, or in the events of a stream, of either dialect. */
export function countedIn(...told: readonly Document[]): Units {
  const usage: Record<string, unknown> = {};
  for (const event of told) {
    const message = isRecord(event["message"]) ? event["message"] : event;
    const said = isRecord(message["usage"]) ? message["usage"] : {};
    for (const [name, value] of Object.entries(said)) if (value !== null) usage[name] = value;
  }
  return createChatUnits(usage) ?? createMessagesUnits(usage) ?? {};
}
