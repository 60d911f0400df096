import { setImmediate as nextTurn } from "node:timers/promises";
import type {
  OfferedSearch,
  SearchCallMade,
  SearchOutcome,
  ServedConversation,
} from "../../codecs/web-search/served-round.ts";
import { GatewayError } from "../../core/errors.ts";
import { SearchError } from "../../core/search/search-error.ts";
import type { Clock } from "../../lib/clock.ts";
import { ClientCancelled } from "../calls/attempts.ts";
import type { Recipient } from "../calls/client.ts";
import type { StreamWatch } from "../calls/stream-relay.ts";
import type { ChatResponse, WholeChat } from "../chat/chat-plan.ts";
import type { Dialect } from "../chat/dialect.ts";
import type { ChatInput } from "../chat/run-chat.ts";
import { openMasks } from "../keys/key-masks.ts";
import { withinRequest } from "../keys/key-ring.ts";
import { paidSearch } from "./paid-search.ts";
import type { PaidSearchDeps } from "./paid-search.ts";
import { SearchStream } from "./search-stream.ts";

export interface SearchTurnsDeps extends PaidSearchDeps {
  readonly clock: Clock;
  readonly watch: StreamWatch;
  readonly stopping: AbortSignal;
}

export interface SearchedRequest {
  readonly dialect: Dialect;
  /** The client's request, unchanged. */
  readonly input: ChatInput;
  readonly to: Recipient;
  readonly offered: OfferedSearch;
  readonly conversation: ServedConversation;
  /** More headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Calls a provider, with a hold and a receipt for that round. */
  readonly ask: (input: ChatInput, to: Recipient) => Promise<ChatResponse | null>;
}

/** Max searches if the client sets none. Each search may lead to another turn, which is paid for. */
const USUAL_SEARCHES = 8;
const MOST_SEARCHES = 20;
const OUT_OF_MONEY = "out of money";
/** Max rounds; a model that still searches then is paused, like in Anthropic's own loop. */
const MOST_TURNS = 12;

/**
 * Runs one client request as rounds with a provider: the model's searches are executed and their results returned to
 * it, until it responds or calls a function of the client. Each round and each search is paid with its own receipt.
 */
export class SearchRounds {
  readonly #deps: SearchTurnsDeps;
  readonly #request: SearchedRequest;
  readonly #ended = new AbortController();
  #rounds = 0;
  /** Searches made so far, including failed ones. */
  #searches = 0;
  /** Whether the newest turn was informed that no search follows, and how often it ignored that. */
  #wasLast = false;
  #insisted = 0;
  /** Whether the newest round has reached a provider. */
  #isSent = false;
  #number: number;

  constructor(deps: SearchTurnsDeps, request: SearchedRequest) {
    this.#deps = deps;
    this.#request = request;
    this.#number = request.conversation.lastNumber;
  }

  run(stream: boolean): Promise<ChatResponse | null> {
    return stream ? this.#runStream() : this.#whole();
  }

  async #whole(): Promise<ChatResponse | null> {
    const { conversation, to, headers } = this.#request;
    let last: WholeChat | null = null;
    for (;;) {
      const result = await this.#ask(this.#nextInput(), to);
      if (result === OUT_OF_MONEY)
        return last === null ? null : joinWhole(last, conversation.whole(true, true), headers);
      if (result === null || !("body" in result)) return result;
      last = result;
      const { searches, callsClient } = conversation.read(result.document);
      for (const call of searches) {
        conversation.searching(call);
        const outcome = await this.#search(call, to);
        if (outcome === null) return null;
        conversation.addSearch(call, outcome);
      }
      const paused = searches.length > 0 && !callsClient;
      if (paused && this.#goesOn) continue;
      return joinWhole(result, conversation.whole(paused, false), headers);
    }
  }

