import { isRecord } from "../../lib/records.ts";
import { tokenCount } from "../chat/chat-usage.ts";
import { mostDocumentTokens, mostLinkedDocumentTokens, mostPictureTokens, mostSoundTokens } from "./media-tokens.ts";
import { estimateTextTokens, mostTextTokens } from "./text-tokens.ts";

/** Tokens of a request's prompt and tools, in any dialect of conversation, without asking the provider. */

type Fields = Readonly<Record<string, unknown>>;

/** Role and separators of one message, and the start of the response (OpenAI's counting recipe: 3 to 4). */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_REPLY = 3;

/** Fields with the model's input in all dialects; their blocks and items are counted one at a time. */
const TURNS = ["messages", "input", "system", "instructions"] as const;
const DEFINITIONS = ["tools", "functions", "response_format", "text", "output_config"] as const;

/** How the parts of a prompt are counted. */
interface Counting {
  readonly text: (text: string) => number;
  readonly picture: (data: unknown) => number;
  readonly sound: (data: unknown) => number;
  readonly film: () => number;
  readonly document: (data: unknown) => number;
  /** Told of every field inside of blocks and definitions. */
  readonly field: (name: string, value: unknown) => void;
}

/** A large image at OpenAI (tiles), Anthropic and Google is 765 to 1,600 tokens. */
const LIKELY_PICTURE = 1_600;
/** Sound, films and documents by reference: some minutes, or a dozen pages. */
const LIKELY_MEDIUM = 6_000;
/** Base64 characters of one token: 64 kbit/s sound at 10 tokens a second has about 1,000; documents have more text. */
const LIKELY_BASE64 = 200;

/**
 * Estimates the tokens of a prompt, as a whole number; used for charges or display if the provider reports nothing.
 * @param count counter for texts; a quick estimate by default.
 */
export function estimatePromptTokens(body: Fields, count: (text: string) => number = estimateTextTokens): number {
  const medium = (data: unknown): number =>
    Math.max(LIKELY_MEDIUM, typeof data === "string" ? data.length / LIKELY_BASE64 : 0);
  return promptTokens(body, {
    text: count,
    picture: () => LIKELY_PICTURE,
    sound: medium,
    film: () => LIKELY_MEDIUM,
    document: medium,
    field: () => undefined,
  });
}

/** Max tokens of a prompt, and the other facts that its cost depends on. */
export interface MostPrompt {
  readonly tokens: number;
  /** Whether a part is cached by the provider for one hour. */
  readonly forAnHour: boolean;
  readonly hasSound: boolean;
  /** Max searches that the provider runs for a response. */
  readonly searches: number;
}

/** The content of a request, counted for one reader. */
export interface CountedPrompt extends Pick<MostPrompt, "forAnHour" | "hasSound"> {
  /** Max tokens of its texts and media. */
  readonly own: number;
  /** Tokens that do not depend on the model; null if not all were counted, or there is media. */
  readonly words: number | null;
  /** Whether long texts were taken by their bytes. */
  readonly rough: boolean;
}

/** Known facts of the model that reads a prompt. */
export interface PromptReader {
  /** The provider's name for it. */
  readonly id: string;
  readonly owner: string | null;
  /** Tokens; null if unknown. */
  readonly context: number | null;
}

/** Max prompt tokens for models of unknown context size. */
const LARGEST_CONTEXT = 1_000_000;

/** Tokens that the provider adds to a prompt: its own instructions, and those for tools. */
const ADDED_BY_PROVIDER: Readonly<Record<string, number>> = { xai: 1_000 };
const ADDED_TO_ANY = 20;
const ADDED_TO_TOOLS = 600;
/** A tool that the provider describes itself, as Anthropic does those of an editor and a shell. */
const ADDED_TO_KNOWN_TOOL = 1_000;
/**
 * Tools that the client runs itself, and searches for such tools: OpenAI's and Anthropic's
 * (https://platform.openai.com/docs/guides/tools, https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview,
 * 2026-11-28).
 */
const CLIENTS_OWN_TOOL =
  /^(?:local_shell|shell|apply_patch|tool_search|computer|computer_use_preview|(?:bash|text_editor|computer|memory|tool_search_tool)_.*)$/;
/** Max tokens that one search by a provider was seen to add to a prompt. */
const TOKENS_PER_SEARCH = 10_000;

/** Fields that let a provider search. */
const SEARCH_OPTIONS = ["web_search_options", "search_parameters", "enable_search", "plugins"] as const;

/** Fields that let the model read more than the request: stored content, or results of lookups while it responds. */
const REACHES_OUT = [
  "previous_response_id",
  "conversation",
  "container",
  "mcp_servers",
  "cached_content",
  "context_id",
] as const;

/**
 * Counts the max tokens of the texts and media of a request.
 * @param before the count for another model, whose text count is reused
 * @param roughly whether long texts are counted by bytes, because an overestimate is harmless
 */
