import { chatRequestSchema } from "../../contract/chat.ts";
import { applyChatRules } from "../../core/chat-rules.ts";
import type { RuledBody } from "../../core/chat-rules.ts";
import { GatewayError } from "../../core/errors.ts";
import type { HoldEstimate } from "../../core/estimate.ts";
import { validate } from "../../core/validation.ts";
import { isRecord } from "../../lib/records.ts";
import type { UpstreamRequest } from "../../upstream/door.ts";
import type { Admission } from "../calls/admission.ts";
import { Attempts, ClientGone } from "../calls/attempts.ts";
import type { AttemptDeps } from "../calls/attempts.ts";
import { CallRecord, vendorName } from "../calls/call-record.ts";
import type { CallRecordDeps } from "../calls/call-record.ts";
import { chatAdapter, dearest, promptUnits } from "./chat-call.ts";
import type { ChatCall, ChatInput } from "./chat-call.ts";
import { answerStream, endInBand } from "./chat-deliver.ts";
import type { StreamDeps } from "./chat-deliver.ts";
import { answerWhole } from "./chat-whole.ts";
import type { WholeAnswer } from "./chat-whole.ts";
import type { Client, StreamWriter } from "../calls/client.ts";
import { vendorHeaders } from "../calls/loop-guard.ts";
import type { Route } from "../models/model-index.ts";
import type { ResolveModel } from "../models/resolve-model.ts";
import { StreamHead } from "./stream-head.ts";

export interface RunChatDeps extends AttemptDeps, CallRecordDeps, StreamDeps {
  readonly resolveModel: ResolveModel;
  readonly admission: Admission;
  readonly instanceId: string;
}

/** Contract: 120 s to a stream's first frame, 600 s to an unstreamed answer, 300 s between frames. */
const FIRST_FRAME_MS = 120_000;
const WHOLE_ANSWER_MS = 600_000;
const GAP_MS = 300_000;

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
    const call: ChatCall = { input, record, reply, estimate: null };
    const head = new StreamHead(reply, takeOver, this.#deps.clock);
    try {
      return await this.#serve(call, head);
    } catch (error) {
      await this.#settleFailure(call, error);
      if (error instanceof ClientGone) {
        takeOver();
        return null;
      }
      if (!head.sent || !(error instanceof GatewayError)) throw error;
      await endInBand(call, error);
      return null;
    }
  }

  async #serve(call: ChatCall, head: StreamHead): Promise<WholeAnswer | null> {
    const { input, record } = call;
    const { resolveModel, admission } = this.#deps;
    const body = validate(chatRequestSchema, input.body);
    const route = resolveModel.known(body.model, "chat") ?? (await resolveModel.find(body.model, "chat"));
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
    if (ruled.body["stream"] !== true) return answerWhole(call, attempts);
    await answerStream(this.#deps, call, attempts, ruled.body, head);
    return null;
  }

  #attempts(call: ChatCall, route: Route, ruled: RuledBody): Attempts {
    const { input, record, reply } = call;
    const stream = ruled.body["stream"] === true;
    return new Attempts(this.#deps, route.candidates, reply, ({ candidate, credential }): UpstreamRequest => {
      record.begun(candidate);
      input.asked(vendorName(candidate));
      const { connection } = candidate;
      const wire = chatAdapter(connection.vendor).toRequest(
        {
          raw: input.raw,
          body: ruled.body,
          changed: ruled.changed,
          upstreamModel: candidate.upstreamModel,
          model: route.spec,
          stream,
          headers: {},
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

  /** Whatever ended the call early: its hold ends here, and its receipt says how. */
  async #settleFailure(call: ChatCall, error: unknown): Promise<void> {
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
