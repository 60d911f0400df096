import { setImmediate as nextTurn } from "node:timers/promises";
import { GatewayError } from "../../core/errors.ts";
import { NO_FACTS } from "../../core/routes/request-facts.ts";
import type { RequestFacts } from "../../core/routes/request-facts.ts";
import { parseJson } from "../../lib/json.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import { ClientCancelled } from "./attempts.ts";
import { shownHeaders } from "./shown-headers.ts";
import type { Attempts, Opened } from "./attempts.ts";
import { ObservedRecipient, tellWhole } from "./call-observer.ts";
import type { StoredRoute } from "../../store/document.ts";
import { FallbackChain } from "../routes/fallback-chain.ts";
import { observeProvider } from "./observed-provider.ts";
import type { CallSteps, EventsPlan, ExchangePlan, OwnPlan, PipelineDeps } from "./call-steps.ts";
import type { Client, Recipient } from "./client.ts";
import { DetachableRecipient } from "./detached-calls.ts";
import { PaidCall, describeEnd } from "./paid-call.ts";
import type { Quote } from "./paid-call.ts";
import type { MakeText, StreamReader } from "./stream-reader.ts";
import { StreamRelay, getEndingError, isEventStream, malformedStream } from "./stream-relay.ts";
import { StreamHead } from "./stream-relay.ts";
import type { Ending } from "./stream-relay.ts";
import { alwaysDetachable, collect, inBandError, readResponse, refuseResponse } from "./whole-response.ts";
import type { ReadResponse } from "./whole-response.ts";

/**
 * The stages of every synchronous paid call, in their order. A kind of call (chat, images, …) implements the stages and
 * does not know the order.
 */

/**
 * Makes a call.
 * @returns the result; null if the client has disconnected.
 * @throws GatewayError for any failure before the first byte was sent.
 */
export function runCall<R, T>(deps: PipelineDeps, steps: CallSteps<R, T>, to: Recipient): Promise<R | null> {
  return deps.observers.on ? serveObserved(deps, steps, to) : serve(deps, steps, to);
}

/** Estimates the cost of a call by running its stages up to the hold. Nothing is held, sent or written. */
export async function estimateCall<R, T>(deps: PipelineDeps, steps: CallSteps<R, T>): Promise<Quote> {
  const call = new PaidCall(deps, steps.input, steps.endpoint, steps.model, steps.stream);
  try {
    const name = steps.check();
    const route = deps.routes.find(name);
    if (route !== undefined)
      return await createChain(deps, route, call, steps, steps.facts?.() ?? UNKNOWN_FACTS).quote();
    const servedModel = await call.findModel(name, steps.capability);
    const plan = await steps.plan(call, servedModel);
    return call.quote(servedModel, (remaining) => plan.cost(remaining));
  } catch (thrown) {
    throw steps.shown?.(thrown) ?? thrown;
  }
}

/** No async function: one more promise that waits for the response would make it old. */
function serve<R, T>(deps: PipelineDeps, steps: CallSteps<R, T>, to: Recipient): Promise<R | null> {
  const call = new PaidCall(deps, steps.input, steps.endpoint, steps.model, steps.stream);
  if (steps.makesMedia !== true) return serveCall(deps, steps, call, to);
  const detachable = new DetachableRecipient(to, deps.detachedCalls, () => call.record.detach());
  return serveCall(deps, steps, call, detachable).finally(() => detachable.release());
}

