import { chatRequestSchema } from "../contract/chat.ts";
import { applyChatRules } from "../core/chat-rules.ts";
import type { ChatBody, RuledBody } from "../core/chat-rules.ts";
import { GatewayError, errorBody } from "../core/errors.ts";
import { estimateHold } from "../core/estimate.ts";
import type { HoldEstimate } from "../core/estimate.ts";
import type { Units } from "../core/model.ts";
import { validate } from "../core/validation.ts";
import { isRecord } from "../lib/records.ts";
import type { UpstreamRequest } from "../upstream/door.ts";
import { UpstreamFailure } from "../upstream/failure.ts";
import type { Admission } from "./admission.ts";
import { Attempts, ClientGone } from "./attempts.ts";
import type { AttemptDeps, Opened } from "./attempts.ts";
import { CallRecord, vendorName } from "./call-record.ts";
import type { CallRecordDeps } from "./call-record.ts";
import {
  endingError,
  inBandError,
  isEventStream,
  malformedStream,
  notChat,
  parseAnswer,
  shownHeaders,
  textOf,
} from "./chat-answer.ts";
import { ChatStream } from "./chat-stream.ts";
import type { Ending } from "./chat-stream.ts";
import type { Client, StreamWriter } from "./client.ts";
import { countTokens } from "./count-tokens.ts";
import type { KeyRing, RingKey } from "./key-ring.ts";
import { vendorHeaders } from "./loop-guard.ts";
import type { Route } from "./model-index.ts";
import type { ResolveModel } from "./resolve-model.ts";
import { StreamMeter } from "./stream-meter.ts";
import type { StreamWatch } from "./stream-watch.ts";
import { spendGuard } from "./spend-guard.ts";

export interface RunChatDeps extends AttemptDeps, CallRecordDeps {
  readonly resolveModel: ResolveModel;
  readonly admission: Admission;
  readonly keyRing: KeyRing;
  readonly watch: StreamWatch;
  readonly instanceId: string;
}

/** A chat completion as it came in. */
export interface ChatInput {
  readonly requestId: string;
  readonly arrivedAt: number;
  readonly key: RingKey;
  readonly userAgent: string;
  readonly raw: Buffer;
  readonly body: unknown;
  /** Tells the access log what it was about. */
  readonly note: (model: string, code: string | null) => void;
  /** Tells who is asked, before anything is sent: a failing answer names its vendor too. */
  readonly asked: (vendor: string) => void;
}

/** An answer that is not a stream. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Contract: 120 s to a stream's first frame, 600 s to an unstreamed answer, 300 s between frames. */
const FIRST_FRAME_MS = 120_000;
const WHOLE_ANSWER_MS = 600_000;
const GAP_MS = 300_000;
/** When the vendor says nothing for so long, the client gets its head and a heartbeat. */
const PATIENCE_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const END_MARK = "data: [DONE]\n\n";

/** The story of a chat request: resolve, rules, access, limits, hold, vendor, meter, settle. */
export class RunChat {
  readonly #deps: RunChatDeps;

  constructor(deps: RunChatDeps) {
    this.#deps = deps;
  }

