import { cleanToolId, splitSignature } from "../../codecs/messages-to-chat/tool-ids.ts";
import { isRecord } from "../../lib/records.ts";

/**
 * Ids of calls in a session that other models took part in: OpenAI refuses a `call_id` of more than 64 characters
 * (https://github.com/decolua/9router/issues/393, read 2026-11-24). The same id always becomes the same id.
 */
const LONGEST_CALL_ID = 64;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Items of the Responses dialect with such ids. Gemini's thought signature, which travels in them, is nothing for OpenAI.
 * @returns undefined where nothing has to change
 */
export function withShortCallIds(items: unknown): readonly unknown[] | undefined {
  return changeIds(items, hasLongCallId, (item) => {
    const { id } = splitSignature(String(item["call_id"]));
    return { ...item, call_id: id.length > LONGEST_CALL_ID ? cleanToolId(id) : id };
  });
}

/** Nearly always nothing has to change, so nothing is made before something was seen. */
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