async function serveCall<R, T>(
  deps: PipelineDeps,
  steps: CallSteps<R, T>,
  call: PaidCall,
  to: Recipient,
): Promise<R | null> {
  /** The stream's head, kept across failover, and the plan that is streaming. */
  let head = null as StreamHead | null;
  let streaming = null as EventsPlan<R> | null;
  try {
    // 1. Check and resolve; 2. plan; 3. admit and hold.
    const name = steps.check();
    const facts = steps.facts?.() ?? UNKNOWN_FACTS;
    call.facts = facts;
    call.record.setRequestKinds(facts.kinds);
    // Context parts are shown only for sessions, so other calls do not compute them.
    if (call.record.identity.session !== null) call.record.setContextParts(facts.context());
    const route = deps.routes.find(name);
    const chain = route === undefined ? null : createChain(deps, route, call, steps, facts);
    let plan = chain === null ? await admitCall(call, steps, name) : await chain.start();
    // 4. Send with failover, translate, meter, settle and deliver.
    for (;;) {
      try {
        if ("respond" in plan) {
          streaming = plan.events ?? null;
          if (streaming !== null) head ??= new StreamHead(to, deps.clock, streaming.heartbeat);
          return noteResponse(chain, await plan.respond(to, head));
        }
        const attempts = call.createAttempts(plan.candidates, to, plan);
        if (!plan.stream) {
          const read = await readResponse(attempts, to, plan.expected, plan, plan.limit);
          call.record.markFirstByte();
          return noteResponse(chain, await finishCall(call, plan, read, to));
        }
        streaming = plan;
        head ??= new StreamHead(to, deps.clock, plan.heartbeat);
        return noteResponse(chain, await relayStream(deps, call, plan, attempts, to, head));
      } catch (thrown) {
        if (chain === null || to.isDetached === true) throw thrown;
        plan = await chain.continueAfter(thrown);
      }
    }
  } catch (thrown) {
    const error = steps.shown?.(thrown) ?? thrown;
    // The receipt is written before the client gets the error.
    await (steps.fail === undefined ? call.fail(error) : steps.fail(call, error));
    if (error instanceof ClientCancelled) return null;
    if (streaming === null || head?.sent !== true || !(error instanceof GatewayError)) throw error;
    await endInBand(call, streaming, to, error);
    return streaming.createStreamed(error);
  }
}

/** Bytes of a stream from which its last events, which may repeat all of it, are written in time slices. */
const LARGE_BYTES = 1024 * 1024;

type Plan<R, T> = ExchangePlan<R, T> | OwnPlan<R>;

/** Facts of calls that state none: there is no failover to other models once they may have been executed. */
const UNKNOWN_FACTS: RequestFacts = { ...NO_FACTS, unsafe: true };

/** Plans the call for the requested model, admits it and holds its money. @throws GatewayError */
async function admitCall<R, T>(call: PaidCall, steps: CallSteps<R, T>, name: string): Promise<Plan<R, T>> {
  const servedModel = await call.findModel(name, steps.capability);
  const plan = await steps.plan(call, servedModel);
  call.admit(servedModel, plan);
  return plan;
}

function createChain<R, T>(
  deps: PipelineDeps,
  route: StoredRoute,
  call: PaidCall,
  steps: CallSteps<R, T>,
  facts: RequestFacts,
): FallbackChain<Plan<R, T>> {
  return new FallbackChain(deps, route, {
    call,
    capability: steps.capability,
    facts,
    inputTokens: () => steps.inputTokens?.() ?? facts.inputTokens(),
    bytes: steps.input.raw?.length ?? Infinity,
    mediaInWords: steps.mediaInWords === true,
    searches: steps.searches,
    chosen: steps.chosen,
    plan: (servedModel) => steps.plan(call, servedModel),
  });
}

/** Notes which model of a chain responded, for the calls after it. */
function noteResponse<R, T>(chain: FallbackChain<Plan<R, T>> | null, result: R | null): R | null {
  chain?.noteSuccess();
  return result;
}

/** Meters a response that was read whole, and writes its receipt before it is handed out. */
async function finishCall<R, T>(
  call: PaidCall,
  plan: ExchangePlan<R, T>,
  read: ReadResponse<T>,
  to: Client,
): Promise<R> {
  const { units, estimated, response } = await plan.finish(read, to);
  await call.record.settle({ outcome: "completed", status: 200, code: null, units, estimated });
  plan.settleOpened?.(read.opened);
  return response;
}

/** A stream whose first event has arrived, or the complete response of a provider that does not stream. */
type FirstEvent<T> =
  | { readonly stream: StreamRelay; readonly reader: StreamReader; readonly opened: Opened }
  | { readonly read: ReadResponse<T> };

/**
 * Streams a response: fails over until the first event, then forwards events as they arrive. The receipt is written
 * before the closing event, so a client that saw the end has been charged.
 */
