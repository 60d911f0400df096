import { setImmediate as nextTurn } from "node:timers/promises";
import { ServedChat } from "../../codecs/web-search/chat.ts";
import { SEARCH_MARK } from "../../codecs/web-search/search-fields.ts";
import { ServedMessages } from "../../codecs/web-search/messages.ts";
import { plainHistory } from "../../codecs/web-search/messages-history.ts";
import { hostedTools } from "../../codecs/web-search/offered.ts";
import type { HostedTools } from "../../codecs/web-search/offered.ts";
import { ServedResponses } from "../../codecs/web-search/responses.ts";
import { plainItems } from "../../codecs/web-search/responses-history.ts";
import type { OfferedSearch, ServedConversation } from "../../codecs/web-search/served-round.ts";
import type { Document } from "../../codecs/translation.ts";
import { GatewayError } from "../../core/errors.ts";
import { asList, isRecord } from "../../lib/records.ts";
import type { StoredRoute } from "../../store/document.ts";
import type { Recipient } from "../calls/client.ts";
import { providerName } from "../calls/call-record.ts";
import type { ChatResponse } from "../chat/chat-plan.ts";
import type { Dialect } from "../chat/dialect.ts";
import { selectChain } from "../routes/chain-links.ts";
import type { ChainModel } from "../routes/chain-models.ts";
import { sortNativeFirst } from "../chat/request-translator.ts";
import { RunChat, checkRequest, readFacts } from "../chat/run-chat.ts";
import type { ChatInput, RunChatDeps } from "../chat/run-chat.ts";
import type { Candidate, ServedModel } from "../models/served-model.ts";
import { forbiddenTools, runsHosted } from "./native-search.ts";
import { SearchRounds } from "./search-rounds.ts";
import { HeaderRecipient } from "./header-recipient.ts";
import type { WebSearch } from "./web-search.ts";

export interface SearchedChatDeps extends RunChatDeps {
  readonly webSearch: WebSearch;
}

/** Reach of a request. */
interface Reached {
  readonly models: number;
  readonly candidates: readonly Candidate[];
  readonly input: ChatInput;
}

/** Response header that lists the tools of a request that were not run. */
export const DROPPED_HEADER = "x-postern-dropped-tools";

/**
 * Conversations whose clients offer tools that their own provider runs. The provider of the call runs them; or Postern makes
 * the searches with the owner's search service; or the call is refused, if it cannot be served without; or the response
 * lists the tools that were not run (docs/decisions/web-search.md).
 */
export class SearchedChat extends RunChat {
  readonly #deps: SearchedChatDeps;

  constructor(deps: SearchedChatDeps) {
    super(deps);
    this.#deps = deps;
  }

  override run(dialect: Dialect, input: ChatInput, to: Recipient): Promise<ChatResponse | null> {
    const hosted = hostedTools(dialect.name, input.body);
    if (hosted.names.length > 0) return this.#runHosted(dialect, input, to, hosted);
    return super.run(dialect, this.#writeSearchesAsText(dialect, input), to);
  }

  /** Writes earlier searches by Postern as text if no server searches now: providers do not know their form. */
  #writeSearchesAsText(dialect: Dialect, input: ChatInput): ChatInput {
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

  async #runHosted(
    dialect: Dialect,
    given: ChatInput,
    to: Recipient,
    hosted: HostedTools,
  ): Promise<ChatResponse | null> {
    const { models, candidates, input } = await this.#findReach(dialect, given);
    // No connection serves it, or it is malformed: the usual error follows.
    if (candidates.length === 0) return super.run(dialect, input, to);
    const forbidden = models < 2 ? NOTHING : forbiddenPlaces(dialect, input, candidates);
    const droppedBy = ({ connection }: Candidate): readonly string[] =>
      hosted.names.filter((tool) => !runsHosted(connection.provider, dialect.name, tool));
    const searches = (candidate: Candidate | undefined): boolean =>
      candidate !== undefined &&
      forbidden.size === 0 &&
      runsHosted(candidate.connection.provider, dialect.name, "web_search");
    const offered = hosted.search;
    if (offered !== null && !searches(candidates[0])) {
      const serves = this.#canSearch(input);
      const refuses = !serves && offered.needed && !candidates.some(searches);
      if ((serves || refuses) && !isValidRequest(dialect, input)) return super.run(dialect, input, to);
      if (serves) return this.#runSearches(dialect, input, to, hosted, offered);
      if (refuses)
        return super.run(dialect, { ...input, refusal: explainUnsearched(dialect, input, forbidden.size > 0) }, to);
    }
    const readable = this.#writeSearchesAsText(dialect, input);
    if (forbidden.size > 0) {
      const { body, dropped } = withoutTools(dialect, readable, forbidden);
      // A request with only forbidden tools, or with a forbidden field that is not a tool, is refused.
      if (body === null) return super.run(dialect, readable, to);
      const alsoDropped = (candidate: Candidate): readonly string[] => [
        ...new Set([...dropped, ...droppedBy(candidate)]),
      ];
      return this.#runWithHeader(dialect, rewritten(readable, body), to, candidates, alsoDropped);
    }
    const sent =
      offered?.needed === true && candidates.some(searches)
        ? { ...readable, searches: ({ candidates: those }: ServedModel) => those.some(searches) }
        : readable;
    if (candidates.every((candidate) => droppedBy(candidate).length === 0)) return super.run(dialect, sent, to);
    return this.#runWithHeader(dialect, sent, to, candidates, droppedBy);
  }

