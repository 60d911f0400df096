import { completionsToChat } from "../../codecs/completions-to-chat/translate.ts";
import { geminiToChat } from "../../codecs/gemini-to-chat/translate.ts";
import { chatToMessages } from "../../codecs/chat-to-messages/translate.ts";
import { chatToResponses } from "../../codecs/chat-to-responses/translate.ts";
import { messagesToChat } from "../../codecs/messages-to-chat/translate.ts";
import type { ResponsesContext } from "../../codecs/responses-to-chat/item-memory.ts";
import { responsesToChat } from "../../codecs/responses-to-chat/translate.ts";
import { chainTranslations } from "../../codecs/translation.ts";
import type { Document, Translate, Translation } from "../../codecs/translation.ts";
import { applyChatRules } from "../../core/chat/chat-rules.ts";
import type { ReachKind } from "../../providers/reach-rules.ts";
import type { ProviderError } from "../../core/attempts/provider-error.ts";
import { findUnknownTiers } from "../../core/money/price.ts";
import { isRecord } from "../../lib/records.ts";
import { findAdapter } from "../../providers/find-adapter.ts";
import { readLesson, readResponsesLesson } from "../../providers/lessons.ts";
import type { Lesson } from "../../providers/lessons.ts";
import type { DialectAdapter } from "../../providers/provider.ts";
import type { AllowedOutput, DialectCall, WireRequest } from "../../providers/wire-request.ts";
import { getLessons } from "../connections/connection.ts";
import type { Candidate, ServedModel } from "../models/served-model.ts";
import type { Dialect, DialectName } from "./dialect.ts";
import { chatDialect } from "./dialects/chat.ts";
import { completionsDialect } from "./dialects/completions.ts";
import { geminiDialect } from "./dialects/gemini.ts";
import { messagesDialect } from "./dialects/messages.ts";
import { responsesDialect } from "./dialects/responses.ts";
import { withCacheMarks } from "./prompt-cache.ts";

const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  chat: chatDialect,
  messages: messagesDialect,
  responses: responsesDialect,
  gemini: geminiDialect,
  completions: completionsDialect,
};

/** Translators from the client's dialect into the common chat API. */
const INTO_CHAT: Readonly<Record<Exclude<DialectName, "chat">, Translate>> = {
  messages: withChatRules(messagesToChat),
  responses: withChatRules(responsesToChat),
  gemini: withChatRules(geminiToChat),
  completions: withChatRules(completionsToChat),
};

/** Translators from the common chat API into the provider's dialect. */
const OUT_OF_CHAT: Readonly<Record<"messages" | "responses", Translate>> = {
  messages: chatToMessages,
  responses: chatToResponses,
};

/** Applies the model's silent drops, whatever dialect the client uses. */
function withChatRules(translate: Translate): Translate {
  return (body, context) => {
    const translation = translate(body, context);
    return {
      body: applyChatRules(translation.body, context.model, context.publicModel).body,
      response: (response, units) => translation.response(response, units),
      stream: () => translation.stream(),
    };
  };
}

/** A request in the dialect of its client. */
export interface ClientRequest {
  readonly dialect: Dialect;
  readonly raw: Buffer;
  /** Checked, in the form of its dialect, and after the rules of its model. */
  readonly body: Document;
  /** Body in the client's dialect, if that differs; null if media was replaced by text. */
  readonly own?: Document | null;
  /** Whether `body` differs in meaning from `raw`. */
  readonly changed: boolean;
  /** Headers that belong to the dialect. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A request rendered for one kind of provider. */
export interface Rendering {
  /** The provider's dialect. */
  readonly dialect: Dialect;
  readonly adapter: DialectAdapter;
  /** Null if client and provider share a dialect. */
  readonly translation: Translation | null;
}

/** Inputs of a translation in addition to the request: the clock (Unix milliseconds), ids, and recent responses. */
export type Made = { readonly now: () => number } & Pick<ResponsesContext, "newId" | "items" | "previous">;

/** Renders one request in each provider's dialect; translates at most once per dialect. */
export class RequestTranslator {
  readonly #request: ClientRequest;
  readonly #servedModel: ServedModel;
  readonly #made: Made;
  /** Null until the first translation: most requests need none. */
  #translations: Map<DialectName, Translation> | null = null;
  /** A candidate could not read the reasoning of the conversation. */
  #withoutReasoning = false;
  /** Body that `createRequest` made its last request of. */
  #outgoing: Document | null = null;
  /** Rendering for the last candidate. */
  #last: { readonly candidate: Candidate; readonly rendering: Rendering } | null = null;