async function relayStream<R, T>(
  deps: PipelineDeps,
  call: PaidCall,
  plan: ExchangePlan<R, T>,
  attempts: Attempts,
  to: Recipient,
  head: StreamHead,
): Promise<R | null> {
  let first: FirstEvent<T>;
  const waiting = deps.watch.add(head);
  try {
    first = await openStream(deps, call, plan, attempts, to);
  } finally {
    deps.watch.delete(waiting, head);
  }
  if ("read" in first) return sendWholeAsEvents(call, plan, first.read, to, head);
  const { stream, reader, opened } = first;
  head.send(shownHeaders(opened));
  const place = deps.watch.add(stream);
  let ending: Ending;
  try {
    ending = await stream.flow(to);
  } finally {
    deps.watch.delete(place, stream);
  }
  const error = getEndingError(ending, opened);
  const complete = ending.kind === "complete";
  const { units, estimated, billed = units } = plan.meter(opened, reader);
  await call.record.settle({
    ...describeEnd(ending.kind === "cancelled" ? new ClientCancelled() : error),
    outcome: complete ? "completed" : "interrupted",
    status: 200,
    units: billed,
    estimated,
  });
  plan.settleOpened?.(opened);
  if (error !== null) {
    const held = reader.release();
    if (held !== "") to.write(held);
    await endInBand(call, plan, to, error);
  } else {
    if (complete && reader.bytes > LARGE_BYTES) await writeInSlices(to, reader.ending(units));
    else if (complete) for (const text of reader.ending(units)) to.write(text());
    await to.end();
  }
  return ending.kind === "cancelled" ? null : plan.createStreamed(error);
}

async function writeInSlices(to: Recipient, texts: readonly MakeText[]): Promise<void> {
  for (const text of texts) {
    await nextTurn();
    to.write(text());
  }
}

/**
 * Opens a stream, with failover until one has started.
 * @throws GatewayError or ClientCancelled for any failure before the first event.
 */
async function openStream<R, T>(
  deps: PipelineDeps,
  call: PaidCall,
  plan: ExchangePlan<R, T>,
  attempts: Attempts,
  to: Recipient,
): Promise<FirstEvent<T>> {
  for (;;) {
    const opened = await attempts.next();
    if (!isEventStream(opened)) {
      const body = await collect(opened, attempts, to, plan.limit);
      const document = parseJson(body);
      const value = plan.asEvents === undefined ? null : plan.read(document, opened);
      if (value !== null) {
        attempts.acceptResponse(opened);
        return { read: { opened, body, value } };
      }
      await refuseResponse(opened, attempts, document, plan.expected);
      continue;
    }
    const reader = plan.reader(opened);
    const stream = new StreamRelay(opened.exchange, reader, {
      clock: deps.clock,
      heartbeat: plan.heartbeat,
      objection: () => deps.keyRing.objection(call.input.key),
      cover: plan.cover(opened, reader),
      largest: plan.streamLimit,
    });
    to.onCancelled(() => stream.onCancelled(), alwaysDetachable);
    const beginning = await stream.begin();
    // Only an event proves that the provider responds; a client that disconnects earlier says nothing about it.
    if (to.cancelled && !(beginning.kind === "flowing" && reader.started)) attempts.abandon(opened);
    switch (beginning.kind) {
      case "flowing":
        attempts.acceptResponse(opened);
        call.record.markFirstByte(() => reader.delivered.characters);
        if (to.cancelled) throw new ClientCancelled();
        return { stream, reader, opened };
      case "malformed":
        attempts.rejectNonsense(opened, malformedStream(opened.candidate.connection.name, beginning.why));
      case "broken":
        attempts.rejectBroken(
          opened,
          beginning.failure ?? new UpstreamFailure("broken", true, "the stream ended without a response"),
        );
      case "error":
        await attempts.reject(opened, inBandError(opened, beginning.body));
    }
  }
}

/** Sends a whole response as events: a provider that ignores `stream` is paid all the same. */
async function sendWholeAsEvents<R, T>(
  call: PaidCall,
  plan: ExchangePlan<R, T>,
  read: ReadResponse<T>,
  to: Recipient,
  head: StreamHead,
): Promise<R> {
  call.record.markFirstByte();
  await finishCall(call, plan, read, to);
  head.send(shownHeaders(read.opened));
  to.write(plan.asEvents?.(read.value) ?? "");
  await to.end();
  return plan.createStreamed(null);
}

/** Sends an error to a client whose status was already sent, and ends the stream without an end mark. */
async function endInBand<R>(
  call: PaidCall,
  plan: Pick<EventsPlan<R>, "inBand">,
  to: Recipient,
  error: GatewayError,
): Promise<void> {
  call.input.note(call.record.model, error.code);
  to.write(plan.inBand(error, call.input.requestId));
  await to.end();
}

async function serveObserved<R, T>(deps: PipelineDeps, steps: CallSteps<R, T>, to: Recipient): Promise<R | null> {
  const observer = deps.observers.begin(steps.input, steps.describeRequest());
  try {
    const result = await serve(observeProvider(deps, observer), steps, new ObservedRecipient(to, observer));
    if (result !== null) tellWhole(observer, () => steps.written(result));
    observer.endCall(null);
    return result;
  } catch (error) {
    observer.endCall(error);
    throw error;
  }
}