  /** Counts the models that the request may reach, and their candidates if known; with the chain that is chosen for it. */
  async #findReach(dialect: Dialect, input: ChatInput): Promise<Reached> {
    const { resolveModel, routes } = this.#deps;
    const body = isRecord(input.body) ? input.body : {};
    const { model } = body;
    if (typeof model !== "string") return { models: 0, candidates: [], input };
    try {
      const route = routes.find(model);
      if (route !== undefined) return await this.#findRouteReach(route, dialect, input, body);
      const { candidates } = resolveModel.findKnown(model, "chat") ?? (await resolveModel.find(model, "chat"));
      return { models: 1, candidates: sortNativeFirst(candidates, dialect.name, body), input };
    } catch (error) {
      if (error instanceof GatewayError) return { models: 0, candidates: [], input };
      throw error;
    }
  }

  /** @throws GatewayError if the request is malformed */
  async #findRouteReach(route: StoredRoute, dialect: Dialect, input: ChatInput, body: Document): Promise<Reached> {
    const { resolveModel, chainModels, admission } = this.#deps;
    const { key, app, identity } = input;
    const facts = readFacts(dialect, input, checkRequest(this.#deps, dialect, body).continued);
    const scope = { client: app, project: identity?.project ?? undefined };
    const chosen = selectChain(this.#deps, route, { key, scope }, facts);
    const find = (): ChainModel[] =>
      chainModels
        .of(chosen.models, "chat")
        .filter(({ names }) => key.record.models === null || admission.mayUse(key, [route.id, ...names]));
    let models = find();
    if (models.every(({ able }) => able === "not_served")) {
      await resolveModel.waitUntilReported();
      models = find();
    }
    const candidates = models.flatMap(({ able }) =>
      typeof able === "string" ? [] : sortNativeFirst(able.candidates, dialect.name, body),
    );
    return { models: models.length, candidates, input: { ...input, chosen } };
  }

  /**
   * Excludes keys that may not use hosted tools, and requests for several choices, which the loop could not keep apart.
   */
  #canSearch({ key, body }: ChatInput): boolean {
    const several = isRecord(body) && typeof body["n"] === "number" && body["n"] > 1;
    return !several && key.record.hosted_tools !== false && this.#deps.webSearch.ready;
  }

  async #runSearches(
    dialect: Dialect,
    input: ChatInput,
    to: Recipient,
    hosted: HostedTools,
    offered: OfferedSearch,
  ): Promise<ChatResponse | null> {
    await nextTurn();
    const body = isRecord(input.body) ? input.body : {};
    const others = hosted.names.filter((name) => name !== "web_search");
    const rounds = new SearchRounds(this.#deps, {
      dialect,
      input,
      to,
      offered,
      conversation: this.#createConversation(dialect, body, offered),
      headers: buildHeaders(others),
      ask: (round, recipient) => super.run(dialect, round, recipient),
    });
    return rounds.run(body["stream"] === true);
  }

  #createConversation({ name }: Dialect, body: Document, offered: OfferedSearch): ServedConversation {
    switch (name) {
      case "messages":
        return new ServedMessages(body, offered);
      case "responses":
        return new ServedResponses(body, offered, {
          ...this.#deps,
          now: () => Math.floor(this.#deps.clock.now() / 1_000),
        });
      default:
        return new ServedChat(body, offered);
    }
  }

  /** Reports the tools that the serving provider does not run in a header of the response. */
  async #runWithHeader(
    dialect: Dialect,
    input: ChatInput,
    to: Recipient,
    candidates: readonly Candidate[],
    droppedBy: (candidate: Candidate) => readonly string[],
  ): Promise<ChatResponse | null> {
    let provider = "";
    const noteProvider = (name: string): void => {
      provider = name;
      input.noteProvider(name);
    };
    const headers = (): Readonly<Record<string, string>> => {
      const reached = candidates.find((candidate) => providerName(candidate) === provider);
      return reached === undefined ? {} : buildHeaders(droppedBy(reached));
    };
    const result = await super.run(dialect, { ...input, noteProvider }, new HeaderRecipient(to, headers));
    return result === null || !("body" in result)
      ? result
      : { ...result, headers: { ...result.headers, ...headers() } };
  }
}

