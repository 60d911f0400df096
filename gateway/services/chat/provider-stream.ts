import type { PriceFacts, Units } from "../../core/models/model.ts";
import { billedAs } from "../../core/money/units.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import { ClientGone } from "../calls/attempts.ts";
import type { Attempts, Opened } from "../calls/attempts.ts";
import type { Client, StreamWriter } from "../calls/client.ts";
import { inBandError } from "../calls/whole-answer.ts";
import { endInBand } from "./break-off.ts";
import type { StreamableCall } from "./break-off.ts";
import { ChatStream } from "./chat-stream.ts";
import type { Ending, StreamLimits } from "./chat-stream.ts";
import { endingError, malformedStream } from "./stream-errors.ts";
import type { StreamReader } from "./stream-reader.ts";
import type { StreamWatch } from "./stream-watch.ts";

/** A call whose client takes a stream and may leave. */
export interface StreamedCall extends StreamableCall {
  readonly reply: Client & StreamWriter;
}

/** A stream whose first event is there. */
export interface BegunStream {
  readonly opened: Opened;
  readonly stream: ChatStream;
  readonly reader: StreamReader;
}

/**
 * Reads a provider's stream up to its first event.
 * @returns null when it began with an error that another attempt may do better.
 * @throws GatewayError or ClientGone for everything else that ends before the first event.
 */
export async function beginStream(
  { paid, reply }: StreamedCall,
  attempts: Attempts,
  opened: Opened,
  reader: StreamReader,
  limits: StreamLimits,
): Promise<BegunStream | null> {
  const stream = new ChatStream(opened.exchange, reader, limits);
  reply.onGone(() => stream.gone());
  const beginning = await stream.begin();
  if (reply.gone && beginning.kind !== "flowing") attempts.abandon(opened);
  switch (beginning.kind) {
    case "flowing":
      attempts.accept(opened);
      paid.record.firstByte(() => reader.delivered.characters);
      if (reply.gone) throw new ClientGone();
      return { opened, stream, reader };
    case "malformed":
      attempts.rejectNonsense(opened, malformedStream(opened.candidate.connection.name, beginning.why));
    case "broken":
      attempts.rejectBroken(
        opened,
        beginning.failure ?? new UpstreamFailure("broken", true, "the stream ended without an answer"),
      );
    case "error":
      await attempts.reject(opened, inBandError(opened, beginning.body));
      return null;
  }
}

/** What a stream is billed for, whether it ended well or not. */
export interface StreamBill {
  readonly units: Units;
  readonly estimated: boolean;
  /** How it was served; absent: as usual. */
  readonly served?: PriceFacts | undefined;
}

/**
 * Streams to the end. The receipt is written before what closes it: a client that saw the end has been charged.
 * @param bill asked for when the stream has ended. @param settled called when its receipt is written.
 */
export async function deliverStream(
  watch: StreamWatch,
  call: StreamedCall,
  { opened, stream, reader }: BegunStream,
  bill: () => StreamBill,
  settled: (units: Units) => void = () => undefined,
): Promise<void> {
  const { paid, reply } = call;
  watch.add(stream);
  let ending: Ending;
  try {
    ending = await stream.flow(reply);
  } finally {
    watch.delete(stream);
  }
  const error = endingError(ending, opened);
  const complete = ending.kind === "complete";
  const { units, estimated, served } = bill();
  await paid.record.settle({
    outcome: complete ? "completed" : "interrupted",
    status: 200,
    code: ending.kind === "gone" ? "client_closed" : (error?.code ?? null),
    units: billedAs(units, served),
    estimated,
  });
  settled(units);
  if (error !== null) return endInBand(call, error);
  if (complete) reply.write(reader.ending(units));
  await reply.end();
}
