import { isRecord } from "../../lib/records.ts";
import type { Units } from "../models/model.ts";
import { computeSearches, tokenCount } from "./chat-usage.ts";

/**
 * Reads the `usage` of Anthropic's Messages API as disjoint classes (docs/providers/anthropic.md#messages).
 * `input_tokens` leaves out cache reads and cache writes. Writes are split by their lifetime: five minutes
 * (`cache_write`) or an hour (`cache_write_1h`); unsplit writes count as the first kind. Thinking is a part of
 * `output_tokens` and is separated if the provider does so.
 *
 * In a stream `message_start` has the figures of the prompt and `message_delta` the cumulative rest: pass the fields of
 * both, later ones that are not null over earlier ones.
 * @returns null if no token was reported, so that usage has to be counted here.
 */
export function createMessagesUnits(usage: unknown): Units | null {
  if (!isRecord(usage)) return null;
  const input = tokenCount(usage["input_tokens"]);
  const output = tokenCount(usage["output_tokens"]);
  if (input === null && output === null) return null;

  const read = tokenCount(usage["cache_read_input_tokens"]) ?? 0;
  const cacheCreation = isRecord(usage["cache_creation"]) ? usage["cache_creation"] : {};
  const reportedHour = tokenCount(cacheCreation["ephemeral_1h_input_tokens"]) ?? 0;
  const written =
    tokenCount(usage["cache_creation_input_tokens"]) ??
    reportedHour + (tokenCount(cacheCreation["ephemeral_5m_input_tokens"]) ?? 0);
  const hour = Math.min(reportedHour, written);
  if ((input ?? 0) + (output ?? 0) + read + written === 0) return null;

  const details = isRecord(usage["output_tokens_details"]) ? usage["output_tokens_details"] : {};
  const thinking = Math.min(tokenCount(details["thinking_tokens"]) ?? 0, output ?? 0);
  const searched = computeSearches(usage);
  return {
    input: input ?? 0,
    ...(read === 0 ? {} : { cached_input: read }),
    ...(written === hour ? {} : { cache_write: written - hour }),
    ...(hour === 0 ? {} : { cache_write_1h: hour }),
    output: (output ?? 0) - thinking,
    ...(thinking === 0 ? {} : { reasoning: thinking }),
    ...(searched === 0 ? {} : { web_search: searched }),
  };
}
