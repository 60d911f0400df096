import { steadyCalls } from "../../codecs/steady-calls.ts";
import type { Document } from "../../codecs/translation.ts";
import type { Clock } from "../../lib/clock.ts";
import type { KnownSecrets } from "../../lib/known-secrets.ts";
import { parseJson } from "../../lib/json.ts";
import { isRecord } from "../../lib/records.ts";
import { MAX_FRAME_BYTES } from "../../upstream/frames.ts";
import type { Attempts } from "../calls/attempts.ts";
import { collect, refuseAnswer } from "../calls/whole-answer.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import { servedFacts } from "../../core/money/served.ts";
import { promptUnits } from "./chat-call.ts";
import type { ChatCall, SpokenCall } from "./chat-call.ts";
import { mended, translated, untouched, withoutUsage } from "./passages.ts";
import { metered } from "./metered.ts";
import type { Dialect } from "./dialect.ts";
import { shownHeaders } from "./shown-headers.ts";
import { spendGuard } from "./spend-guard.ts";
import { isEventStream } from "./stream-errors.ts";
import type { StreamHead } from "./stream-head.ts";
import { StreamReader } from "./stream-reader.ts";
import type { Passage } from "./stream-reader.ts";
import type { StreamWatch } from "./stream-watch.ts";
import type { Rendering } from "./speak.ts";
import { beginStream, deliverStream } from "./provider-stream.ts";
import type { BegunStream } from "./provider-stream.ts";

export interface StreamDeps {
  readonly secrets: KnownSecrets;
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
    const { candidate } = begun.opened;
    await deliverStream(deps.watch, call, begun, () => {
      const { usage, delivered, estimated, told } = begun.reader;
      const sent = call.speaker.sent(call.speaker.to(candidate.connection.provider));
      return metered(candidate.price, sent, {
        units: usage ?? { ...promptUnits(call), output: delivered.tokens },
        estimated,
        served: servedFacts(told, sent),
      });
    });
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
  const { paid, reply, speaker, dialect, money } = call;
  for (;;) {
    const opened = await attempts.next();
    if (!isEventStream(opened)) {
      await refuseAnswer(opened, attempts, parseJson(await collect(opened, attempts, reply)), dialect.answerName);
      continue;
    }
    const rendering = speaker.to(opened.candidate.connection.provider);
    const reader = new StreamReader(
      rendering.dialect.observer(rendering.adapter.toUnits),
      veiled(passageOf(call, rendering, body), rendering.dialect, deps.secrets),
    );
    const begun = await beginStream(call, attempts, opened, reader, {
      clock: deps.clock,
      heartbeat: dialect.heartbeat,
      objection: () => deps.keyRing.objection(paid.input.key),
      cover: spendGuard(money.coveredAt(opened.candidate, paid.record.held), () => reader.delivered.tokens),
      largest: 2 * MAX_FRAME_BYTES,
    });
    if (begun !== null) return begun;
  }
}

/** What providers write as a whole, the HTTP client has cleaned: what is put together of several events is not whole before. */
function veiled(passage: Passage, dialect: Dialect, secrets: KnownSecrets): Passage {
  const veil = secrets.veil();
  if (veil === null) return passage;
  return mended(passage, dialect, (event) => dialect.mapText(event, (run, piece) => veil.piece(run, piece)));
}

function passageOf({ dialect }: ChatCall, rendering: Rendering, body: Document): Passage {
  const options = body["stream_options"];
  const showUsage = dialect.name !== "chat" || (isRecord(options) && options["include_usage"] === true);
  if (rendering.translation !== null) return translated(rendering.translation, dialect, showUsage);
  const passage = showUsage ? untouched(dialect) : withoutUsage(dialect);
  return dialect.name === "chat" ? mended(passage, dialect, steadyCalls()) : passage;
}
