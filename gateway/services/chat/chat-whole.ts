import type { Attempts } from "../calls/attempts.ts";
import type { Client } from "../calls/client.ts";
import { countTokens } from "../calls/count-tokens.ts";
import { readAnswer } from "../calls/whole-answer.ts";
import type { WholeAnswer } from "../calls/whole-answer.ts";
import { promptUnits } from "./chat-call.ts";
import type { SpokenCall } from "./chat-call.ts";
import { moreAnswers } from "./more-answers.ts";
import { shownHeaders } from "./shown-headers.ts";

/**
 * An unstreamed answer: byte for byte where client and vendor speak the same dialect, else translated. Its receipt is
 * written before it is handed out.
 * @param more a new fail-over for each further answer that was asked for and that the vendor's dialect does not know.
 * @throws GatewayError, ClientGone.
 */
export async function answerWhole(
  call: SpokenCall,
  attempts: Attempts,
  more: (client: Client) => Attempts,
): Promise<WholeAnswer> {
  const { paid, reply, speaker, dialect } = call;
  const { opened, body, value } = await readAnswer(attempts, reply, dialect.answerName, (answer, { candidate }) => {
    const speech = speaker.to(candidate.connection.vendor);
    return speech.dialect.isAnswer(answer) ? { speech, answer } : null;
  });
  paid.record.firstByte();
  const { speech, answer } = value;
  const reported = speech.adapter.toUnits(speech.dialect.usageOf(answer));
  let units = reported ?? { ...promptUnits(call), output: countTokens(speech.dialect.textOf(answer)) };
  let estimated = reported === null;
  let shown = body;
  if (speech.translation !== null) {
    let translated = speech.translation.answer(answer);
    const missing = speaker.answersBeyondOne(speech);
    if (missing > 0) {
      const all = await moreAnswers(call, { shown: translated, units, estimated }, missing, more);
      ({ units, estimated } = all);
      translated = all.shown;
    }
    shown = Buffer.from(JSON.stringify(translated), "utf8");
  }
  await paid.record.settle({ outcome: "completed", status: 200, code: null, units, estimated });
  return { status: 200, headers: { "content-type": "application/json", ...shownHeaders(opened) }, body: shown };
}
