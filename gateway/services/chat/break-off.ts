import { GatewayError } from "../../core/errors.ts";
import { ClientGone } from "../calls/attempts.ts";
import type { StreamWriter } from "../calls/client.ts";
import type { PaidCall } from "../calls/paid-call.ts";
import type { Dialect } from "./dialect.ts";
import type { StreamHead } from "./stream-head.ts";

/** A call whose answer may be a stream. */
export interface StreamableCall {
  readonly paid: PaidCall;
  readonly reply: StreamWriter;
  readonly dialect: Pick<Dialect, "inBand">;
}

/**
 * Ends a story that threw: its receipt first, then what the client is told.
 * @param head of the answer: once it was sent, errors are told in-band. @param takeOver called when nobody is there.
 * @returns null: there is nothing more to answer.
 * @throws `error` where it can have a status of its own, and whatever is no expected failure.
 */
export async function breakOff(
  call: StreamableCall,
  head: StreamHead,
  takeOver: () => void,
  error: unknown,
): Promise<null> {
  await call.paid.fail(error);
  if (error instanceof ClientGone) {
    takeOver();
    return null;
  }
  if (!head.sent || !(error instanceof GatewayError)) throw error;
  await endInBand(call, error);
  return null;
}

/** Tells an error to a client whose status was sent already, and ends the stream without an end mark. */
export async function endInBand({ paid, reply, dialect }: StreamableCall, error: GatewayError): Promise<void> {
  paid.input.note(paid.record.model, error.code);
  reply.write(dialect.inBand(error, paid.input.requestId));
  await reply.end();
}
