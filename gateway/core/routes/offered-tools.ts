import { isRecord } from "../../lib/records.ts";

/** Finds what a request offers beyond text output, in every dialect. */

type Fields = Readonly<Record<string, unknown>>;

export interface Offered {
  /** Tools other than web search. */
  readonly tools: boolean;
  readonly webSearch: boolean;
  /** The provider executes something for it that may change more than the response. */
  readonly executes: boolean;
}

const NOTHING: Offered = { tools: false, webSearch: false, executes: false };

/**
 * Web search as a tool: `web_search_20250305` and later (Anthropic), `web_search`, `web_search_preview…` (OpenAI, xAI,
 * Zhipu), `openrouter:web_search`, `x_search` (xAI).
 */
const WEB_SEARCH = /^(?:openrouter:)?(?:web_search|x_search|live_search)/;
/** Google's tools are identified by a field: `{google_search: {}}`. */
const GOOGLE_SEARCH = ["google_search", "googleSearch", "google_search_retrieval", "googleSearchRetrieval"] as const;
const GOOGLE_CODE = ["code_execution", "codeExecution"] as const;

/**
 * Fields of the body for web search: OpenAI's chat and Perplexity, xAI, DashScope. OpenRouter's are among its `plugins`, or
 * after the model's name.
 */
const SEARCH_FIELDS: ReadonlySet<string> = new Set(["web_search_options", "search_parameters", "enable_search"]);
const ONLINE = ":online";

/**
 * Tools whose execution has no side effects at a provider: those that the client executes itself (functions; OpenAI's
 * shell and patches; Anthropic's editor, shell and memory; computer use of either), and those that only read, or create
 * content of the response. All others may have side effects, including code interpreters and MCP servers.
 */
const HARMLESS =
  /^(?:function|custom|namespace|local_shell|shell|apply_patch|computer|bash_|text_editor_|memory_|tool_search|web_fetch|file_search|retrieval|image_generation|builtin_function|googlemaps|google_maps|url_context)/;

/** Fields that execute or store something if not empty. */
const EXECUTING_FIELDS: ReadonlySet<string> = new Set([
  // Responses: it runs on without a client. xAI's `deferred` does the same.
  "background",
  "deferred",
  // OpenAI stores the response in the account. This is also the default, and a retry stores two.
  "store",
  // Responses: is written into that conversation.
  "conversation",
  // Anthropic: its connector to MCP servers, and a machine that code runs on.
  "mcp_servers",
  "container",
  // DashScope.
  "enable_code_interpreter",
]);

export function findOffered(body: Fields): Offered {
  const ofGoogle = createGoogleFields(body)?.["tools"];
  const executes = executesBesides(body);
  const webSearch = isSearching(body);
  const tools = isGiven(body["functions"]);
  if (!Array.isArray(body["tools"]) && !Array.isArray(ofGoogle)) {
    return tools || webSearch || executes ? { tools, webSearch, executes } : NOTHING;
  }
  const found = { tools, webSearch, executes };
  look(body["tools"], found);
  look(ofGoogle, found);
  return found;
}

function look(list: unknown, found: { -readonly [Field in keyof Offered]: boolean }): void {
  if (!Array.isArray(list)) return;
  for (const tool of list as readonly unknown[]) {
    if (!isRecord(tool)) continue;
    if (isWebSearch(tool)) found.webSearch = true;
    else {
      found.tools = true;
      found.executes ||= isExecuted(tool);
    }
  }
}

function executesBesides(body: Fields): boolean {
  // A hot path of every call: `for…in` allocates nothing, whereas `for…of` allocates per step until V8 has optimized
  // it.
  for (const name in body) if (EXECUTING_FIELDS.has(name) && isGiven(body[name])) return true;
  return false;
}

/** Returns the fields of Google's layer for OpenAI clients (docs/providers/gemini.md). */
export function createGoogleFields(body: Fields): Fields | null {
  const extra = body["extra_body"];
  const google = isRecord(extra) ? extra["google"] : null;
  return isRecord(google) ? google : null;
}

function isWebSearch(tool: Fields): boolean {
  const { type } = tool;
  if (type === undefined) return GOOGLE_SEARCH.some((name) => tool[name] !== undefined);
  if (typeof type !== "string") return false;
  // Moonshot's: {"type": "builtin_function", "function": {"name": "$web_search"}}.
  if (type === "builtin_function") return isRecord(tool["function"]) && tool["function"]["name"] === "$web_search";
  return WEB_SEARCH.test(type) || GOOGLE_SEARCH.some((name) => name === type);
}

function isExecuted(tool: Fields): boolean {
  const { type } = tool;
  // Anthropic's clients leave the type of their functions out.
  if (type === undefined) return GOOGLE_CODE.some((name) => tool[name] !== undefined);
  if (typeof type !== "string" || !HARMLESS.test(type)) return true;
  // OpenAI's shell runs in a container at OpenAI if requested.
  const environment = tool["environment"];
  const where = isRecord(environment) ? environment["type"] : null;
  return typeof where === "string" && where.startsWith("container");
}

function isSearching(body: Fields): boolean {
  const { model, plugins } = body;
  if (typeof model === "string" && model.endsWith(ONLINE)) return true;
  for (const name in body) {
    if (!SEARCH_FIELDS.has(name)) continue;
    const value = body[name];
    // xAI's field has {"mode": "off"} if search is disabled.
    if (value != null && value !== false && !(isRecord(value) && value["mode"] === "off")) return true;
  }
  return Array.isArray(plugins) && plugins.some((plugin) => isRecord(plugin) && plugin["id"] === "web");
}

/** Tells whether a field has a value other than null, false or empty. */
function isGiven(value: unknown): boolean {
  return value != null && value !== false && value !== "" && !(Array.isArray(value) && value.length === 0);
}
