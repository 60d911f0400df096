import { ServedChat } from "../../codecs/web-search/chat.ts";
import { SEARCH_MARK } from "../../codecs/web-search/kept-search.ts";
import { ServedMessages } from "../../codecs/web-search/messages.ts";
import { plainHistory } from "../../codecs/web-search/messages-history.ts";
import { hostedTools } from "../../codecs/web-search/offered.ts";
import type { HostedTools } from "../../codecs/web-search/offered.ts";
import { ServedResponses } from "../../codecs/web-search/responses.ts";
import { plainItems } from "../../codecs/web-search/responses-history.ts";
import type { OfferedSearch, ServedConversation } from "../../codecs/web-search/served-turn.ts";
import type { Document } from "../../codecs/translation.ts";
import type { RequestKind } from "../../contract/routed.ts";
import { GatewayError } from "../../core/errors.ts";
import { isRecord } from "../../lib/records.ts";
import type { Recipient } from "../calls/client.ts";
import { providerName } from "../calls/call-record.ts";
import type { ChatResponse } from "../chat/chat-plan.ts";
import type { Dialect } from "../chat/dialect.ts";
import { nativeFirst } from "../chat/request-translator.ts";
import { RunChat, factsOf } from "../chat/run-chat.ts";
import type { ChatInput, RunChatDeps } from "../chat/run-chat.ts";
import type { Candidate, ServedModel } from "../models/served-model.ts";
import { forbidsHosted, runsHosted } from "./native-search.ts";
import { SearchTurns } from "./search-turns.ts";
import { TellingRecipient } from "./telling-recipient.ts";
import type { WebSearch } from "./web-search.ts";

export interface SearchedChatDeps extends RunChatDeps {
  readonly webSearch: WebSearch;
  /** The models that a name may lead to for such a call: those of a route's chains; the name alone where it is no route's. */
  readonly modelsOf: (name: string, kindsOf: () => readonly RequestKind[]) => readonly string[];
}

/** Names what of a request's tools nobody runs. */
export const DROPPED_HEADER = "x-postern-dropped-tools";

/**
 * Conversations whose clients offer tools that their own provider runs. Who is asked runs them; or Postern makes the
 * searches with the owner's search service; or the call is refused, where it cannot be served without; or the response
 * says which tools nobody ran (docs/decisions/2026-11-24-web-search.md).
 */
export class SearchedChat extends RunChat {
  readonly #deps: SearchedChatDeps;

  constructor(deps: SearchedChatDeps) {
    super(deps);
    this.#deps = deps;
  }

  override run(dialect: Dialect, input: ChatInput, to: Recipient): Promise<ChatResponse | null> {
    const hosted = hostedTools(dialect.name, input.body);
    if (hosted.names.length > 0) return this.#hosted(dialect, input, to, hosted);
    return super.run(dialect, this.#readable(dialect, input), to);
  }

  /** Searches that Postern made before are in no provider's words: they go out as text where nobody searches now. */
  #readable(dialect: Dialect, input: ChatInput): ChatInput {
    if (!this.#deps.webSearch.wasSet || !isRecord(input.body) || !input.raw.includes(SEARCH_MARK)) return input;
    const { body } = input;
    switch (dialect.name) {
      case "messages":
        return rewritten(input, {
          ...body,
          messages: plainHistory(body["messages"], { kind: "text" }, false).messages,
        });
      case "responses":
        return rewritten(input, { ...body, input: plainItems(body["input"], { kind: "text" }, false).items });
      default:
        return input;
    }
  }

  async #hosted(dialect: Dialect, input: ChatInput, to: Recipient, hosted: HostedTools): Promise<ChatResponse | null> {
    const models = await this.#models(dialect, input);
    // Nobody serves it, or it is malformed: that is told as always.
    if (models.length === 0) return super.run(dialect, input, to);
    const isForbidden = (those: readonly Candidate[]): boolean =>
      those.some(({ connection }) => forbidsHosted(input.key.record, connection.provider, dialect.name, input.body));
    const allowed = models.length === 1 ? models : models.filter((those) => !isForbidden(those));
    // Where it may be put to none, it goes to them as it is, and is refused for what it asks for.
    const candidates = (allowed.length === 0 ? models : allowed).flat();
    const forbids = allowed.length > 0 && allowed.length < models.length;
    const droppedBy = ({ connection }: Candidate): readonly string[] =>
      hosted.names.filter((tool) => !runsHosted(connection.provider, dialect.name, tool));
    const searches = (candidate: Candidate | undefined): boolean =>
      candidate !== undefined && runsHosted(candidate.connection.provider, dialect.name, "web_search");
    const offered = hosted.search;
    if (offered !== null && !searches(candidates[0])) {
      const serves = this.#serves(input);
      const refuses = !serves && offered.needed && !candidates.some(searches);
      if ((serves || refuses) && !isFine(dialect, input)) return super.run(dialect, input, to);
      if (serves) return this.#served(dialect, input, to, hosted, offered);
      if (refuses) return super.run(refusing(dialect, input, forbids), input, to);
    }
    const sent = {
      ...this.#readable(dialect, input),
      ...(offered?.needed === true && !searches(candidates[0]) && candidates.some(searches)
        ? { searches: ({ candidates: those }: ServedModel) => those.some(searches) }
        : {}),
      ...(forbids ? { forbidden: (servedModel: ServedModel) => isForbidden(servedModel.candidates) } : {}),
    };
    if (candidates.every((candidate) => droppedBy(candidate).length === 0)) return super.run(dialect, sent, to);
    return this.#told(dialect, sent, to, candidates, droppedBy);
  }