const buildHeaders = (dropped: readonly string[]): Readonly<Record<string, string>> =>
  dropped.length === 0 ? {} : { [DROPPED_HEADER]: dropped.join(", ") };

const NOTHING: ReadonlySet<number> = new Set();

/** The tools that providers of a chain would run by themselves and the key may not use, by their places. */
function forbiddenPlaces(
  { name }: Dialect,
  { key, body }: ChatInput,
  candidates: readonly Candidate[],
): ReadonlySet<number> {
  return new Set(candidates.flatMap(({ connection }) => forbiddenTools(key.record, connection.provider, name, body)));
}

/**
 * Removes tools that the key may not use, as for models without them: Codex offers search in every request, and a
 * routed request should not fail for it.
 * @returns null as the body if no tool would be left, or the request requires one of them
 */
function withoutTools(
  { name }: Dialect,
  { body }: ChatInput,
  forbidden: ReadonlySet<number>,
): { readonly body: Document | null; readonly dropped: readonly string[] } {
  const tools = isRecord(body) ? asList(body["tools"]) : [];
  const allowed = tools.filter((_, index) => !forbidden.has(index));
  if (!isRecord(body) || forbidden.has(Number.NaN) || allowed.length === 0 || isRecord(body["tool_choice"]))
    return { body: null, dropped: [] };
  const dropped = hostedTools(name, { tools: tools.filter((_, index) => forbidden.has(index)) }).names;
  return { body: { ...body, tools: allowed }, dropped };
}

/** Whether its fields are within their bounds; errors about them speak of the request as it was sent. */
function isValidRequest(dialect: Dialect, { body }: ChatInput): boolean {
  try {
    dialect.check(body);
    return true;
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}

/** Returns the request with another body, also for providers that share its dialect. */
export function rewritten(input: ChatInput, body: Document): ChatInput {
  return { ...input, body, raw: Buffer.from(JSON.stringify(body), "utf8") };
}

/** Explains why a request that needs a search cannot be served. */
function explainUnsearched(dialect: Dialect, { body, key: { record } }: ChatInput, forbids: boolean): GatewayError {
  if (forbids || record.hosted_tools === false) {
    return new GatewayError(
      "field_not_allowed",
      `The key "${record.name}" may not use hosted tools such as web search. Allow them on the Keys page, or leave the tool out.`,
      { param: "tools" },
    );
  }
  const model = isRecord(body) ? String(body["model"]) : "";
  return new GatewayError(
    "unsupported_parameter",
    `"${model}" does not search the web, and this request needs it. Use a model that does, or a route whose rule ` +
      '"web_search" leads to one; or set a search service and its key under Settings > Search.',
    { param: dialect.name === "chat" ? "web_search_options" : "tools" },
  );
}