  /**
   * @param takeOver called right before a stream begins; from then on `reply` is written to directly.
   * @returns the whole answer; null when it was streamed or nobody is there to take it.
   * @throws GatewayError for everything that ends before a byte was sent.
   */
  async run(input: ChatInput, reply: Client & StreamWriter, takeOver: () => void): Promise<WholeAnswer | null> {
    const asked = isRecord(input.body) ? input.body : {};
    const model = typeof asked["model"] === "string" ? asked["model"].slice(0, 200) : "";
    const stream = asked["stream"] === true;
    const record = new CallRecord(this.#deps, {
      requestId: input.requestId,
      arrivedAt: input.arrivedAt,
      keyId: input.key.record.id,
      endpoint: "chat",
      model,
      userAgent: input.userAgent,
      stream,
    });
    input.note(model, null);
    const call: Call = { input, record, reply, estimate: null };
    try {
      return await this.#serve(call, takeOver);
    } catch (error) {
      await this.#settleFailure(call, error);
      if (error instanceof ClientGone) {
        takeOver();
        return null;
      }
      throw error;
    }
  }

  async #serve(call: Call, takeOver: () => void): Promise<WholeAnswer | null> {
    const { input, record } = call;
    const { resolveModel, admission } = this.#deps;
    const body = validate(chatRequestSchema, input.body);
    const route = await resolveModel.find(body.model, "chat");
    record.resolved(route.id);
    const ruled = applyChatRules(body, route.spec);
    admission.checkModel(input.key, route);

    const first = route.candidates[0];
    if (first === undefined) throw new Error("a route without candidates");
    const sandbox = first.connection.from === "sandbox";
    // Looking at every word of a long prompt is for those who need the figure: limited keys and unreported usage.
    let known: HoldEstimate | null = null;
    const estimate = (): HoldEstimate => (known ??= dearest(ruled.body, route));
    call.estimate = estimate;
    const metered = admission.isMetered(input.key, sandbox);
    record.admitted(admission.admit(input.key, metered ? estimate().nano : 0, metered ? estimate().least : 0, sandbox));

    const attempts = this.#attempts(call, route, ruled);
    if (ruled.body["stream"] !== true) return this.#whole(call, attempts);
    return this.#stream(call, attempts, ruled.body, takeOver);
  }

  #attempts(call: Call, route: Route, ruled: RuledBody): Attempts {
    const { input, record, reply } = call;
    const stream = ruled.body["stream"] === true;
    return new Attempts(this.#deps, route.candidates, reply, ({ candidate, credential }): UpstreamRequest => {
      record.begun(candidate);
      input.asked(vendorName(candidate));
      const { connection } = candidate;
      const wire = connection.vendor.chat.toRequest(
        {
          raw: input.raw,
          body: ruled.body,
          changed: ruled.changed,
          upstreamModel: candidate.upstreamModel,
          model: route.spec,
          stream,
        },
        credential.secret,
      );
      return {
        origin: connection.origin,
        path: connection.basePath + wire.path,
        method: wire.method,
        headers: vendorHeaders(wire.headers, connection.origin, this.#deps.instanceId),
        body: wire.body,
        headTimeout: stream ? FIRST_FRAME_MS : WHOLE_ANSWER_MS,
        gapTimeout: GAP_MS,
      };
    });
  }

  async #whole(call: Call, attempts: Attempts): Promise<WholeAnswer> {
    const { record, reply } = call;
    for (;;) {
      const opened = await attempts.next();
      const { exchange, candidate } = opened;
      const { vendor, name } = candidate.connection;
      reply.onGone(() => exchange.abort());
      const body = await exchange.collect(MAX_ANSWER_BYTES).catch((error: unknown) => {
        if (reply.gone) throw new ClientGone(true);
        if (error instanceof UpstreamFailure) attempts.rejectBroken(opened, error);
        throw error;
      });
      reply.onGone(null);
      record.firstByte();
      const answer = parseAnswer(body);
      if (isRecord(answer) && Array.isArray(answer["choices"])) {
        const reported = vendor.chat.toUnits(answer["usage"]);
        const units = reported ?? { ...promptUnits(call), output: countTokens(textOf(answer["choices"])) };
        await record.settle({ outcome: "completed", status: 200, code: null, units, estimated: reported === null });
        return { status: 200, headers: { "content-type": "application/json", ...shownHeaders(opened) }, body };
      }
      if (!isRecord(answer) || answer["error"] === undefined) throw notChat(name, exchange.headers["content-type"]);
      await attempts.reject(opened, inBandError(opened, answer));
    }
  }

  async #stream(call: Call, attempts: Attempts, body: ChatBody, takeOver: () => void): Promise<null> {
    const { input, record, reply } = call;
    const options = body["stream_options"];
    const showUsage = isRecord(options) && options["include_usage"] === true;
    for (;;) {
      const opened = await attempts.next();
      const { connection } = opened.candidate;
      if (!isEventStream(opened)) await this.#notStream(opened, attempts);
      else {
        const meter = new StreamMeter(showUsage, connection.vendor.chat.toUnits);
        const stream = new ChatStream(opened.exchange, meter, {
          clock: this.#deps.clock,
          patienceMs: PATIENCE_MS,
          objection: () => this.#deps.keyRing.objection(input.key),
          cover: spendGuard(record, opened.candidate.price, call.estimate),
        });
        reply.onGone(() => stream.gone());
        const beginning = await stream.begin();
        if (beginning.kind === "flowing") {
          record.firstByte();
          if (!reply.gone) await this.#deliver(call, opened, stream, meter, takeOver);
          else throw new ClientGone(true);
          return null;
        }
        if (reply.gone) throw new ClientGone(true);
        if (beginning.kind === "malformed") throw malformedStream(connection.name, beginning.why);
        if (beginning.kind === "broken") {
          attempts.rejectBroken(
            opened,
            beginning.failure ?? new UpstreamFailure("broken", true, "the stream ended without an answer"),
          );
        }
        if (beginning.kind === "error") await attempts.reject(opened, inBandError(opened, beginning.body));
      }
    }
  }

  /** Streams to the end. The receipt is written before the end mark: a client that saw the end has been charged. */
  async #deliver(
    call: Call,
    opened: Opened,
    stream: ChatStream,
    meter: StreamMeter,
    takeOver: () => void,
  ): Promise<void> {
    const { input, record, reply } = call;
    takeOver();
    reply.open({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
      ...shownHeaders(opened),
    });
    this.#deps.watch.add(stream);
    let ending: Ending;
    try {
      ending = await stream.flow(reply);
    } finally {
      this.#deps.watch.delete(stream);
    }
    const error = endingError(ending, opened);
    const complete = ending.kind === "complete";
    await record.settle({
      outcome: complete ? "completed" : "interrupted",
      status: 200,
      code: ending.kind === "gone" ? "client_closed" : (error?.code ?? null),
      units: meter.usage ?? { ...promptUnits(call), output: countTokens(meter.delivered) },
      estimated: meter.usage === null,
    });
    if (error !== null) {
      input.note(record.model, error.code);
      reply.write(`data: ${JSON.stringify(errorBody(error, "nested", input.requestId))}\n\n`);
    } else if (complete) {
      reply.write(END_MARK);
    }
    await reply.end();
  }

  /** A stream was asked for and something else came: an error that says 200, or an answer that is none. */
  async #notStream(opened: Opened, attempts: Attempts): Promise<void> {
    const { exchange, candidate } = opened;
    const body = await exchange.collect(MAX_ANSWER_BYTES).catch((error: unknown) => {
      if (error instanceof UpstreamFailure) attempts.rejectBroken(opened, error);
      throw error;
    });
    const answer = parseAnswer(body);
    if (!isRecord(answer) || answer["error"] === undefined)
      throw notChat(candidate.connection.name, exchange.headers["content-type"]);
    await attempts.reject(opened, inBandError(opened, answer));
  }

  /** Whatever ended the call early: its hold ends here, and its receipt says how. */
  async #settleFailure(call: Call, error: unknown): Promise<void> {
    if (error instanceof ClientGone) {
      // The vendor has read the prompt, whoever still wants the answer.
      const units = error.sent ? promptUnits(call) : {};
      await call.record.settle({
        outcome: error.sent ? "interrupted" : "failed",
        status: 499,
        code: "client_closed",
        units,
        estimated: true,
      });
      return;
    }
    const expected = error instanceof GatewayError ? error : null;
    await call.record.settle({
      outcome: "failed",
      status: expected?.status ?? 500,
      code: expected?.code ?? "internal_error",
      units: {},
      estimated: false,
    });
  }
}

/** One request on its way through the story. */
interface Call {
  readonly input: ChatInput;
  readonly record: CallRecord;
  readonly reply: Client & StreamWriter;
  /** What the call may cost, worked out when first asked for; null until its model is known. */
  estimate: (() => HoldEstimate) | null;
}

/** The estimate at the candidate where the call costs most: fail-over may end there. */
function dearest(body: ChatBody, route: Route): HoldEstimate {
  const estimates = route.candidates.map((candidate) => estimateHold(body, candidate.price, route.spec));
  return estimates.reduce((most, estimate) => (estimate.nano > most.nano ? estimate : most));
}

/** The prompt as we count it, for calls whose vendor does not report. */
function promptUnits(call: Call): Units {
  return { input: call.estimate?.().input ?? 0 };
}
