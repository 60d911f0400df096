import type { Attempts } from "../calls/attempts.ts";
import { countTokens } from "../calls/count-tokens.ts";
import { readAnswer } from "../calls/whole-answer.ts";
import type { WholeAnswer } from "../calls/whole-answer.ts";
import { promptUnits } from "./chat-call.ts";
import type { SpokenCall } from "./chat-call.ts";
import { shownHeaders } from "./shown-headers.ts";

/**
 * An unstreamed answer: byte for byte where client and vendor speak the same dialect, else translated. Its receipt is
 * written before it is handed out.
 * @throws GatewayError, ClientGone.
 */
export async function answerWhole(call: SpokenCall, attempts: Attempts): Promise<WholeAnswer> {
  const { paid, reply, speaker, dialect } = call;
  const { opened, body, value } = await readAnswer(attempts, reply, dialect.answerName, (answer, { candidate }) => {
    const speech = speaker.to(candidate.connection.vendor);
    return speech.dialect.isAnswer(answer) ? { speech, answer } : null;
  });
  paid.record.firstByte();
  const { speech, answer } = value;
  const shown =
    speech.translation === null ? body : Buffer.from(JSON.stringify(speech.translation.answer(answer)), "utf8");
  const reported = speech.adapter.toUnits(speech.dialect.usageOf(answer));
  const units = reported ?? { ...promptUnits(call), output: countTokens(speech.dialect.textOf(answer)) };
  await paid.record.settle({ outcome: "completed", status: 200, code: null, units, estimated: reported === null });
  return { status: 200, headers: { "content-type": "application/json", ...shownHeaders(opened) }, body: shown };
}
