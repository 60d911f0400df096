import { reachRules } from "../../providers/reach-rules.ts";
import { countTokensRequestSchema } from "../../contract/messages.ts";
import { estimatePromptTokens } from "../../core/money/prompt-tokens.ts";
import type { UpstreamRequest } from "../../upstream/provider-client.ts";
import { validate } from "../../core/validation.ts";
import { GatewayError } from "../../core/errors.ts";
import { movesOn } from "../../core/routes/moves-on.ts";
import { isRecord } from "../../lib/records.ts";
import { Attempts, NO_FOLLOWER } from "../calls/attempts.ts";
import type { AttemptDeps, Persistence, Target } from "../calls/attempts.ts";
import type { Admission } from "../calls/admission.ts";
import type { Client } from "../calls/client.ts";
import { getTokenCounter } from "../../core/money/text-tokens.ts";
import { upstreamRequest } from "../calls/upstream-request.ts";
import { SHORT_RESPONSE_BYTES, readResponse } from "../calls/whole-response.ts";
import type { Candidate } from "../models/served-model.ts";
import type { ResolveModel } from "../models/resolve-model.ts";
import type { Routes } from "../routes/routes.ts";
import type { ChatInput } from "./run-chat.ts";
import { sortNativeFirst } from "./request-translator.ts";

export interface CountMessagesDeps extends AttemptDeps {
  readonly resolveModel: ResolveModel;
  readonly admission: Admission;
  readonly instanceId: string;
  readonly routes: Pick<Routes, "find">;
}

/** `POST /v1/messages/count_tokens`. */
export interface TokenCount {
  readonly input_tokens: number;
}

/** A count is quick or it is of no use. */
const TIMEOUTS = { head: 30_000, gap: 30_000 };
/** No one waits for a provider where the count can be had without. */
const BRIEFLY: Persistence = { repeats: "others", asksRefused: false };

/**
 * Counts the tokens of a prompt before it is sent: by the provider where it speaks Anthropic's dialect, else here, within
 * some percent. It is free: no hold, no receipt, no limit of the key (Claude Code asks two dozen at once).
 */
export class CountMessages {
  readonly #deps: CountMessagesDeps;

  constructor(deps: CountMessagesDeps) {
    this.#deps = deps;
  }

  /** @throws GatewayError for a bad body, an unknown model, a provider's failure; ClientCancelled. */
  async count(input: ChatInput, client: Client): Promise<TokenCount> {
    const { resolveModel, admission } = this.#deps;
    const body = validate(countTokensRequestSchema, input.body);
    input.note(body.model.slice(0, 200), null);
    const servedModel = await resolveModel.find(body.model, "messages", input.key.record.models);
    admission.checkModel(input.key, servedModel);
    const first = sortNativeFirst(servedModel.candidates, "messages", body)[0];
    const native = servedModel.candidates.filter(({ connection }) => connection.provider.messages !== null);
    // The provider that serves the call decides how its tokens are counted.
    if (first === undefined || first.connection.provider.messages === null)
      return { input_tokens: estimatePromptTokens(body, getTokenCounter()) };
    const request = ({ candidate, credential }: Target): UpstreamRequest => {
      const { provider, origin } = candidate.connection;
      admission.checkReach(input.key, reachRules(provider, origin, "messages"), body);
      const wire = countRequest(candidate, input, body, credential.secret);
      return upstreamRequest(wire, candidate.connection, this.#deps.instanceId, TIMEOUTS);
    };
    const isRoute = this.#deps.routes.find(body.model) !== undefined;
    const attempts = new Attempts(this.#deps, native, client, request, NO_FOLLOWER, isRoute ? BRIEFLY : undefined);
    try {
      const expected = "a count of tokens";
      return (await readResponse(attempts, client, expected, { read: findCount }, SHORT_RESPONSE_BYTES)).value;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      // Along a route a call goes on where this provider fails, and so does what is counted for it.
      const isElsewhere = isRoute && movesOn(error, false);
      if (!isElsewhere && !hasNoCounter(error, native)) throw error;
      return { input_tokens: estimatePromptTokens(body, getTokenCounter()) };
    }
  }
}

/**
 * Whether a host that speaks Anthropic's dialect has no such endpoint: it says 404, or 400 with 404 in the text
 * (https://github.com/Wei-Shaw/sub2api/issues/656, read 2026-11-28). Anthropic itself has it: there a 404 is the model's.
 */
function hasNoCounter(error: GatewayError, native: readonly Candidate[]): boolean {
  if (native.some(({ connection }) => connection.origin.endsWith("anthropic.com"))) return false;
  return [404, 405, 501].includes(error.status) || (error.status === 400 && /\b404\b|not found/i.test(error.message));
}

function countRequest(
  candidate: Candidate,
  input: ChatInput,
  body: Readonly<Record<string, unknown>>,
  secret: string | null,
) {
  const { messages } = candidate.connection.provider;
  if (messages === null) throw new Error("only providers that speak this dialect are asked");
  return messages.toCountRequest(
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

/** The provider's own document, which may say more than the count. */
function findCount(response: unknown): TokenCount | null {
  if (!isRecord(response) || typeof response["input_tokens"] !== "number") return null;
  return { ...response, input_tokens: response["input_tokens"] };
}
