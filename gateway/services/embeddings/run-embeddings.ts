import { embeddingsRequestSchema } from "../../contract/embeddings.ts";
import type { EmbeddingsRequest } from "../../contract/embeddings.ts";
import { onDemand } from "../../contract/on-demand.ts";
import { areTokens, listEmbeddingInputs } from "../../core/embeddings/embedding-inputs.ts";
import type { EmbeddingInput } from "../../core/embeddings/embedding-inputs.ts";
import { getCommonLimits, splitInputs } from "../../core/embeddings/embedding-parts.ts";
import type { EmbeddingPart } from "../../core/embeddings/embedding-parts.ts";
import { checkDimensions } from "../../core/embeddings/embedding-rules.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Usage } from "../../core/models/model.ts";
import { NO_FACTS } from "../../core/routes/request-facts.ts";
import type { RequestFacts } from "../../core/routes/request-facts.ts";
import { validate } from "../../core/validation.ts";
import { textInputTokens } from "../../core/routes/text-input.ts";
import { isRecord } from "../../lib/records.ts";
import type { ObservedRequest } from "../calls/call-observer.ts";
import type { CallSteps, OwnPlan, PipelineDeps } from "../calls/call-steps.ts";
import type { Client, Recipient } from "../calls/client.ts";
import { describeEnd } from "../calls/paid-call.ts";
import type { CallCost, CallInput, PaidCall, Quote } from "../calls/paid-call.ts";
import { estimateCall, runCall } from "../calls/pipeline.ts";
import type { WholeResponse } from "../calls/whole-response.ts";
import { findOwnedSpec } from "../models/served-model.ts";
import type { Candidate, ServedModel } from "../models/served-model.ts";
import { countedTokens, getEmbeddingsCost, PartsLedger } from "./part-costs.ts";
import { JSON_LIST, OBJECT_LIST } from "./embedding-list.ts";
import type { EmbeddingsReply, ListForm, VectorList } from "./embedding-list.ts";
import { getAdapter, getRequestPart } from "./request-part.ts";
import { ClientCancelled } from "../calls/attempts.ts";
import { PartClients } from "../calls/part-clients.ts";

/** Max concurrent provider requests per client request. */
const PARTS_AT_ONCE = 4;

/** `POST /v1/embeddings`. One hold and one receipt, however many parts. */
export class RunEmbeddings {
  readonly #deps: PipelineDeps;

  constructor(deps: PipelineDeps) {
    this.#deps = deps;
  }

