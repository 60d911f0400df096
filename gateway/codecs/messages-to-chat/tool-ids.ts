import { fingerprint } from "./fingerprint.ts";
import type { TranslationContext } from "../translation.ts";

/** The ids of one message's calls as its client is shown them: clean, one for each, and different from each other. */
export class ToolUseIds {
  readonly #context: TranslationContext;
  readonly #used = new Set<string>();

  constructor(context: TranslationContext) {
    this.#context = context;
  }

  /** @param call `id` null: the provider gave none, so that one is made. */
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
 * A tool call's id in a form that every provider takes: Anthropic wants `[a-zA-Z0-9_-]` only
 * (docs/dialects.md#messages-request-to-chat), and OpenAI no more than 40 characters (its own 400, from memory). The
 * same id always becomes the same id, whichever way it travels, and one that is fine stays as it is; so calls and
 * results fit together without anything being remembered.
 */
export function cleanToolId(id: string): string {
  if (FINE.test(id)) return id;
  if (id === "") return NO_ID;
  return `${id.replaceAll(/[^\w-]/g, "_").slice(0, LONGEST - FINGERPRINT)}_${fingerprint(id)}`;
}

const MARK = "__thought_";
const STANDARD_BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * A tool call of the chat dialect with the thought signature that Gemini wants back beside it
 * (docs/providers/gemini.md#layer-for-openai-clients).
 */
export interface SignedToolId {
  readonly id: string;
  readonly signature: string | null;
}

/**
 * The id under which a Messages client is shown a call. Gemini's thought signature travels in it, because that is the
 * one place which Claude Code and the SDKs send back unchanged.
 */
export function withSignature(id: string, signature: string | null): string {
  const clean = cleanToolId(id);
  if (signature === null || !STANDARD_BASE64.test(signature)) return clean;
  return `${clean}${MARK}${signature.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Takes apart what `withSignature` put together; any other id is cleaned. */
export function splitSignature(id: string): SignedToolId {
  const mark = id.indexOf(MARK);
  if (mark === -1) return { id: cleanToolId(id), signature: null };
  const text = id
    .slice(mark + MARK.length)
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  return { id: cleanToolId(id.slice(0, mark)), signature: text.padEnd(Math.ceil(text.length / 4) * 4, "=") };
}
