import { getFingerprint } from "./fingerprint.ts";
import type { TranslationContext } from "../translation.ts";

/** The ids of one message's calls as its client is shown them: clean, one for each, and different from each other. */
export class ToolUseIds {
  readonly #context: TranslationContext;
  readonly #used = new Set<string>();

  constructor(context: TranslationContext) {
    this.#context = context;
  }

  /** @param call `id` null: the provider gave none, so one is generated */
  shown(call: { readonly id: string | null; readonly signature: string | null }): string {
    const given = call.id === null || this.#used.has(call.id) ? `toolu_${this.#context.newId()}` : call.id;
    this.#used.add(given);
    return withSignature(given, call.signature);
  }
}

const FINE = /^[\w-]{1,40}$/;
const LONGEST = 40;
const FINGERPRINT = 8;

/** Anthropic refuses an empty id; servers without ids leave it empty in the call and in its result alike. */
const NO_ID = "call_without_id";

/**
 * Converts a tool call's id to a form that every provider accepts: Anthropic allows `[a-zA-Z0-9_-]` only
 * (docs/dialects.md#messages-request-to-chat), and OpenAI no more than 40 characters (its own 400, from memory). The
 * mapping is deterministic and leaves valid ids unchanged, so calls and results match without stored state.
 */
export function cleanToolId(id: string): string {
  if (FINE.test(id)) return id;
  if (id === "") return NO_ID;
  return `${id.replaceAll(/[^\w-]/g, "_").slice(0, LONGEST - FINGERPRINT)}_${getFingerprint(id)}`;
}

const MARK = "__thought_";
const ID_MARK = "__as_";
const STANDARD_BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Valid ids for Anthropic's clients and SDKs. */
const SHOWABLE = /^[\w-]{1,200}$/;
/** Max length of a restorable id; longer ids are replaced by their fingerprint. */
const LONGEST_KEPT = 200;

/**
 * A tool call of the chat dialect with the thought signature that Gemini wants back next to it
 * (docs/providers/gemini.md#layer-for-openai-clients).
 */
export interface SignedToolId {
  readonly id: string;
  readonly signature: string | null;
}

/**
 * Builds the call id for a Messages client, from which {@link splitSignature} restores the provider's: Kimi K2 stops
 * responding if `functions.Bash:0` comes back changed (https://github.com/MoonshotAI/kimi-code/issues/520, read
 * 2026-11-28). It also carries Gemini's thought signature, because it is the only field that Claude Code and the SDKs
 * return unchanged.
 */
export function withSignature(id: string, signature: string | null): string {
  const shown = shownId(id);
  if (signature === null || !STANDARD_BASE64.test(signature)) return shown;
  return `${shown}${MARK}${getUrlSafe(signature)}`;
}

function shownId(id: string): string {
  if (SHOWABLE.test(id) && !id.includes(ID_MARK) && !id.includes(MARK)) return id;
  if (id === "" || id.length > LONGEST_KEPT) return cleanToolId(id);
  return `call${ID_MARK}${Buffer.from(id).toString("base64url")}`;
}

function getUrlSafe(base64: string): string {
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Reverses `withSignature`; any other id is unchanged. */
export function splitSignature(shown: string): SignedToolId {
  const mark = shown.indexOf(MARK);
  if (mark === -1) return { id: givenId(shown), signature: null };
  const text = shown
    .slice(mark + MARK.length)
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  return { id: givenId(shown.slice(0, mark)), signature: text.padEnd(Math.ceil(text.length / 4) * 4, "=") };
}

function givenId(shown: string): string {
  const mark = shown.indexOf(ID_MARK);
  return mark === -1 ? shown : Buffer.from(shown.slice(mark + ID_MARK.length), "base64url").toString();
}
