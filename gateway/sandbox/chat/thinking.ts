import { isRecord } from "../../lib/records.ts";
import type { Fields } from "../fields.ts";

/**
 * Whether the request switches thinking on or off, in any of the dialects that reach an OpenAI-shaped provider:
 * `reasoning_effort`, `thinking` (Anthropic, Ark, DeepSeek), `enable_thinking` (DashScope); null when it says nothing.
 */
export function thinkingAsked(body: Fields): boolean | null {
  const thinking = isRecord(body["thinking"]) ? body["thinking"]["type"] : undefined;
  if (thinking === "disabled" || body["enable_thinking"] === false) return false;
  if (thinking !== undefined || body["enable_thinking"] === true) return true;
  return typeof body["reasoning_effort"] === "string" ? true : null;
}