export function findMostPrompt(
  body: Fields,
  { id, owner, context }: PromptReader,
  before: CountedPrompt | null = null,
  roughly = false,
): CountedPrompt {
  const most = context ?? LARGEST_CONTEXT;
  const known = before?.words ?? null;
  const counting = new MostCounting(most, owner, id, roughly);
  const tokens = known ?? promptTokens(body, counting);
  const caches = [body["cache_control"], body["prompt_cache_options"]];
  return {
    own: Math.min(most, tokens),
    forAnHour:
      counting.forAnHour ||
      before?.forAnHour === true ||
      caches.some((cache) => isRecord(cache) && isLongTtl(cache["ttl"])),
    hasSound: counting.hasSound,
    words: counting.isWhole ? tokens : null,
    rough: counting.isRough,
  };
}

/**
 * Returns the max prompt tokens of a sent request, with the provider's additions, tools and searches. If it refers to
 * stored content, only the context bounds it. A longer prompt is refused, so it never costs more.
 * @param sent the request in the provider's dialect, without dropped tools
 */
export function boundPrompt(counted: CountedPrompt, sent: Fields, { owner, context }: PromptReader): MostPrompt {
  const most = context ?? LARGEST_CONTEXT;
  const searches = findSearches(sent);
  const added = ADDED_TO_ANY + (ADDED_BY_PROVIDER[owner ?? ""] ?? 0) + searches * TOKENS_PER_SEARCH;
  const all = counted.own + added + addedToTools(sent["tools"], most);
  const { forAnHour, hasSound } = counted;
  return { tokens: Math.min(most, reachesOut(sent) ? most : all), forAnHour, hasSound, searches };
}

/** Characters above which a text takes more than a few µs. */
const LONG_TEXT = 4_096;

class MostCounting implements Counting {
  forAnHour = false;
  hasSound = false;
  isRough = false;
  readonly #roughly: boolean;
  readonly #most: number;
  readonly #owner: string | null;
  readonly #id: string;
  #counted = 0;
  #hasMedia = false;

  constructor(most: number, owner: string | null, id: string, roughly: boolean) {
    this.#roughly = roughly;
    this.#most = most;
    this.#owner = owner;
    this.#id = id;
  }

  /** Whether everything was counted, and the count does not depend on the model. */
  get isWhole(): boolean {
    return !this.#hasMedia && !this.isRough && this.#counted < this.#most;
  }

  /** Counts a text; beyond the context size the count no longer matters. */
  text(text: string): number {
    if (this.#counted >= this.#most) return 0;
    const own = this.#roughly && text.length > LONG_TEXT ? this.#bytes(text) : mostTextTokens(text);
    this.#counted += own;
    return own;
  }

  /** A text never has more tokens than bytes. */
  #bytes(text: string): number {
    this.isRough = true;
    return Buffer.byteLength(text, "utf8");
  }

