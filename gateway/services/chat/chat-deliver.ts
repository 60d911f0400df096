import type { ChatBody } from "../../core/chat-rules.ts";
import { errorBody } from "../../core/errors.ts";
import type { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { isRecord } from "../../lib/records.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import { ClientGone } from "../calls/attempts.ts";
import type { Attempts, Opened } from "../calls/attempts.ts";
import { endingError, inBandError, isEventStream, malformedStream, shownHeaders } from "./chat-answer.ts";
import { chatAdapter, promptUnits } from "./chat-call.ts";
import type { ChatCall } from "./chat-call.ts";
import { ChatStream } from "./chat-stream.ts";
import type { Ending } from "./chat-stream.ts";
import { refuseWhole } from "./chat-whole.ts";
import { countTokens } from "../calls/count-tokens.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import { spendGuard } from "./spend-guard.ts";
import type { StreamHead } from "./stream-head.ts";
import { StreamMeter } from "./stream-meter.ts";
import type { StreamWatch } from "./stream-watch.ts";

export interface StreamDeps {
  readonly clock: Clock;
  readonly keyRing: KeyRing;
  readonly watch: StreamWatch;
}

const END_MARK = "data: [DONE]\n\n";

/**
 * A streamed answer: fails over until the first event, then passes everything on to the end.
 * @throws GatewayError or ClientGone for everything that ends before the first event.
 */
export async function answerStream(
  deps: StreamDeps,
  call: ChatCall,
  attempts: Attempts,
  body: ChatBody,
  head: StreamHead,
): Promise<void> {
  deps.watch.add(head);
  try {
    const begun = await firstEvent(deps, call, attempts, body);
    deps.watch.delete(head);
    head.send(shownHeaders(begun.opened));
    await deliver(deps, call, begun);
  } finally {
    deps.watch.delete(head);
  }
}

/** A stream whose first event is there. */
interface BegunStream {
  readonly opened: Opened;
  readonly stream: ChatStream;
  readonly meter: StreamMeter;
}

async function firstEvent(deps: StreamDeps, call: ChatCall, attempts: Attempts, body: ChatBody): Promise<BegunStream> {
  const { input, record, reply } = call;
  const options = body["stream_options"];
  const showUsage = isRecord(options) && options["include_usage"] === true;
  for (;;) {
    const opened = await attempts.next();
    const { connection } = opened.candidate;
    if (!isEventStream(opened)) await refuseWhole(opened, attempts);
    else {
      const meter = new StreamMeter(showUsage, chatAdapter(connection.vendor).toUnits);
      const stream = new ChatStream(opened.exchange, meter, {
        clock: deps.clock,
        objection: () => deps.keyRing.objection(input.key),
        cover: spendGuard(record, opened.candidate.price, call.estimate),
      });
      reply.onGone(() => stream.gone());
      const beginning = await stream.begin();
      if (beginning.kind === "flowing") {
        attempts.accept(opened);
        record.firstByte();
        if (reply.gone) throw new ClientGone(true);
        return { opened, stream, meter };
      }
      if (reply.gone) throw new ClientGone(true);
      if (beginning.kind === "malformed")
        attempts.rejectNonsense(opened, malformedStream(connection.name, beginning.why));
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
async function deliver(deps: StreamDeps, call: ChatCall, { opened, stream, meter }: BegunStream): Promise<void> {
  const { record, reply } = call;
  deps.watch.add(stream);
  let ending: Ending;
  try {
    ending = await stream.flow(reply);
  } finally {
    deps.watch.delete(stream);
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
  if (error !== null) return endInBand(call, error);
  if (complete) reply.write(END_MARK);
  await reply.end();
}

/** Tells an error to a client whose status was sent already, and ends the stream without an end mark. */
export async function endInBand({ input, record, reply }: ChatCall, error: GatewayError): Promise<void> {
  input.note(record.model, error.code);
  reply.write(`data: ${JSON.stringify(errorBody(error, "nested", input.requestId))}\n\n`);
  await reply.end();
}