  /** Whom the request may reach, as far as that can be known: who serves each of the models, in their order. */
  async #models(dialect: Dialect, input: ChatInput): Promise<readonly (readonly Candidate[])[]> {
    const { resolveModel, modelsOf } = this.#deps;
    const { body } = input;
    const model = isRecord(body) ? body["model"] : null;
    const models: (readonly Candidate[])[] = [];
    if (!isRecord(body) || typeof model !== "string") return models;
    const kindsOf = (): readonly RequestKind[] => factsOf(dialect, input, body).kinds;
    for (const name of modelsOf(model, kindsOf)) {
      try {
        const found = resolveModel.known(name, "chat") ?? (await resolveModel.find(name, "chat"));
        models.push(nativeFirst(found.candidates, dialect.name));
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
      }
    }
    return models;
  }

  /** Not for keys that may not use hosted tools, and not for several responses at once, which no loop could keep apart. */
  #serves({ key, body }: ChatInput): boolean {
    const several = isRecord(body) && typeof body["n"] === "number" && body["n"] > 1;
    return !several && key.record.hosted_tools !== false && this.#deps.webSearch.ready;
  }

  async #served(
    dialect: Dialect,
    input: ChatInput,
    to: Recipient,
    hosted: HostedTools,
    offered: OfferedSearch,
  ): Promise<ChatResponse | null> {
    const body = isRecord(input.body) ? input.body : {};
    const others = hosted.names.filter((name) => name !== "web_search");
    const turns = new SearchTurns(this.#deps, {
      dialect,
      input,
      to,
      offered,
      conversation: this.#conversation(dialect, body, offered),
      headers: headersFor(others),
      ask: (turn, recipient) => super.run(dialect, turn, recipient),
    });
    return turns.run(body["stream"] === true);
  }

  #conversation({ name }: Dialect, body: Document, offered: OfferedSearch): ServedConversation {
    switch (name) {
      case "messages":
        return new ServedMessages(body, offered);
      case "responses":
        return new ServedResponses(body, offered, this.#deps);
      default:
        return new ServedChat(body, offered);
    }
  }

  /** What whoever responds does not run, the response says. */
  async #told(
    dialect: Dialect,
    input: ChatInput,
    to: Recipient,
    candidates: readonly Candidate[],
    droppedBy: (candidate: Candidate) => readonly string[],
  ): Promise<ChatResponse | null> {
    let provider = "";
    const asked = (name: string): void => {
      provider = name;
      input.asked(name);
    };
    const headers = (): Readonly<Record<string, string>> => {
      const reached = candidates.find((candidate) => providerName(candidate) === provider);
      return reached === undefined ? {} : headersFor(droppedBy(reached));
    };
    const result = await super.run(dialect, { ...input, asked }, new TellingRecipient(to, headers));
    return result === null || !("body" in result)
      ? result
      : { ...result, headers: { ...result.headers, ...headers() } };
  }
}

const headersFor = (dropped: readonly string[]): Readonly<Record<string, string>> =>
  dropped.length === 0 ? {} : { [DROPPED_HEADER]: dropped.join(", ") };

/** Whether its fields are within their bounds: what is not is told of the request as it was sent. */
function isFine(dialect: Dialect, { body }: ChatInput): boolean {
  try {
    dialect.check(body);
    return true;
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}

/** The same request with another body, for providers that speak its dialect too. */
export function rewritten(input: ChatInput, body: Document): ChatInput {
  return { ...input, body, raw: Buffer.from(JSON.stringify(body), "utf8"), texts: null };
}

/** The dialect that refuses the request when it is checked, so that its receipt and its error are like those of others. */
function refusing(dialect: Dialect, { body, key: { record } }: ChatInput, forbids: boolean): Dialect {
  const model = isRecord(body) ? String(body["model"]) : "";
  return {
    ...dialect,
    check: () => {
      if (forbids || record.hosted_tools === false) {
        throw new GatewayError(
          "field_not_allowed",
          `The key "${record.name}" may not use hosted tools such as web search. Allow them on the Keys page, or leave the tool out.`,
          { param: "tools" },
        );
      }
      throw new GatewayError(
        "unsupported_parameter",
        `"${model}" does not search the web, and this request needs it. Use a model that does, or a route whose rule ` +
          '"web_search" leads to one; or set a search service and its key under Settings > Search.',
        { param: dialect.name === "chat" ? "web_search_options" : "tools" },
      );
    },
  };
}
