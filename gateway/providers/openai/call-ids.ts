import { cleanToolId, splitSignature } from "../../codecs/messages-to-chat/tool-ids.ts";
import { isRecord } from "../../lib/records.ts";

/**
 * Ids of calls in a session that other models took part in: OpenAI refuses a `call_id` of more than 64 characters
 * (https://github.com/decolua/9router/issues/393, read 2026-11-24). The same id always becomes the same id.
 */
const LONGEST_CALL_ID = 64;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Shortens the call ids of Responses items, which may carry Gemini's thought signature.
 * @returns undefined if nothing changes
 */
export function withShortCallIds(items: unknown): readonly unknown[] | undefined {
  return changeIds(items, hasLongCallId, (item) => {
    const { id } = splitSignature(String(item["call_id"]));
    return { ...item, call_id: id.length > LONGEST_CALL_ID ? cleanToolId(id) : id };
  });
}

/** Usually nothing changes, so nothing is allocated before a change is found. */
function changeIds(
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

function hasLongCallId({ call_id: id }: Fields): boolean {
  return typeof id === "string" && id.length > LONGEST_CALL_ID;
}
