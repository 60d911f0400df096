import { asList, isRecord } from "../../lib/records.ts";
import type { Document } from "../translation.ts";
import { listHostedTools } from "../gemini-to-chat/tools.ts";
import { NO_FILTERS } from "../../core/search/search-result.ts";
import type { SearchPlace } from "../../core/search/search-result.ts";
import type { OfferedSearch } from "./served-round.ts";

type DialectName = "chat" | "messages" | "responses" | "gemini" | "completions";

/** Hosted tools of a request: run or defined by the dialect's own provider only. */
export interface HostedTools {
  /** Their names for people and headers, each once: `web_search`, `code_execution`. */
  readonly names: readonly string[];
  readonly search: OfferedSearch | null;
}

const NONE: HostedTools = { names: [], search: null };
/** `web_search_20250305`, `web_search_20260209`, …; `web_search_preview_2025_03_11`, `web_search_2025_08_26`. */
const SEARCH = /^web_search(?:_|$)/;

const readTexts = (list: unknown): readonly string[] =>
  Array.isArray(list) ? (list as readonly unknown[]).filter((one) => typeof one === "string") : [];

/** Returns the hosted tools of a request; cheap for requests without tools. */
export function hostedTools(dialect: DialectName, body: unknown): HostedTools {
  if (!isRecord(body) || dialect === "completions") return NONE;
  if (dialect === "chat") return inChat(body["web_search_options"]);
  const tools = asList(body["tools"]);
  if (tools.length === 0) return NONE;
  // Google's search is reported as not run: Postern's own search does not support this dialect yet.
  if (dialect === "gemini") return { names: listHostedTools(tools), search: null };
  const isOf = dialect === "messages" ? isAnthropics : isOpenAis;
  const isHosted = (tool: unknown): tool is Document => isRecord(tool) && isOf(tool);
  // Most requests have no hosted tools, so nothing is allocated before the first one.
  if (!tools.some(isHosted)) return NONE;
  const hosted = tools.filter(isHosted);
  const search = hosted.find(isSearch) ?? null;
  return {
    names: [...new Set(hosted.map((tool) => nameFamily(String(tool["type"]))))],
    search: search === null ? null : describeOffer(dialect, body, search, tools.length - hosted.length),
  };
}

function inChat(options: unknown): HostedTools {
  if (options == null) return NONE;
  const location = isRecord(options) ? options["user_location"] : null;
  const place = readPlace(isRecord(location) ? location["approximate"] : null);
  // Chat's search models always search, so a request for one without its own tools needs nothing else.
  const search = { name: "web_search", filters: NO_FILTERS, place, maxUses: null, needed: true };
  return { names: ["web_search"], search };
}

/** Text that may go into headers and addresses of a search service. */
const PLAIN = /^[\x20-\x7e]{1,100}$/;
const COUNTRY = /^[A-Za-z]{2}$/;

/** Anthropic and OpenAI have the same fields: `city`, `region`, `country`, `timezone`. */
function readPlace(location: unknown): SearchPlace | null {
  if (!isRecord(location)) return null;
  const text = (name: string, form = PLAIN): string | null => {
    const value = location[name];
    const trimmed = typeof value === "string" ? value.trim() : "";
    return form.test(trimmed) ? trimmed : null;
  };
  const place = {
    country: text("country", COUNTRY)?.toUpperCase() ?? null,
    region: text("region"),
    city: text("city"),
    timezone: text("timezone"),
  };
  return Object.values(place).some((part) => part !== null) ? place : null;
}

/** Anthropic's own tools have a dated type and no schema (docs/providers/anthropic.md#messages). */
function isAnthropics(tool: Document): boolean {
  return typeof tool["type"] === "string" && tool["type"] !== "custom" && tool["input_schema"] == null;
}

const CLIENTS_OWN: ReadonlySet<unknown> = new Set(["function", "custom", "namespace"]);

function isOpenAis(tool: Document): boolean {
  const { type } = tool;
  if (type === "tool_search") return tool["execution"] !== "client";
  return typeof type === "string" && !CLIENTS_OWN.has(type);
}

export function isSearch(tool: unknown): boolean {
  return (
    isRecord(tool) && typeof tool["type"] === "string" && SEARCH.test(tool["type"]) && tool["input_schema"] == null
  );
}

/** `web_search_20250305` and `web_search_preview` are versions of `web_search`. Header values are plain. */
function nameFamily(type: string): string {
  const family = SEARCH.test(type) ? "web_search" : type.replace(/_\d{8}$|_preview(_\d{4}_\d{2}_\d{2})?$/, "");
  return family.replaceAll(/[^\w.-]/g, "_").slice(0, 40);
}

function describeOffer(dialect: DialectName, body: Document, tool: Document, others: number): OfferedSearch {
  const filters = isRecord(tool["filters"]) ? tool["filters"] : tool;
  const uses = dialect === "messages" ? tool["max_uses"] : body["max_tool_calls"];
  const name = dialect === "messages" && typeof tool["name"] === "string" ? tool["name"] : "web_search";
  return {
    name,
    filters: { allowed: readTexts(filters["allowed_domains"]), blocked: readTexts(filters["blocked_domains"]) },
    place: readPlace(tool["user_location"]),
    maxUses: typeof uses === "number" && uses >= 0 ? Math.floor(uses) : null,
    needed: others === 0 || isForced(dialect, body["tool_choice"], name),
  };
}

function isForced(dialect: DialectName, choice: unknown, name: string): boolean {
  if (!isRecord(choice)) return false;
  return dialect === "messages" ? choice["type"] === "tool" && choice["name"] === name : isSearch(choice);
}
