import { cleanToolId, splitSignature } from "../../codecs/messages-to-chat/tool-ids.ts";
import { isRecord } from "../../lib/records.ts";

/**
 * Ids of calls in a session that other models took part in. OpenAI refuses long ones: "Invalid
 * 'messages[68].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length
 * 46" (vLLM's; https://github.com/anomalyco/opencode/issues/12653), and 64 for `call_id`
 * (https://github.com/decolua/9router/issues/393; both read 2026-11-24). The same id always becomes the same id.
 */
const LONGEST_ID = 40;
const LONGEST_CALL_ID = 64;

type Fields = Readonly<Record<string, unknown>>;

/** Messages of the chat dialect with ids that OpenAI takes. @returns undefined where nothing has to change */
export function withShortIds(messages: unknown): readonly unknown[] | undefined {
  return changed(messages, hasLongId, (message) => {
    const { tool_call_id: id, tool_calls: calls } = message;
    return {
      ...message,
      ...(isLong(id) ? { tool_call_id: cleanToolId(id) } : {}),
      ...(Array.isArray(calls) ? { tool_calls: calls.map(withShortId) } : {}),
    };
  });
}

/**
 * Items of the Responses dialect with such ids. Gemini's thought signature, which travels in them, is nothing for OpenAI.
 * @returns undefined where nothing has to change
 */
export function withShortCallIds(items: unknown): readonly unknown[] | undefined {
  return changed(items, hasLongCallId, (item) => ({
    ...item,
    call_id: splitSignature(String(item["call_id"])).id,
  }));
}

/** Nearly always nothing has to change, so nothing is made before something was seen. */
function changed(
  list: unknown,
  isLongIn: (entry: Fields) => boolean,
  change: (entry: Fields) => Fields,
): readonly unknown[] | undefined {
  if (!Array.isArray(list)) return undefined;
  for (let index = 0; index < list.length; index += 1) {
    const entry: unknown = list[index];
    if (isRecord(entry) && isLongIn(entry))
      return list.map((each: unknown) => (isRecord(each) && isLongIn(each) ? change(each) : each));
  }
  return undefined;
}

function hasLongId({ tool_call_id: id, tool_calls: calls }: Fields): boolean {
  return isLong(id) || (Array.isArray(calls) && calls.some((call) => isRecord(call) && isLong(call["id"])));
}

function hasLongCallId({ call_id: id }: Fields): boolean {
  return typeof id === "string" && id.length > LONGEST_CALL_ID;
}

const isLong = (id: unknown): id is string => typeof id === "string" && id.length > LONGEST_ID;

const withShortId = (call: unknown): unknown =>
  isRecord(call) && isLong(call["id"]) ? { ...call, id: cleanToolId(call["id"]) } : call;