  /**
   * @param body as parsed from JSON, not yet checked. @param form of the response
   * @returns null when the client left.
   * @throws GatewayError.
   */
  run(input: CallInput, body: unknown, to: Recipient, form = JSON_LIST): Promise<EmbeddingsReply | null> {
    return runCall(this.#deps, new EmbeddingSteps(input, body, form), to);
  }

  /** Returns the vectors as objects. */
  vectors(input: CallInput, body: unknown, to: Recipient): Promise<VectorList | null> {
    return runCall(this.#deps, new EmbeddingSteps(input, body, OBJECT_LIST), to);
  }

  /** Estimates the cost. @throws GatewayError */
  estimate(input: CallInput, body: unknown): Promise<Quote> {
    return estimateCall(this.#deps, new EmbeddingSteps(input, body, JSON_LIST));
  }
}

const EMBEDDINGS: RequestFacts = { ...NO_FACTS, kinds: ["embeddings"] };

/** Steps of one embeddings request for the pipeline. */
class EmbeddingSteps<T, R> implements CallSteps<R, never> {
  readonly input: CallInput;
  readonly endpoint = "embeddings";
  readonly capability = "embedding";
  readonly stream = false;
  readonly #body: unknown;
  readonly #form: ListForm<T, R>;
  readonly #ledger = new PartsLedger<T>();
  #checked: { readonly body: EmbeddingsRequest; readonly inputs: readonly EmbeddingInput[] } | null = null;

  constructor(input: CallInput, body: unknown, form: ListForm<T, R>) {
    this.input = input;
    this.#body = body;
    this.#form = form;
  }

  get model(): unknown {
    return isRecord(this.#body) ? this.#body["model"] : undefined;
  }

  check(): string {
    const body = validate(embeddingsRequestSchema, this.#body);
    this.#checked = { body, inputs: listEmbeddingInputs(body.input) };
    return body.model;
  }

  facts(): RequestFacts {
    return EMBEDDINGS;
  }

  inputTokens(): number {
    return textInputTokens(this.#body, this.input.raw?.length ?? 0);
  }

  async plan(call: PaidCall, servedModel: ServedModel): Promise<OwnPlan<R>> {
    if (this.#checked === null) throw new Error("the check comes first");
    return new EmbeddingPlan({ ...this.#checked, call, servedModel, ledger: this.#ledger, form: this.#form });
  }

  /** If a part failed, the results of the others are paid. */
  async fail(call: PaidCall, error: unknown): Promise<void> {
    const ledger = this.#ledger;
    ledger.chargeTo(call.record);
    if (!ledger.anyDone) return call.fail(error);
    await call.record.settle({ outcome: "interrupted", ...describeEnd(error), ...ledger.done() });
  }

  describeRequest(): ObservedRequest {
    const body = this.input.raw ?? Buffer.from(JSON.stringify(this.#body) ?? "");
    return { endpoint: "embeddings", body, family: "nested" };
  }

  written(result: R): WholeResponse {
    return { status: 200, headers: { "content-type": "application/json" }, body: this.#form.bytes(result) };
  }
}

interface PlannedEmbeddings<T, R> {
  readonly call: PaidCall;
  readonly servedModel: ServedModel;
  readonly body: EmbeddingsRequest;
  readonly inputs: readonly EmbeddingInput[];
  readonly ledger: PartsLedger<T>;
  readonly form: ListForm<T, R>;
}

/** Asks for each part, and joins them. When a part fails, the others are ended. */
class EmbeddingPlan<T, R> implements OwnPlan<R> {
  readonly #planned: PlannedEmbeddings<T, R>;
  readonly #dimensions: number | null;
  readonly #candidates: readonly Candidate[];
  readonly #parts: readonly EmbeddingPart[];

  constructor(planned: PlannedEmbeddings<T, R>) {
    const { servedModel, body, inputs } = planned;
    this.#planned = planned;
    this.#dimensions = checkDimensions(body.dimensions, body.model, findOwnedSpec(servedModel)?.embedding);
    this.#candidates = ableTo(servedModel, inputs, body.model);
    const limits = this.#candidates.map((candidate) => getAdapter(candidate).readLimits(candidate.upstreamModel));
    this.#parts = splitInputs(inputs, getCommonLimits(limits));
  }

  cost(): CallCost {
    return getEmbeddingsCost(this.#candidates, this.#parts);
  }

  likely(): readonly Usage[] {
    return this.#parts.map(({ inputs }) => ({ units: { input: countedTokens(inputs) } }));
  }

  async respond(client: Client): Promise<R> {
    const { call, servedModel, body, ledger, form } = this.#planned;
    const candidates = this.#candidates;
    const format = {
      dimensions: this.#dimensions,
      encoding: body.encoding_format ?? "float",
      extra: getExtra(body),
    } as const;
    const ask = (part: EmbeddingPart, partClient: Client): Promise<void> =>
      ledger.follow(part, () => getRequestPart(call, candidates, servedModel, part, format, partClient, form));
    // A provider that failed before is tried by one request at a time: others next to it would find it closed.
    const alone = candidates.every(isRecovering) ? 1 : 0;
    await runParts(this.#parts.slice(0, alone), 1, client, ask);
    await runParts(this.#parts.slice(alone), PARTS_AT_ONCE, client, ask);
    call.record.markFirstByte();
    ledger.chargeTo(call.record);
    const { units, estimated } = ledger.done();
    await call.record.settle({ outcome: "completed", status: 200, code: null, units, estimated });
    return form.list(
      body.model,
      ledger.inOrder().map(({ items }) => items),
      ledger.tokens,
    );
  }
}

/** The candidates that take this kind of input. */
function ableTo(servedModel: ServedModel, inputs: readonly EmbeddingInput[], model: string): readonly Candidate[] {
  if (!areTokens(inputs)) return servedModel.candidates;
  const able = servedModel.candidates.filter((candidate) => getAdapter(candidate).takesTokens);
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

const KNOWN = onDemand((): ReadonlySet<string> => new Set(Object.keys(embeddingsRequestSchema.shape)));

/** Returns unknown fields for the provider; null counts as absent. */
function getExtra(body: EmbeddingsRequest): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => !KNOWN().has(name) && value !== null));
}

/**
 * Runs the parts in order, at most `atOnce` at a time. Once one has failed, or the client has disconnected, no other
 * starts and running ones are cancelled.
 * @param run rejects if its client disconnects; may reject at any time.
 * @throws the error of the first failed part, after all have ended.
 */
export async function runParts<P>(
  parts: readonly P[],
  atOnce: number,
  client: Client,
  run: (part: P, client: Client) => Promise<void>,
): Promise<void> {
  const clients = new PartClients(client);
  const waiting = parts.values();
  const errors: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const part of waiting) {
      if (clients.over) return;
      try {
        await run(part, clients.add());
      } catch (error) {
        errors.push(error);
        clients.end();
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, parts.length) }, worker));
  clients.close();
  if (errors.length > 0) throw errors[0];
  // The client disconnected between two parts, with no request running that could have noticed.
  if (clients.over) throw new ClientCancelled();
}
