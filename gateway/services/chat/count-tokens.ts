import { findAdapter } from "../../providers/find-adapter.ts";
import type { CountingAdapter } from "../../providers/provider.ts";
import { reachRules } from "../../providers/reach-rules.ts";
import { buildMessagesForm } from "../../codecs/gemini-to-chat/request.ts";
import { withConversation, type ItemMemory } from "../../codecs/responses-to-chat/item-memory.ts";
import { refuseStored } from "../../codecs/responses-to-chat/request.ts";
import type { Document } from "../../codecs/translation.ts";
import { geminiCountRequestSchema } from "../../contract/gemini.ts";
import { countTokensRequestSchema } from "../../contract/messages.ts";
import { responsesCountRequestSchema } from "../../contract/responses.ts";
import { estimatePromptTokens } from "../../core/money/prompt-tokens.ts";
import type { UpstreamRequest } from "../../upstream/provider-client.ts";
import { validate } from "../../core/validation.ts";
import { GatewayError } from "../../core/errors.ts";
import { movesOn } from "../../core/routes/moves-on.ts";
import { asRecord, isRecord } from "../../lib/records.ts";
import { Attempts, NO_FOLLOWER } from "../calls/attempts.ts";
import type { AttemptDeps, Persistence, Target } from "../calls/attempts.ts";
import type { Admission } from "../calls/admission.ts";
import type { Client } from "../calls/client.ts";
import { createMasker, openMasks } from "../keys/key-masks.ts";
import { getTokenCounter } from "../../core/money/text-tokens.ts";
import { upstreamRequest } from "../calls/upstream-request.ts";
import { SHORT_RESPONSE_BYTES, readResponse } from "../calls/whole-response.ts";
import type { Candidate } from "../models/served-model.ts";
import type { ResolveModel } from "../models/resolve-model.ts";
import type { Routes } from "../routes/routes.ts";
import type { ChatInput } from "./run-chat.ts";
import { sortNativeFirst } from "./request-translator.ts";

export interface CountTokensDeps extends AttemptDeps {
  readonly resolveModel: ResolveModel;
  readonly admission: Admission;
  readonly instanceId: string;
  readonly routes: Pick<Routes, "find">;
  /** Recent responses of the Responses dialect. */
  readonly items: ItemMemory;
}

/** A dialect in which tokens are counted before a call. */
export interface CountedDialect {
  readonly name: "messages" | "responses" | "gemini";
  /** @throws GatewayError naming the first field that is wrong (400). */
  check(body: unknown): Document;
  /**
   * Converts a checked request to the form in which its tokens are counted.
   * @param now Unix seconds
   * @throws GatewayError for a conversation that is not known here (400)
   */
  toForm(body: Document, items: ItemMemory, now: number): Document;
  /** The field that has the count, and the response's other fields. */
  readonly field: string;
  readonly others?: Document;
}

/** `POST /v1/messages/count_tokens`. */
export const messagesCount: CountedDialect = {
  name: "messages",
  check: (body) => validate(countTokensRequestSchema, body),
  toForm: (body) => body,
  field: "input_tokens",
};

/** `POST /v1/responses/input_tokens`: what a continued response has said counts as well. */
export const responsesCount: CountedDialect = {
  name: "responses",
  check: (body) => validate(responsesCountRequestSchema, body),
  toForm(body, items, now) {
    const whole = withConversation(body, items, now);
    refuseStored(whole);
    return whole;
  },
  field: "input_tokens",
  others: { object: "response.input_tokens" },
};

/** `POST /v1beta/models/{model}:countTokens`: contents, or a whole request. */
export const geminiCount: CountedDialect = {
  name: "gemini",
  check: (body) => validate(geminiCountRequestSchema, body),
  toForm: (body) => buildMessagesForm(asRecord(body["generateContentRequest"] ?? body)),
  field: "totalTokens",
};

/** A count is quick or it is of no use. */
const TIMEOUTS = { head: 30_000, gap: 30_000 };
/** A failing provider is not awaited, because the count can be computed here. */
const BRIEFLY: Persistence = { repeats: "others", asksRefused: false };

