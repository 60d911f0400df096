import type { Attempts } from "../calls/attempts.ts";
import type { Client } from "../calls/client.ts";
import type { WholeAnswer } from "../calls/whole-answer.ts";
import type { SpokenCall } from "./chat-call.ts";
import { billedAs } from "../../core/money/units.ts";
import { moreAnswers } from "./more-answers.ts";
import type { AllCounted } from "./more-answers.ts";
import { readOne } from "./read-one.ts";
import type { OneAnswer } from "./read-one.ts";
import { shownHeaders } from "./shown-headers.ts";

/**
 * An unstreamed answer: byte for byte where client and provider speak the same dialect, else translated. Its receipt is
 * written before it is handed out.
 * @param more a new fail-over for each further answer that was asked for and that the provider's dialect does not know.
 * @throws GatewayError, ClientGone.
 */
export async function answerWhole(
  call: SpokenCall,
  attempts: Attempts,
  more: (client: Client) => Attempts,
): Promise<WholeAnswer> {
  const one = await readOne(call, attempts, call.reply);
  call.paid.record.firstByte();
  const { shown, units, estimated } = await inClientsDialect(call, one, more);
  await call.paid.record.settle({ outcome: "completed", status: 200, code: null, units, estimated });
  return { status: 200, headers: { "content-type": "application/json", ...shownHeaders(one.opened) }, body: shown };
}

async function inClientsDialect(
  call: SpokenCall,
  one: OneAnswer,
  more: (client: Client) => Attempts,
): Promise<AllCounted & { readonly shown: Buffer }> {
  const { rendering, body, answer, units, estimated, served } = one;
  if (rendering.translation === null) return { shown: body, units: billedAs(units, served), estimated };
  const first = { shown: rendering.translation.answer(answer, units), units, estimated, served };
  const missing = call.speaker.answersBeyondOne(rendering);
  const all = await moreAnswers(call, first, missing, more);
  return { ...all, shown: Buffer.from(JSON.stringify(all.shown), "utf8") };
}
