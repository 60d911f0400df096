import type { ModelSpec } from "../../core/models/model.ts";
import { countTokens } from "../tokens.ts";

/** Something in a message that is not text: named in the response, so that a client sees that it arrived. */
export interface Attachment {
  /** `an image (image/png, 70 bytes)`. */
  readonly description: string;
  /** What it adds to the prompt: a flat, plausible figure for its kind. */
  readonly tokens: number;
}

/** One message, as far as the sandbox reads it, in whatever dialect it was written. */
export interface Message {
  /** `tool` for the result of a call, whoever brings it. */
  readonly role: "system" | "user" | "assistant" | "tool";
  /** Its texts, one per line. */
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Of an assistant's message: the ids of its tool calls and whom they called. */
  readonly calls: readonly { readonly id: string; readonly name: string }[];
  /** Of a tool's message: the call that it answers. */
  readonly callId: string | null;
  /** What it adds to the prompt, framing included. */
  readonly tokens: number;
}

/** A tool of the request. `custom` tools take free text; the others take JSON that fits `parameters`. */
export interface Tool {
  readonly kind: "function" | "custom";
  readonly name: string;
  /** Where the dialect has such a thing; null for the others. */
  readonly namespace: string | null;
  readonly description: string;
  /** JSON schema of the arguments. */
  readonly parameters: unknown;
}

/** Which tools may or must be called. */
export interface ToolChoice {
  readonly mode: "none" | "auto" | "required";
  /** The only ones that may be called; null: any. */
  readonly only: readonly string[] | null;
}

/** The shape that the response must have. */
export type ResponseFormat =
  | { readonly kind: "text" }
  | { readonly kind: "json_object" }
  | { readonly kind: "json_schema"; readonly schema: unknown };

/** What a request says about reasoning. */
export interface ReasoningWish {
  /** Whether it switches thinking on or off; null when it says nothing. */
  readonly asked: boolean | null;
  readonly effort: string | null;
  /** The most tokens to think; null: as the effort has it. */
  readonly budget: number | null;
}

/** What a request asks for, whatever its dialect: all that the plan of a response needs to know. */
export interface Conversation {
  /** As the client wrote it, and as the response repeats it. */
  readonly model: string;
  readonly spec: ModelSpec;
  readonly messages: readonly Message[];
  readonly choices: number;
  readonly stop: readonly string[];
  /** Per choice, reasoning included; null: as long as it takes. */
  readonly maxTokens: number | null;
  readonly format: ResponseFormat;
  readonly tools: readonly Tool[];
  readonly toolChoice: ToolChoice;
  readonly parallelCalls: boolean;
  /** How many alternatives to name for each token; null: no log probabilities. */
  readonly topLogprobs: number | null;
  readonly samplingSeed: number | null;
  readonly reasoning: ReasoningWish;
  /** Whether the client says that this prompt is repeated. */
  readonly cacheKey: boolean;
  /** Tokens of the tool definitions, which are part of the prompt. */
  readonly toolTokens: number;
}

/** What attachments add to a prompt. */
export const ATTACHMENT_TOKENS = { smallImage: 85, image: 765, audio: 100, video: 1_000, file: 250, unknown: 10 };

/** Where something attached lies: a URL, or what a data URL says of itself. */
export function placeOfUrl(url: string): string {
  if (!url.startsWith("data:")) return url.length > 120 ? `${url.slice(0, 120)}…` : url;
  const comma = url.indexOf(",");
  const mediaType = url.slice("data:".length, comma).split(";")[0] ?? "";
  return `${mediaType || "no media type"}, ${bytesOfBase64(url.slice(comma + 1))} bytes`;
}

/** How many bytes a base64 text stands for, without decoding it. */
export function bytesOfBase64(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((text.length * 3) / 4) - padding);
}

/** What a dialect adds to each message for its role and its ends. */
export const FRAMING_TOKENS = 3;

/** What one message says. */
export interface Content {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** @param otherTokens of what is neither text nor attached. */
export function newMessage(role: Message["role"], { text, attachments }: Content, otherTokens = 0): Message {
  const attached = attachments.reduce((sum, attachment) => sum + attachment.tokens, 0);
  const tokens = FRAMING_TOKENS + countTokens(text) + attached + otherTokens;
  return { role, text, attachments, calls: [], callId: null, tokens };
}
