import type { Document } from "../../codecs/translation.ts";
import type { Clock } from "../../lib/clock.ts";
import { parseJson } from "../../lib/json.ts";
import { isRecord } from "../../lib/records.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import { ClientGone } from "../calls/attempts.ts";
import type { Attempts, Opened } from "../calls/attempts.ts";
import { countTokens } from "../calls/count-tokens.ts";
import { collect, inBandError, refuseAnswer } from "../calls/whole-answer.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import { endInBand } from "./break-off.ts";
import { promptUnits } from "./chat-call.ts";
import type { ChatCall, SpokenCall } from "./chat-call.ts";
import { ChatStream } from "./chat-stream.ts";
import type { Ending } from "./chat-stream.ts";
import { mended, translated, untouched, withoutUsage } from "./passages.ts";
import { shownHeaders } from "./shown-headers.ts";
import { spendGuard } from "./spend-guard.ts";
import { endingError, isEventStream, malformedStream } from "./stream-errors.ts";
import type { StreamHead } from "./stream-head.ts";
import { StreamReader } from "./stream-reader.ts";
import type { Passage } from "./stream-reader.ts";
import type { StreamWatch } from "./stream-watch.ts";
import type { Rendering } from "./speak.ts";

export interface StreamDeps {
  readonly clock: Clock;
  readonly keyRing: KeyRing;
  readonly watch: StreamWatch;
}

/**
 * A streamed answer: fails over until the first event, then passes everything on to the end.
 * @param body the client's, after the rules.
 * @throws GatewayError or ClientGone for everything that ends before the first event.
 */
export async function answerStream(
  deps: StreamDeps,
  call: SpokenCall,
  attempts: Attempts,
  body: Document,
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
  readonly reader: StreamReader;
}

async function firstEvent(
  deps: StreamDeps,
  call: SpokenCall,
  attempts: Attempts,
  body: Document,
): Promise<BegunStream> {
  const { paid, reply, speaker, dialect } = call;
  for (;;) {
    const opened = await attempts.next();
    const { connection } = opened.candidate;
    if (!isEventStream(opened)) {
      await refuseAnswer(opened, attempts, parseJson(await collect(opened, attempts, reply)), dialect.answerName);
      continue;
    }
    const rendering = speaker.to(connection.vendor);
    const reader = new StreamReader(
      rendering.dialect.observer(rendering.adapter.toUnits),
      passageOf(call, rendering, body),
    );
    const stream = new ChatStream(opened.exchange, reader, {
      clock: deps.clock,
      heartbeat: dialect.heartbeat,
      objection: () => deps.keyRing.objection(paid.input.key),
      cover: spendGuard(paid.record, opened.candidate.price, call.estimate),
    });
    reply.onGone(() => stream.gone());
    const beginning = await stream.begin();
    if (reply.gone && beginning.kind !== "flowing") attempts.abandon(opened);
    switch (beginning.kind) {
      case "flowing":
        attempts.accept(opened);
        paid.record.firstByte();
        if (reply.gone) throw new ClientGone(true);
        return { opened, stream, reader };
      case "malformed":
        attempts.rejectNonsense(opened, malformedStream(connection.name, beginning.why));
      case "broken":
        attempts.rejectBroken(
          opened,
          beginning.failure ?? new UpstreamFailure("broken", true, "the stream ended without an answer"),
        );
      case "error":
        await attempts.reject(opened, inBandError(opened, beginning.body));
    }
  }
}

function passageOf({ dialect }: ChatCall, rendering: Rendering, body: Document): Passage {
  const options = body["stream_options"];
  const showUsage = dialect.name !== "chat" || (isRecord(options) && options["include_usage"] === true);
  if (rendering.translation !== null) return translated(rendering.translation, dialect, showUsage);
  const passage = showUsage ? untouched(dialect) : withoutUsage(dialect);
  const mend = rendering.adapter.mend?.();
  return mend === undefined ? passage : mended(passage, dialect, mend);
}

/** Streams to the end. The receipt is written before what closes it: a client that saw the end has been charged. */
async function deliver(deps: StreamDeps, call: SpokenCall, { opened, stream, reader }: BegunStream): Promise<void> {
  const { paid, reply } = call;
  deps.watch.add(stream);
  let ending: Ending;
  try {
    ending = await stream.flow(reply);
  } finally {
    deps.watch.delete(stream);
  }
  const error = endingError(ending, opened);
  const complete = ending.kind === "complete";
  await paid.record.settle({
    outcome: complete ? "completed" : "interrupted",
    status: 200,
    code: ending.kind === "gone" ? "client_closed" : (error?.code ?? null),
    units: reader.usage ?? { ...promptUnits(call), output: countTokens(reader.delivered) },
    estimated: reader.estimated,
  });
  if (error !== null) return endInBand(call, error);
  if (complete) reply.write(reader.ending());
  await reply.end();
}
