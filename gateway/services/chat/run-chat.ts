import { setImmediate as nextTurn } from "node:timers/promises";
import { writeGeminiAddress } from "../../contract/gemini-address.ts";
import { withConversation, type ItemMemory } from "../../codecs/responses-to-chat/item-memory.ts";
import type { Document } from "../../codecs/translation.ts";
import type { ChosenChain } from "../../core/routes/choose-chain.ts";
import { createConversationFacts } from "../../core/routes/conversation-facts.ts";
import type { RequestFacts } from "../../core/routes/request-facts.ts";
import type { GatewayError } from "../../core/errors.ts";
import { applyChatRules } from "../../core/chat/chat-rules.ts";
import type { ClientHeaders } from "../../core/sessions/identity.ts";
import type { KnownSecrets } from "../../lib/known-secrets.ts";
import { isRecord } from "../../lib/records.ts";
import type { ObservedRequest } from "../calls/call-observer.ts";
import type { CallSteps, PipelineDeps } from "../calls/call-steps.ts";
import type { Client, Recipient } from "../calls/client.ts";
import type { CallInput, PaidCall, Quote } from "../calls/paid-call.ts";
import { estimateCall, runCall } from "../calls/pipeline.ts";
import type { WholeResponse } from "../calls/whole-response.ts";
import type { ServedModel } from "../models/served-model.ts";
import { ChatMoney } from "./chat-money.ts";
import { ChatPlan } from "./chat-plan.ts";
import type { ChatResponse, ReadChat } from "./chat-plan.ts";
import type { Dialect } from "./dialect.ts";
import type { PriceDrift } from "../models/price-drift.ts";
import type { LearnLessons } from "./learn-lessons.ts";
import type { MediaInWords, PromptFor } from "./media-in-words.ts";
import { RequestTranslator } from "./request-translator.ts";

export interface RunChatDeps extends PipelineDeps {
  readonly secrets: KnownSecrets;
  /** A fresh id: base62, 24 characters. */
  readonly newId: () => string;
  /** Recent responses of the Responses dialect. */
  readonly items: ItemMemory;
  /** Keeps what servers teach of themselves. */
  readonly lessons: Pick<LearnLessons, "keep">;
  readonly priceDrift: Pick<PriceDrift, "note">;
  /** Describes pictures and files for models that take none; null: media is sent unchanged. */
  readonly mediaInWords: MediaInWords | null;
}

/** A conversation as received, in any dialect. */
export interface ChatInput extends CallInput {
  readonly raw: Buffer;
  readonly body: unknown;
  /** Headers that belong to the dialect, for providers that speak it: `anthropic-version`, `anthropic-beta`, … */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The client's headers, some of which routes match (core/routes/client-headers.ts); they are not forwarded to
   * providers.
   */
  readonly clientHeaders?: ClientHeaders;
  /** Tells which models search the web if the request requires it; absent: search is not required. */
  readonly searches?: (servedModel: ServedModel) => boolean;
  /** Why it is refused once it is checked, so that its receipt and error are like those of others; absent: it is not. */
  readonly refusal?: GatewayError;
  /** The chain of its route, for all turns of the request; absent: it is chosen for this one. */
  readonly chosen?: ChosenChain;
  /** Receives the events of a streamed response as objects, in the client's dialect, in addition to the written text. */
  readonly events?: (event: Document) => void;
}

/** Conversations in each dialect. The provider may speak another one than the client: then they are translated. */
export class RunChat {
  readonly #deps: RunChatDeps;

  constructor(deps: RunChatDeps) {
    this.#deps = deps;
  }