  picture(data: unknown): number {
    this.#hasMedia = true;
    return mostPictureTokens(this.#owner, this.#id, data);
  }

  sound(data: unknown): number {
    this.hasSound = true;
    this.#hasMedia = true;
    return typeof data === "string" ? mostSoundTokens(data) : this.#most;
  }

  film(): number {
    this.hasSound = true;
    this.#hasMedia = true;
    return this.#most;
  }

  document(data: unknown): number {
    this.#hasMedia = true;
    return typeof data === "string" ? mostDocumentTokens(data) : mostLinkedDocumentTokens(this.#owner, this.#most);
  }

  field(name: string, value: unknown): void {
    if (name === "ttl" && isLongTtl(value)) this.forAnHour = true;
  }
}

/** Times of cache writes that cost more: Anthropic's and OpenAI's. */
const isLongTtl = (ttl: unknown): boolean => ttl === "1h" || ttl === "12h";

/** Assumed searches if the client does not limit them; few responses need as many. */
const SEARCHES = 10;

function findSearches(body: Fields): number {
  for (const field of SEARCH_OPTIONS) if (body[field] != null && body[field] !== false) return SEARCHES;
  const tools = body["tools"];
  if (!Array.isArray(tools)) return 0;
  let searches = 0;
  for (const tool of tools as readonly unknown[]) {
    if (!isRecord(tool) || typeof tool["type"] !== "string" || !tool["type"].startsWith("web_search")) continue;
    searches += tokenCount(tool["max_uses"]) ?? tokenCount(body["max_tool_calls"]) ?? SEARCHES;
  }
  return searches;
}

function addedToTools(tools: unknown, most: number): number {
  if (!Array.isArray(tools) || tools.length === 0) return 0;
  let added = ADDED_TO_TOOLS;
  for (const tool of tools as readonly unknown[]) {
    const type = isRecord(tool) ? tool["type"] : undefined;
    if (!isRecord(tool) || typeof type !== "string" || OWN_TOOLS.has(type)) continue;
    const isHosted = isRecord(tool["environment"]) && String(tool["environment"]["type"]).startsWith("container");
    const isBounded = !isHosted && (CLIENTS_OWN_TOOL.test(type) || type.startsWith("web_search"));
    added += isBounded ? ADDED_TO_KNOWN_TOOL : most;
  }
  return added;
}

const OWN_TOOLS: ReadonlySet<string> = new Set(["function", "custom", "namespace"]);

function reachesOut(body: Fields): boolean {
  for (const field of REACHES_OUT) if (body[field] != null && body[field] !== false) return true;
  // `prompt` is a stored prompt in the Responses dialect and a text in others.
  if (isRecord(body["prompt"]) || isGoingOn(body["thread"])) return true;
  const extra = body["extra_body"];
  const google = isRecord(extra) ? extra["google"] : null;
  return isRecord(google) && google["cached_content"] != null;
}

function isGoingOn(thread: unknown): boolean {
  return isRecord(thread) && thread["previous_message_id"] != null;
}

function promptTokens(body: Fields, counting: Counting): number {
  let tokens = TOKENS_PER_REPLY;
  for (const field of TURNS) {
    const turns = body[field];
    if (typeof turns === "string") tokens += TOKENS_PER_MESSAGE + counting.text(turns);
    else if (Array.isArray(turns))
      for (const turn of turns as readonly unknown[]) tokens += TOKENS_PER_MESSAGE + turnTokens(turn, counting);
  }
  for (const field of DEFINITIONS) tokens += dataTokens(body[field], counting);
  return Math.ceil(tokens);
}

function turnTokens(turn: unknown, counting: Counting): number {
  if (!isRecord(turn)) return typeof turn === "string" ? counting.text(turn) : 0;
  const content = turn["content"] ?? turn["output"];
  // A block of a system prompt, a function call or another item without content.
  if (content === undefined || content === null) return blockTokens(turn, counting);
  let tokens = contentTokens(content, counting);
  // Names, calls, reasoning that is given back.
  for (const field in turn) {
    if (field !== "content" && field !== "output" && field !== "role") tokens += dataTokens(turn[field], counting);
  }
  return tokens;
}

function contentTokens(content: unknown, counting: Counting): number {
  if (typeof content === "string") return counting.text(content);
  if (!Array.isArray(content)) return dataTokens(content, counting);
  return (content as readonly unknown[]).reduce<number>((sum, block) => sum + blockTokens(block, counting), 0);
}

function blockTokens(block: unknown, counting: Counting): number {
  if (!isRecord(block)) return typeof block === "string" ? counting.text(block) : 0;
  dataTokens(block["cache_control"], counting);
  switch (block["type"]) {
    case "image_url":
    case "input_image":
    case "image":
      return counting.picture(findPicture(block));
    case "video_url":
      return counting.film();
    case "audio_url":
      return counting.sound(null);
    case "input_audio":
      return counting.sound(findData(block["input_audio"], "data"));
    case "file":
      return counting.document(findData(block["file"], "file_data"));
    case "input_file":
      return counting.document(findData(block, "file_data"));
    case "document":
      return documentTokens(block, counting);
    case "tool_result":
      return contentTokens(block["content"], counting);
    default:
      return dataTokens(block, counting);
  }
}

/** The picture itself in base64 or as a data URL, or its address; of the dialects' four ways to write it. */
function findPicture(block: Fields): unknown {
  const image = block["image_url"] ?? block["source"];
  return isRecord(image) ? (image["data"] ?? image["url"]) : image;
}

/** Returns an object's base64 data under a name; null if the object only references it. */
function findData(holder: unknown, name: string): string | null {
  const data = isRecord(holder) ? holder[name] : null;
  return typeof data === "string" ? data : null;
}

/** Anthropic's: a file in base64, a text, blocks, or what is named by an address or an id. */
function documentTokens(block: Fields, counting: Counting): number {
  const { source, ...rest } = block;
  const about = dataTokens(rest, counting);
  if (!isRecord(source)) return about + counting.document(null);
  if (source["type"] === "text") return about + dataTokens(source["data"], counting);
  if (source["type"] === "content") return about + contentTokens(source["content"], counting);
  return about + counting.document(findData(source, "data"));
}

/** Tokens of any JSON: its texts and its field names. The body's depth was limited before (core/json-depth.ts). */
function dataTokens(value: unknown, counting: Counting): number {
  if (typeof value === "string") return counting.text(value) + 1;
  if (Array.isArray(value))
    return (value as readonly unknown[]).reduce<number>((sum, item) => sum + dataTokens(item, counting), 1);
  if (typeof value === "number") return counting.text(String(value));
  if (!isRecord(value)) return value == null ? 0 : 1;
  let tokens = 1;
  for (const key in value) {
    counting.field(key, value[key]);
    tokens += 1 + counting.text(key) + dataTokens(value[key], counting);
  }
  return tokens;
}