  async #runStream(): Promise<ChatResponse | null> {
    const { conversation, dialect, input, to, headers } = this.#request;
    const { clock } = this.#deps;
    const stream = new SearchStream(to, dialect, headers, clock, input.events ?? null);
    try {
      const paused = await this.#runRounds(stream);
      if (paused === null) return null;
      await nextTurn();
      stream.tell(conversation.ending(paused !== false, paused === OUT_OF_MONEY));
      await stream.close();
      return { error: null };
    } catch (error) {
      if (error instanceof ClientCancelled) return null;
      if (!(error instanceof GatewayError) || !stream.opened) throw error;
      const model = (input.body as { readonly model?: unknown }).model;
      input.note(String(model), error.code);
      await stream.break(error, input.requestId);
      return { error };
    }
  }

  /** @returns whether it ends before the model is done; null when the client is gone. @throws GatewayError */
  async #runRounds(stream: SearchStream): Promise<boolean | typeof OUT_OF_MONEY | null> {
    const { conversation } = this.#request;
    for (;;) {
      const events: ChatInput["events"] = (event) => stream.tell(conversation.event(event));
      const result = await this.#ask({ ...this.#nextInput(), events }, stream);
      if (result === null || result === OUT_OF_MONEY) return result;
      if ("error" in result && result.error !== null) throw result.error;
      const { searches, callsClient } = conversation.endRound();
      for (const call of searches) {
        stream.tell(conversation.searching(call));
        const place = this.#deps.watch.add(stream);
        let outcome: SearchOutcome | null;
        try {
          outcome = await this.#search(call, stream);
        } finally {
          this.#deps.watch.delete(place, stream);
        }
        if (outcome === null) return null;
        stream.tell(conversation.addSearch(call, outcome));
      }
      const paused = searches.length > 0 && !callsClient;
      if (!paused || !this.#goesOn) return paused;
    }
  }

  /** Runs the next round; if the money ends before it is sent, the output of earlier rounds is returned. */
  async #ask(input: ChatInput, to: Recipient): Promise<ChatResponse | typeof OUT_OF_MONEY | null> {
    this.#isSent = false;
    const noteProvider = (provider: string): void => {
      this.#isSent = true;
      input.noteProvider(provider);
    };
    // A long history is assembled before each round, then checked and translated in it.
    await nextTurn();
    try {
      return await this.#request.ask({ ...input, noteProvider }, to);
    } catch (error) {
      const isOwnMoney = error instanceof GatewayError && error.code === "insufficient_quota" && !this.#isSent;
      if (isOwnMoney && this.#rounds > 1) return OUT_OF_MONEY;
      throw error;
    }
  }

  get #goesOn(): boolean {
    return this.#rounds < MOST_TURNS && this.#insisted === 0;
  }

  /** Builds the next round's input: the first is the client's request; later ones append their number to its id. */
  #nextInput(): ChatInput {
    const { input, conversation } = this.#request;
    const first = this.#rounds === 0;
    this.#rounds += 1;
    const isLast = this.#searches >= this.#most || this.#rounds === MOST_TURNS;
    if (this.#wasLast) this.#insisted += 1;
    this.#wasLast = isLast;
    const body = conversation.request(isLast);
    return {
      ...input,
      ...(first ? {} : this.#within(`${this.#rounds}`)),
      body,
      raw: Buffer.from(JSON.stringify(body), "utf8"),
    };
  }

  #within(suffix: string): Pick<ChatInput, "requestId" | "key" | "arrivedAt"> {
    const { input } = this.#request;
    return {
      requestId: `${input.requestId}-${suffix}`,
      key: withinRequest(input.key),
      arrivedAt: this.#deps.clock.monotonic(),
    };
  }

  get #most(): number {
    return Math.min(this.#request.offered.maxUses ?? USUAL_SEARCHES, MOST_SEARCHES);
  }

  /** @returns null when the client has left */
  async #search({ query }: SearchCallMade, to: Recipient): Promise<SearchOutcome | null> {
    if (query === null) return fail("invalid_input", "The call holds no query. Call it again with one.");
    if (this.#searches >= this.#most) {
      return fail("max_uses_exceeded", "No more searches are made for this request. Go on with what is known.");
    }
    this.#searches += 1;
    const { input, offered } = this.#request;
    const { stopping } = this.#deps;
    const left = (): void => this.#ended.abort();
    to.onCancelled(left);
    const signal = AbortSignal.any([this.#ended.signal, stopping]);
    try {
      const search = { ...input, ...this.#within(`s${this.#searches}`) };
      const found = await paidSearch(
        this.#deps,
        search,
        { text: openMasks(input.key)?.mask(query) ?? query, filters: offered.filters, place: offered.place },
        signal,
      );
      const results = found.map((result) => {
        this.#number += 1;
        return { ...result, number: this.#number };
      });
      return { kind: "results", results };
    } catch (error) {
      if (to.cancelled) return null;
      if (error instanceof SearchError) {
        const code = error.failure === "rate" ? "too_many_requests" : "unavailable";
        return fail(code, `The search failed: ${error.message}`);
      }
      // No money for it, or a disk that refuses receipts: the next round reports it if that matters.
      if (error instanceof GatewayError) return fail("unavailable", `The search was not made: ${error.message}`);
      throw error;
    } finally {
      to.onCancelled(null);
    }
  }
}

function fail(code: Extract<SearchOutcome, { kind: "failed" }>["code"], message: string): SearchOutcome {
  return { kind: "failed", code, message };
}

function joinWhole(
  last: WholeChat,
  document: WholeChat["document"],
  headers: Readonly<Record<string, string>>,
): WholeChat {
  return {
    ...last,
    headers: { ...last.headers, ...headers },
    body: Buffer.from(JSON.stringify(document), "utf8"),
    document,
  };
}