  /**
   * @returns the complete response, or the result of a stream written to `to`; null if the client has disconnected.
   * @throws GatewayError for any failure before the first byte was sent.
   */
  run(dialect: Dialect, input: ChatInput, to: Recipient): Promise<ChatResponse | null> {
    return runCall(this.#deps, new ChatSteps(this.#deps, dialect, input, to), to);
  }

  /** Estimates the cost. @throws GatewayError */
  estimate(dialect: Dialect, input: ChatInput): Promise<Quote> {
    return estimateCall(this.#deps, new ChatSteps(this.#deps, dialect, input, null));
  }
}

/** Returns the facts of a conversation that routes can use. @param body body whose fields rules can count */
export function readFacts(
  { form: dialect }: Dialect,
  { raw, clientHeaders: headers = NO_HEADERS, identity }: ChatInput,
  body: Document,
): RequestFacts {
  return createConversationFacts({ dialect, body, headers, session: identity?.session ?? null, bytes: raw.length });
}

/**
 * Checks a request and returns it in its canonical form, with the conversation that it continues if that is stored
 * here.
 * @throws GatewayError
 */
export function checkRequest(
  { items, clock }: Pick<RunChatDeps, "items" | "clock">,
  dialect: Dialect,
  body: unknown,
): { readonly checked: ReturnType<Dialect["check"]>; readonly continued: Document } {
  const checked = dialect.check(body);
  const isResponses = dialect.name === "responses";
  return {
    checked,
    continued: isResponses
      ? withConversation(checked, items, Math.floor(clock.now() / 1_000))
      : (dialect.toForm?.(checked) ?? checked),
  };
}

const NOTHING: Document = {};
const NO_HEADERS: ClientHeaders = {};
/** Smaller requests are checked, translated and written within a few milliseconds. */
const LARGE_BYTES = 1024 * 1024;
const LARGE_TURNS = 5_000;

/** Steps of one conversation for the pipeline. */
class ChatSteps implements CallSteps<ChatResponse, ReadChat> {
  readonly input: ChatInput;
  readonly capability = "chat";
  readonly model: unknown;
  readonly stream: boolean;
  readonly #deps: RunChatDeps;
  readonly #dialect: Dialect;
  readonly #client: Client | null;
  #checked = NOTHING;
  /** The client's original request, if converted to another form. */
  #own: Document | undefined;
  /** Id of the response that it continues, if that is stored here. */
  #previous: string | null = null;
  /** Money of the latest plan, whose prompt tokens are already counted. */
  #money: ChatMoney | null = null;

  /** @param client null for estimates */
  constructor(deps: RunChatDeps, dialect: Dialect, input: ChatInput, client: Client | null) {
    const requested = isRecord(input.body) ? input.body : NOTHING;
    this.input = input;
    this.model = requested["model"];
    this.stream = requested["stream"] === true;
    this.#deps = deps;
    this.#dialect = dialect;
    this.#client = client;
  }

  get endpoint(): Dialect["name"] {
    return this.#dialect.name;
  }

  get mediaInWords(): boolean {
    return this.#deps.mediaInWords?.on === true;
  }

  get searches(): ChatInput["searches"] {
    return this.input.searches;
  }

  get chosen(): ChosenChain | undefined {
    return this.input.chosen;
  }

  check(): string {
    const { checked, continued } = checkRequest(this.#deps, this.#dialect, this.input.body);
    if (this.input.refusal !== undefined) throw this.input.refusal;
    if (this.#dialect.toForm !== undefined) this.#own = checked;
    else if (continued !== checked) this.#previous = String(checked["previous_response_id"]);
    this.#checked = continued;
    return checked.model;
  }

  facts(): RequestFacts {
    return readFacts(this.#dialect, this.input, this.#checked);
  }

  async plan(call: PaidCall, servedModel: ServedModel): Promise<ChatPlan> {
    const { mediaInWords } = this.#deps;
    const inWords = mediaInWords?.on === true ? mediaInWords.replace(this.#getPrompt(call, servedModel)) : null;
    const body = inWords === null ? null : await inWords;
    if (!this.#isLarge) return this.#createPlan(call, servedModel, body);
    await nextTurn();
    const plan = this.#createPlan(call, servedModel, body);
    await this.#prepareInSlices(call, plan);
    return plan;
  }

  get #isLarge(): boolean {
    const { messages, input = messages } = this.#checked;
    return this.input.raw.length >= LARGE_BYTES || (Array.isArray(input) && input.length >= LARGE_TURNS);
  }

  #getPrompt(call: PaidCall, servedModel: ServedModel): PromptFor {
    return {
      dialect: this.#dialect.form,
      body: this.#checked,
      servedModel,
      key: this.input.key,
      identity: this.input.identity,
      client: this.#client,
      rehearse: (body) => call.rehearse(servedModel, this.#createPlan(call, servedModel, body)),
    };
  }

  /** Translating, counting and writing of large requests leave turns of the event loop to others between them. */
  async #prepareInSlices(call: PaidCall, plan: ChatPlan): Promise<void> {
    plan.translateFirst();
    const remaining = this.#deps.admission.remaining(this.input.key, false, call.record);
    if (remaining !== null) {
      await nextTurn();
      plan.countPrompt(remaining);
    }
    await nextTurn();
  }

  /** @param inWords the request with text in place of unsupported media; null: unchanged */
  #createPlan(call: PaidCall, servedModel: ServedModel, inWords: Document | null): ChatPlan {
    const { secrets, clock, newId, items, lessons, resolveModel, priceDrift } = this.#deps;
    const dialect = this.#dialect;
    const { raw, headers, events = null } = this.input;
    const checked = inWords ?? this.#checked;
    const ruled =
      dialect.name === "chat"
        ? applyChatRules(checked, servedModel.spec, servedModel.id)
        : { body: checked, changed: false };
    const { body } = ruled;
    const previous = this.#previous;
    const changed = ruled.changed || inWords !== null || previous !== null;
    const own = this.#own === undefined ? {} : { own: inWords === null ? this.#own : null };
    const translator = new RequestTranslator({ dialect, raw, body, ...own, changed, headers }, servedModel, {
      now: () => clock.now(),
      newId,
      items,
      previous,
    });
    const money = new ChatMoney(body, servedModel, translator, this.#money, this.#client !== null);
    this.#money = money;
    return new ChatPlan({
      call,
      servedModel,
      dialect,
      body,
      events,
      translator,
      secrets,
      lessons,
      money,
      priceDrift,
      findModel: (name) => resolveModel.findServed(name),
    });
  }

  describeRequest(): ObservedRequest {
    const { raw: body, headers } = this.input;
    const { name: endpoint, family } = this.#dialect;
    const path = endpoint === "gemini" ? { path: writeGeminiAddress(String(this.model), this.stream) } : {};
    return { endpoint, ...path, body, headers, family };
  }

  written(result: ChatResponse): WholeResponse | null {
    return "body" in result ? result : null;
  }
}
