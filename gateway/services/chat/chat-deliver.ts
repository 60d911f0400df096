import type { Document } from "../../codecs/translation.ts";
import type { Clock } from "../../lib/clock.ts";
import { parseJson } from "../../lib/json.ts";
import { isRecord } from "../../lib/records.ts";
import type { Attempts } from "../calls/attempts.ts";
import { countTokens } from "../calls/count-tokens.ts";
import { collect, refuseAnswer } from "../calls/whole-answer.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import { promptUnits } from "./chat-call.ts";
import type { ChatCall, SpokenCall } from "./chat-call.ts";
import { mended, translated, untouched, withoutUsage } from "./passages.ts";
import { shownHeaders } from "./shown-headers.ts";
import { spendGuard } from "./spend-guard.ts";
import { isEventStream } from "./stream-errors.ts";
import type { StreamHead } from "./stream-head.ts";
import { StreamReader } from "./stream-reader.ts";
import type { Passage } from "./stream-reader.ts";
import type { StreamWatch } from "./stream-watch.ts";
import type { Rendering } from "./speak.ts";
import { beginStream, deliverStream } from "./vendor-stream.ts";
import type { BegunStream } from "./vendor-stream.ts";

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
    await deliverStream(deps.watch, call, begun, () => ({
      units: begun.reader.usage ?? { ...promptUnits(call), output: countTokens(begun.reader.delivered) },
      estimated: begun.reader.estimated,
    }));
  } finally {
    deps.watch.delete(head);
  }
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
    if (!isEventStream(opened)) {
      await refuseAnswer(opened, attempts, parseJson(await collect(opened, attempts, reply)), dialect.answerName);
      continue;
    }
    const rendering = speaker.to(opened.candidate.connection.vendor);
    const reader = new StreamReader(
      rendering.dialect.observer(rendering.adapter.toUnits),
      passageOf(call, rendering, body),
    );
    const begun = await beginStream(call, attempts, opened, reader, {
      clock: deps.clock,
      heartbeat: dialect.heartbeat,
      objection: () => deps.keyRing.objection(paid.input.key),
      cover: spendGuard(paid.record, opened.candidate.price, call.estimate),
    });
    if (begun !== null) return begun;
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
