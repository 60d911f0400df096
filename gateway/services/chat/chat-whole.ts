import { isRecord } from "../../lib/records.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import { ClientGone } from "../calls/attempts.ts";
import type { Attempts, Opened } from "../calls/attempts.ts";
import { inBandError, notChat, parseAnswer, shownHeaders, textOf } from "./chat-answer.ts";
import { chatAdapter, promptUnits } from "./chat-call.ts";
import type { ChatCall } from "./chat-call.ts";
import type { Client } from "../calls/client.ts";
import { countTokens } from "../calls/count-tokens.ts";

/** An answer that is not a stream. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * An unstreamed answer, passed on byte for byte. Its receipt is written before it is handed out.
 * @throws GatewayError, ClientGone.
 */
export async function answerWhole(call: ChatCall, attempts: Attempts): Promise<WholeAnswer> {
  const { record, reply } = call;
  for (;;) {
    const opened = await attempts.next();
    const { exchange, candidate } = opened;
    const { vendor, name } = candidate.connection;
    reply.onGone(() => exchange.abort());
    const body = await collect(opened, attempts, reply);
    reply.onGone(null);
    record.firstByte();
    const answer = parseAnswer(body);
    if (isRecord(answer) && Array.isArray(answer["choices"])) {
      attempts.accept(opened);
      const reported = chatAdapter(vendor).toUnits(answer["usage"]);
      const units = reported ?? { ...promptUnits(call), output: countTokens(textOf(answer["choices"])) };
      await record.settle({ outcome: "completed", status: 200, code: null, units, estimated: reported === null });
      return { status: 200, headers: { "content-type": "application/json", ...shownHeaders(opened) }, body };
    }
    if (!isRecord(answer) || answer["error"] === undefined)
      attempts.rejectNonsense(opened, notChat(name, exchange.headers["content-type"]));
    await attempts.reject(opened, inBandError(opened, answer));
  }
}

/** A stream was asked for and something else came: an error that says 200, or an answer that is none. Fails over or throws. */
export async function refuseWhole(opened: Opened, attempts: Attempts): Promise<void> {
  const { exchange, candidate } = opened;
  const body = await collect(opened, attempts, null);
  const answer = parseAnswer(body);
  if (!isRecord(answer) || answer["error"] === undefined)
    attempts.rejectNonsense(opened, notChat(candidate.connection.name, exchange.headers["content-type"]));
  await attempts.reject(opened, inBandError(opened, answer));
}

async function collect(opened: Opened, attempts: Attempts, client: Client | null): Promise<Buffer> {
  try {
    return await opened.exchange.collect(MAX_ANSWER_BYTES);
  } catch (error) {
    if (client?.gone === true) throw new ClientGone(true);
    if (error instanceof UpstreamFailure) attempts.rejectBroken(opened, error);
    throw error;
  }
}
