import { hostedTools } from "../../codecs/web-search/offered.ts";
import type { Document } from "../../codecs/translation.ts";
import type { DialectName } from "./dialect.ts";
import { asList, isRecord } from "../../lib/records.ts";

/**
 * Tools that report every use that costs something: as an item of OpenAI's response, or in Anthropic's `server_tool_use`.
 * MCP servers, fetched pages and tools that the client runs cost only tokens (developers.openai.com/api/docs/guides/tools;
 * platform.claude.com/docs/en/agents-and-tools/tool-use/overview, 2026-11-29).
 */
const COUNTED: Readonly<Partial<Record<DialectName, RegExp>>> = {
  responses:
    /^(web_search|file_search|mcp|code_interpreter|image_generation|local_shell|apply_patch|tool_search|computer|computer_use)$/,
  messages: /^(web_search|web_fetch|mcp_toolset|bash|text_editor|computer|memory|tool_search_tool_\w+)$/,
};

/** Returns whether all tools that may cost money in addition to tokens are reported in the response. */
export function offersCountedTools(dialect: DialectName, body: Document): boolean {
  const { names } = hostedTools(dialect, body);
  const input = asList(body["input"]);
  const hasMore = input.some((item) => isRecord(item) && item["tools"] !== undefined);
  return (
    (names.length > 0 || body["mcp_servers"] != null) && !hasMore && names.every((name) => COUNTED[dialect]?.test(name))
  );
}