  /** @param made the clock (Unix milliseconds) and the source of ids. */
  constructor(request: ClientRequest, servedModel: ServedModel, made: Made) {
    this.#request = request;
    this.#servedModel = servedModel;
    this.#made = made;
  }

  /** The last request, before the spelling of its server; null before the first. */
  get outgoing(): Document | null {
    return this.#outgoing;
  }

  get #streams(): boolean {
    return this.#request.body["stream"] === true;
  }

  get #answers(): number {
    const { n } = this.#request.body;
    return typeof n === "number" && this.#request.dialect.name === "chat" ? n : 1;
  }

  /** @throws GatewayError for features that the provider's dialect lacks */
  render(candidate: Candidate): Rendering {
    if (this.#last?.candidate === candidate) return this.#last.rendering;
    const { name, adapter } = this.#getTarget(candidate);
    const translation = name === this.#request.dialect.name ? null : this.#translation(name);
    const rendering = { dialect: DIALECTS[name], adapter, translation };
    this.#last = { candidate, rendering };
    return rendering;
  }

  /** Whether a candidate is asked in another dialect than the client's. @throws GatewayError as {@link render} does */
  needsTranslation(candidate: Candidate): boolean {
    return this.#getTarget(candidate).name !== this.#request.dialect.name;
  }

  /**
   * Returns the client's own dialect if the provider supports it, else chat, else Anthropic's; OpenAI's Responses for
   * models that support no other.
   */
  #getTarget({ connection, upstreamModel }: Candidate): {
    readonly name: DialectName;
    readonly adapter: DialectAdapter;
  } {
    const { provider, baseUrl } = connection;
    const requested = this.#request.dialect.name;
    const own = this.#request.own === null ? null : findAdapter(provider, requested, upstreamModel);
    if (own !== null && requested !== "chat") return { name: requested, adapter: own };
    if (provider.responsesForChat?.isNeeded(this.#chatBody, upstreamModel, baseUrl) === true)
      return { name: "responses", adapter: provider.responsesForChat.adapter };
    const chat = findAdapter(provider, "chat", upstreamModel);
    if (chat !== null) return { name: "chat", adapter: chat };
    const messages = findAdapter(provider, "messages", upstreamModel);
    if (messages === null) throw new Error(`${provider.id} speaks no dialect of conversation`);
    return { name: "messages", adapter: messages };
  }

  get #chatBody(): Document {
    return this.#request.dialect.name === "chat" ? this.#request.body : this.#translation("chat").body;
  }

  /** Returns how many extra choices a chat client requested from a dialect that returns one (not for streams). */
  countExtraChoices({ dialect }: Rendering): number {
    return dialect.name === "chat" || this.#streams ? 0 : this.#answers - 1;
  }

  /** The request in the provider's dialect. */
  getSentBody({ translation }: Rendering): Document {
    return translation?.body ?? this.#request.body;
  }

  /**
   * Creates the provider's request.
   * @param bound of each response, as `DialectCall` has it; with one, tiers without a known rate are left out
   * @param check receives what is sent, and throws if the key does not allow it
   */
  createRequest(
    candidate: Candidate,
    secret: string | null,
    bound: number | null,
    check: (kind: ReachKind, body: Document) => void,
  ): WireRequest {
    const { adapter, translation, dialect } = this.render(candidate);
    const call = this.#call(candidate, translation, bound);
    check(dialect.name, call.body);
    const original = this.#request.body;
    const marked = candidate.connection.promptCaching
      ? withCacheMarks({ call, original, candidate, dialect: dialect.name, adapter })
      : call;
    this.#outgoing = marked.body;
    return adapter.toRequest(marked, secret);
  }

  /** Returns the output that the request allows a candidate if a money limit applies and is sufficient. */
  readAllowedOutput(candidate: Candidate): AllowedOutput & { readonly countPrompts: number } {
    const { adapter, translation } = this.render(candidate);
    return { ...adapter.allows(this.#call(candidate, translation, Infinity)), countPrompts: this.prompts(candidate) };
  }

  /** Returns how often the prompt is sent to a candidate: once per choice if its dialect returns only one. */
  prompts(candidate: Candidate): number {
    return 1 + this.countExtraChoices(this.render(candidate));
  }

  /** Returns the lesson of a candidate's refusal; null if another request could not avoid it. */
  readLesson(candidate: Candidate, error: ProviderError): Lesson | null {
    const { translation, dialect } = this.render(candidate);
    const known = getLessons(candidate.connection, candidate.upstreamModel, this.#made.now());
    if (dialect.name === "responses" && translation !== null)
      return readResponsesLesson(error, translation.body, known);
    if (dialect.name !== "chat") return null;
    const { body } = this.#request;
    // Fields that the client wrote in the server's own dialect stay: the server's error about them stands.
    const own = this.#streams && body["stream_options"] == null ? ["stream_options"] : [];
    return readLesson(error, translation?.body ?? body, translation === null ? own : null, known);
  }

  /**
   * Leaves reasoning out that a candidate cannot decrypt, since a key of another organisation got it
   * (https://github.com/openai/codex/issues/8145, read 2026-11-28). @returns whether the request becomes another one
   */
  dropReasoning(candidate: Candidate, error: ProviderError): boolean {
    if (this.#withoutReasoning || error.code !== "invalid_encrypted_content") return false;
    const { translation, dialect } = this.render(candidate);
    this.#withoutReasoning = dialect.name === "responses" && translation !== null;
    return this.#withoutReasoning;
  }

  #call(candidate: Candidate, translation: Translation | null, bound: number | null): DialectCall {
    const { raw, body, own, changed, headers } = this.#request;
    const { body: added } = candidate.connection;
    const translated = translation === null ? (own ?? body) : this.#readable(translation.body);
    // The request's own fields go before the connection's.
    const merged = added === null ? translated : { ...added, ...translated };
    // A money limit can only be computed for known rates.
    const unknown = bound === null ? [] : findUnknownTiers(candidate.price, merged);
    return {
      raw: translation === null ? raw : null,
      body: unknown.length === 0 ? merged : omitFields(merged, unknown),
      changed: translation !== null || changed || added !== null || unknown.length > 0,
      upstreamModel: candidate.upstreamModel,
      model: this.#servedModel.spec,
      stream: body["stream"] === true,
      headers,
      origin: candidate.connection.origin,
      bound,
      lessons: getLessons(candidate.connection, candidate.upstreamModel, this.#made.now()),
    };
  }

  #readable(body: Document): Document {
    const { input } = body;
    if (!this.#withoutReasoning || !Array.isArray(input)) return body;
    return { ...body, input: input.filter((item: unknown) => !isRecord(item) || item["type"] !== "reasoning") };
  }

  #translation(name: DialectName): Translation {
    const known = this.#translations?.get(name);
    if (known !== undefined) return known;
    const made = this.#make(name);
    (this.#translations ??= new Map<DialectName, Translation>()).set(name, made);
    return made;
  }

  #make(name: DialectName): Translation {
    const { dialect, body } = this.#request;
    const context: ResponsesContext = {
      ...this.#made,
      publicModel: this.#servedModel.id,
      model: this.#servedModel.spec,
      now: Math.floor(this.#made.now() / 1_000),
      nowAtEnd: () => Math.floor(this.#made.now() / 1_000),
    };
    // Only their own clients speak these.
    if (name === "gemini" || name === "completions") throw new Error(`nothing is translated into ${name}`);
    if (dialect.name !== "chat") {
      if (name === "chat") return INTO_CHAT[dialect.name](body, context);
      const first = this.#translation("chat");
      return chainTranslations(first, OUT_OF_CHAT[name](first.body, context));
    }
    if (name === "chat") throw new Error("a chat request needs no translation into chat");
    // Dialects without `n` are called repeatedly instead.
    return OUT_OF_CHAT[name](this.#answers > 1 && !this.#streams ? { ...body, n: 1 } : body, context);
  }
}

function omitFields(body: Document, names: readonly string[]): Document {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

/**
 * Sorts candidates by the user's order; among equals, those that need no translation come first.
 * @param body in that dialect
 */
export function sortNativeFirst(
  candidates: readonly Candidate[],
  dialect: DialectName,
  body: Document,
): readonly Candidate[] {
  if (candidates.length < 2) return candidates;
  const strange = (candidate: Candidate): number => Number(!speaks(candidate, dialect, body));
  return candidates.toSorted((a, b) => a.connection.priority - b.connection.priority || strange(a) - strange(b));
}

function speaks({ connection, upstreamModel }: Candidate, dialect: DialectName, body: Document): boolean {
  const { provider, baseUrl } = connection;
  if (findAdapter(provider, dialect, upstreamModel) === null) return false;
  return dialect !== "chat" || provider.responsesForChat?.isNeeded(body, upstreamModel, baseUrl) !== true;
}