/**
 * Counts the tokens of a prompt before it is sent: by the provider if it supports the client's dialect, else here
 * within a few percent. It is free: no hold, no receipt, no key limit (Claude Code sends two dozen at the same time).
 */
export class CountTokens {
  readonly #deps: CountTokensDeps;

  constructor(deps: CountTokensDeps) {
    this.#deps = deps;
  }

  /** @throws GatewayError for a bad body, an unknown model, a provider's failure; ClientCancelled. */
  async count(dialect: CountedDialect, input: ChatInput, client: Client): Promise<Document> {
    const { resolveModel, admission, items, clock } = this.#deps;
    const { name, field, others } = dialect;
    const body = dialect.check(input.body);
    const model = String(body["model"]);
    input.note(model.slice(0, 200), null);
    const servedModel = await resolveModel.find(model, name === "messages" ? name : "chat", input.key.record.models);
    admission.checkModel(input.key, servedModel);
    const estimate = (): Document => ({
      ...others,
      [field]: estimatePromptTokens(dialect.toForm(body, items, Math.floor(clock.now() / 1_000)), getTokenCounter()),
    });
    const speaks = (candidate: Candidate): boolean => findCounter(name, candidate) !== null;
    const first = sortNativeFirst(servedModel.candidates, name, body)[0];
    const native = servedModel.candidates.filter(speaks);
    // The provider that serves the call decides how its tokens are counted.
    if (first === undefined || !speaks(first)) return estimate();
    const request = ({ candidate, credential }: Target): UpstreamRequest => {
      const { provider, origin } = candidate.connection;
      admission.checkReach(input.key, reachRules(provider, origin, name), body);
      const wire = countRequest(name, candidate, input, body, credential.secret);
      return upstreamRequest(wire, candidate.connection, this.#deps.instanceId, TIMEOUTS);
    };
    const isRoute = this.#deps.routes.find(model) !== undefined;
    const persistence = isRoute ? BRIEFLY : undefined;
    const masker = createMasker(openMasks(input.key));
    const attempts = new Attempts(this.#deps, native, client, request, NO_FOLLOWER, persistence, masker);
    try {
      const expected = "a count of tokens";
      return (await readResponse(attempts, client, expected, { read: findCount(field) }, SHORT_RESPONSE_BYTES)).value;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      // A routed call fails over when this provider fails, and so does its token count.
      const isElsewhere = isRoute && movesOn(error, false);
      if (!isElsewhere && !hasNoCounter(error, native)) throw error;
      return estimate();
    }
  }
}

/**
 * Tells whether a host with Anthropic's dialect lacks this endpoint: it responds 404, or 400 with 404 in the text
 * (https://github.com/Wei-Shaw/sub2api/issues/656, read 2026-11-28). At providers themselves a 404 means that the model
 * is missing.
 */
function hasNoCounter(error: GatewayError, native: readonly Candidate[]): boolean {
  if (native.some(({ connection }) => connection.provider.homes?.test(new URL(connection.origin).hostname) === true))
    return false;
  return [404, 405, 501].includes(error.status) || (error.status === 400 && /\b404\b|not found/i.test(error.message));
}

function findCounter(name: CountedDialect["name"], { connection, upstreamModel }: Candidate): CountingAdapter | null {
  const adapter = findAdapter(connection.provider, name, upstreamModel);
  return adapter !== null && "toCountRequest" in adapter ? adapter : null;
}

function countRequest(
  name: CountedDialect["name"],
  candidate: Candidate,
  input: ChatInput,
  body: Readonly<Record<string, unknown>>,
  secret: string | null,
) {
  const adapter = findCounter(name, candidate);
  if (adapter === null) throw new Error("only providers that speak this dialect are asked");
  return adapter.toCountRequest(
    {
      raw: input.raw,
      body,
      changed: false,
      upstreamModel: candidate.upstreamModel,
      model: null,
      stream: false,
      headers: input.headers,
      origin: candidate.connection.origin,
      bound: null,
    },
    secret,
  );
}

/** Returns a function that finds the provider's own document, which may say more than the count. */
function findCount(field: string) {
  return (response: unknown): Document | null =>
    isRecord(response) && typeof response[field] === "number" ? response : null;
}
