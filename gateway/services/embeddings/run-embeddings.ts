import { embeddingsRequestSchema } from "../../contract/embeddings.ts";
import type { EmbeddingsRequest } from "../../contract/embeddings.ts";
import { areTokens, embeddingInputs } from "../../core/embeddings/embedding-inputs.ts";
import type { EmbeddingInput } from "../../core/embeddings/embedding-inputs.ts";
import { commonLimits, splitInputs } from "../../core/embeddings/embedding-parts.ts";
import type { EmbeddingPart } from "../../core/embeddings/embedding-parts.ts";
import { checkDimensions } from "../../core/embeddings/embedding-rules.ts";
import { GatewayError } from "../../core/errors.ts";
import { validate } from "../../core/validation.ts";
import { isRecord } from "../../lib/records.ts";
import { ClientGone } from "../calls/attempts.ts";
import type { Client } from "../calls/client.ts";
import { PaidCall, endedBy } from "../calls/paid-call.ts";
import type { CallInput, PaidCallDeps } from "../calls/paid-call.ts";
import type { Candidate, Route } from "../models/routes.ts";
import { countedTokens } from "./counted-tokens.ts";
import { embeddingsCost } from "./embedding-cost.ts";
import { listChunks } from "./embedding-list.ts";
import { PartsLedger } from "./parts-ledger.ts";
import { adapterOf, requestPart } from "./request-part.ts";
import { runParts } from "./run-parts.ts";

/** Requests to the provider at once for one client's request. */
const PARTS_AT_ONCE = 4;

/** A list of embeddings as JSON in pieces, which together may be larger than a string can be. */
export interface EmbeddingsReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly Buffer[];
}

/** The story of an embeddings request: resolve, rules, hold, split, ask the provider for each part, join, settle. */
export class RunEmbeddings {
  readonly #deps: PaidCallDeps;

  constructor(deps: PaidCallDeps) {
    this.#deps = deps;
  }

  /**
   * One hold and one receipt, however many parts. When a part fails, the others are ended and what came back is paid.
   * @param body as parsed from JSON, not yet checked.
   * @returns null when the client left.
   * @throws GatewayError.
   */
  async run(input: CallInput, body: unknown, client: Client): Promise<EmbeddingsReply | null> {
    const call = new PaidCall(this.#deps, input, "embeddings", isRecord(body) ? body["model"] : undefined, false);
    const ledger = new PartsLedger();
    try {
      return await this.#serve(call, ledger, validate(embeddingsRequestSchema, body), client);
    } catch (error) {
      await fail(call, ledger, error);
      if (error instanceof ClientGone) return null;
      throw error;
    }
  }

  async #serve(call: PaidCall, ledger: PartsLedger, body: EmbeddingsRequest, client: Client): Promise<EmbeddingsReply> {
    const inputs = embeddingInputs(body.input);
    const route = await call.route(body.model, "embedding");
    const dimensions = checkDimensions(body.dimensions, body.model, route.spec?.embedding);
    const candidates = ableTo(route, inputs, body.model);
    const limits = commonLimits(candidates.map((candidate) => adapterOf(candidate).limitsOf(candidate.upstreamModel)));
    const parts = splitInputs(inputs, limits);
    call.admit(
      route,
      () => embeddingsCost(candidates, parts),
      () => parts.map(({ inputs: some }) => ({ units: { input: countedTokens(some) } })),
    );
    const asked = { dimensions, encoding: body.encoding_format ?? "float", extra: extraOf(body) } as const;
    const ask = (part: EmbeddingPart, partClient: Client): Promise<void> =>
      ledger.follow(part, () => requestPart(call, candidates, route, part, asked, partClient));
    // A provider that failed before is tried by one request at a time: others beside it would find it closed.
    const alone = candidates.every(isRecovering) ? 1 : 0;
    await runParts(parts.slice(0, alone), 1, client, ask);
    await runParts(parts.slice(alone), PARTS_AT_ONCE, client, ask);
    call.record.firstByte();
    ledger.chargeTo(call.record);
    const { units, estimated } = ledger.done();
    await call.record.settle({ outcome: "completed", status: 200, code: null, units, estimated });
    return {
      headers: { "content-type": "application/json" },
      chunks: listChunks(body.model, ledger.inOrder(), ledger.tokens),
    };
  }
}

/** The candidates that take this kind of input. */
function ableTo(route: Route, inputs: readonly EmbeddingInput[], model: string): readonly Candidate[] {
  if (!areTokens(inputs)) return route.candidates;
  const able = route.candidates.filter((candidate) => adapterOf(candidate).takesTokens);
  if (able.length > 0) return able;
  throw new GatewayError(
    "invalid_value",
    `Invalid value for 'input': the model "${model}" takes a text or an array of texts, not tokens. Send the text itself.`,
    { param: "input" },
  );
}

/** Whether no key of the connection is known to work. */
function isRecovering({ connection }: Candidate): boolean {
  return connection.credentials.every(
    ({ locked, health }) => locked || !["ready", "cooling"].includes(health.whole.state),
  );
}

const KNOWN: ReadonlySet<string> = new Set(Object.keys(embeddingsRequestSchema.shape));

/** What the provider may know and we do not; null means "not given". */
function extraOf(body: EmbeddingsRequest): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => !KNOWN.has(name) && value !== null));
}

async function fail(call: PaidCall, ledger: PartsLedger, error: unknown): Promise<void> {
  ledger.chargeTo(call.record);
  if (!ledger.anyDone) return call.fail(error);
  await call.record.settle({ outcome: "interrupted", ...endedBy(error), ...ledger.done() });
}
