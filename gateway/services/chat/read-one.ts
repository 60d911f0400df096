import type { Document } from "../../codecs/translation.ts";
import { servedFacts } from "../../core/money/served.ts";
import type { Attempts, Opened } from "../calls/attempts.ts";
import type { Client } from "../calls/client.ts";
import { countTokens } from "../calls/count-tokens.ts";
import { readAnswer } from "../calls/whole-answer.ts";
import { promptUnits } from "./chat-call.ts";
import type { SpokenCall } from "./chat-call.ts";
import { metered } from "./metered.ts";
import type { CountedUnits } from "./metered.ts";
import type { Rendering } from "./speak.ts";

/** An unstreamed answer of one provider, counted, in the provider's own dialect. */
export interface OneAnswer extends CountedUnits {
  readonly opened: Opened;
  readonly rendering: Rendering;
  /** The provider's own bytes. */
  readonly body: Buffer;
  /** The same, parsed. */
  readonly answer: Document;
}

/**
 * Asks until one provider has answered in a dialect that can be read.
 * @throws GatewayError, ClientGone.
 */
export async function readOne(call: SpokenCall, attempts: Attempts, client: Client): Promise<OneAnswer> {
  const { speaker, dialect } = call;
  const { opened, body, value } = await readAnswer(attempts, client, dialect.answerName, (answer, { candidate }) => {
    const rendering = speaker.to(candidate.connection.provider);
    return rendering.dialect.isAnswer(answer) ? { rendering, answer } : null;
  });
  const { rendering, answer } = value;
  const reported = rendering.adapter.toUnits(rendering.dialect.usageOf(answer));
  const units = reported ?? { ...promptUnits(call), output: countTokens(rendering.dialect.textOf(answer)) };
  const sent = speaker.sent(rendering);
  const served = servedFacts(rendering.dialect.toldOf(answer), sent);
  const counted = metered(opened.candidate.price, sent, { units, estimated: reported === null, served });
  return { opened, rendering, body, answer, ...counted };
}
