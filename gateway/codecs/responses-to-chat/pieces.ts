import { isRecord } from "../../lib/records.ts";
import { carry } from "../carried-thinking.ts";
import type { CarriedThinking } from "../carried-thinking.ts";
import type { Called } from "../messages-to-chat/called.ts";
import { splitSignature, withSignature } from "../messages-to-chat/tool-ids.ts";
import type { Document } from "../translation.ts";
import type { ToolIndex, ToolIdentity } from "./tools.ts";

/** A complete piece of model output, which becomes one item of the output. */
export type Piece =
  | { readonly kind: "reasoning"; readonly text: string; readonly carried: CarriedThinking }
  | { readonly kind: "refusal"; readonly text: string }
  | { readonly kind: "text"; readonly text: string; readonly logprobs: readonly unknown[] }
  | { readonly kind: "call"; readonly text: string; readonly identity: ToolIdentity; readonly callId: string };

export type ItemStatus = "in_progress" | "completed" | "incomplete";

const ID_PREFIXES = {
  reasoning: "rs_",
  refusal: "msg_",
  text: "msg_",
  function: "fc_",
  custom: "ctc_",
  tool_search: "tsc_",
};

/** A fresh id for the item of a piece, with the prefix that OpenAI's have. */
export function readItemId(piece: Piece, newId: () => string): string {
  return ID_PREFIXES[piece.kind === "call" ? piece.identity.kind : piece.kind] + newId();
}

/** Returns the item for the client. An item in progress has no content, as at OpenAI. */
export function readItem(piece: Piece, id: string, status: ItemStatus): Document {
  const empty = status === "in_progress";
  switch (piece.kind) {
    case "reasoning":
      return { id, type: "reasoning", ...(empty ? { summary: [] } : formatReasoning(piece.text, piece.carried)) };
    case "text":
    case "refusal": {
      const content = empty ? [] : [contentPart(piece)];
      return { id, type: "message", status, role: "assistant", content };
    }
    case "call":
      return { id, ...callItem(piece.identity, piece.callId, empty ? "" : piece.text, empty), status };
  }
}

/** Formats reasoning; the provider's own data travels as the encrypted content, which clients send back unread. */
function formatReasoning(text: string, carried: CarriedThinking): Document {
  const encrypted = carry(carried);
  return {
    summary: text === "" ? [] : [summaryPart(text)],
    ...(encrypted === "" ? {} : { encrypted_content: encrypted }),
  };
}

export function summaryPart(text: string): Document {
  return { type: "summary_text", text };
}

export function contentPart(piece: Extract<Piece, { kind: "text" | "refusal" }>): Document {
  return piece.kind === "refusal"
    ? { type: "refusal", refusal: piece.text }
    : { type: "output_text", text: piece.text, annotations: [], logprobs: piece.logprobs };
}

function callItem(identity: ToolIdentity, callId: string, text: string, empty: boolean): Document {
  const named = { name: identity.name, ...(identity.namespace === null ? {} : { namespace: identity.namespace }) };
  switch (identity.kind) {
    case "function":
      return { type: "function_call", call_id: callId, ...named, arguments: empty ? "" : readArguments(text) };
    case "custom":
      return { type: "custom_tool_call", call_id: callId, ...named, input: empty ? "" : readInput(text) };
    case "tool_search":
      return { type: "tool_search_call", call_id: callId, execution: "client", arguments: parsedObject(text) ?? {} };
  }
}

/** Some providers send no arguments at all for a function without parameters; clients parse what they get. */
export function readArguments(text: string): string {
  return text.trim() === "" ? "{}" : text;
}

/** Extracts the text of a custom tool from its function call; the whole arguments if they have another form. */
export function readInput(text: string): string {
  const input = parsedObject(text)?.["input"];
  return typeof input === "string" ? input : text;
}

function parsedObject(text: string): Document | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Tells whether the arguments of a call are complete. */
export function isWhole(text: string): boolean {
  return text.trimEnd().endsWith("}") && parsedObject(text) !== null;
}

/** The ids under which the client is shown the calls of one response. */
export class CallIds {
  readonly #used = new Set<string>();
  readonly #newId: () => string;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /**
   * @param call `id` is the provider's, which may be missing or the same twice. What Gemini wants back of a call travels in
   *   the id, the one thing that every client sends back unchanged.
   */
  readId({ id: given, signature }: Pick<Called, "id" | "signature">): string {
    const id = given !== null && !this.#used.has(given) ? given : `call_${this.#newId()}`;
    this.#used.add(id);
    return signature === null ? id : withSignature(id, signature);
  }
}

/** Returns the fields that identify a call in the history. */
export function callNamed(callId: string): { readonly id: string; readonly extra_content?: Document } {
  const { id, signature } = splitSignature(callId);
  if (signature === null) return { id: callId };
  return { id, extra_content: { google: { thought_signature: signature } } };
}

/** The call that a provider makes, once its name is known. */
export function callPiece(toolIndex: ToolIndex, wireName: string, text: string, callId: string): Piece {
  return { kind: "call", identity: toolIndex.identify(wireName), text, callId };
}
