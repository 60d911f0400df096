import type { Units } from "../../core/model.ts";
import type { Document } from "../../codecs/translation.ts";
import { isRecord } from "../../lib/records.ts";
import type { Attempts } from "../calls/attempts.ts";
import type { Client } from "../calls/client.ts";
import { countTokens } from "../calls/count-tokens.ts";
import { PartClients } from "../calls/part-clients.ts";
import { readAnswer } from "../calls/whole-answer.ts";
import { promptUnits } from "./chat-call.ts";
import type { SpokenCall } from "./chat-call.ts";

/** An answer in the client's dialect, and what it used. */
export interface CountedAnswer {
  readonly shown: Document;
  readonly units: Units;
  /** The vendor reported no usage. */
  readonly estimated: boolean;
}

/**
 * The rest of the `n` answers that a chat client asked for, from a vendor whose dialect knows only one: asked for side
 * by side. Where one fails, the others are ended; what came is paid.
 * @param attempts a new fail-over for each, over candidates of that dialect.
 * @throws GatewayError, ClientGone.
 */
export async function moreAnswers(
  call: SpokenCall,
  first: CountedAnswer,
  count: number,
  attempts: (client: Client) => Attempts,
): Promise<CountedAnswer> {
  const { paid, reply, speaker, dialect } = call;
  const clients = new PartClients(reply);
  const done: CountedAnswer[] = [first];
  const one = async (): Promise<CountedAnswer> => {
    const client = clients.add();
    try {
      const { value } = await readAnswer(attempts(client), client, dialect.answerName, (answer, { candidate }) => {
        const speech = speaker.to(candidate.connection.vendor);
        return speech.dialect.isAnswer(answer) ? { speech, answer } : null;
      });
      const { speech, answer } = value;
      const reported = speech.adapter.toUnits(speech.dialect.usageOf(answer));
      const counted: CountedAnswer = {
        shown: speech.translation?.answer(answer) ?? answer,
        units: reported ?? { ...promptUnits(call), output: countTokens(speech.dialect.textOf(answer)) },
        estimated: reported === null,
      };
      done.push(counted);
      return counted;
    } catch (error) {
      clients.end();
      throw error;
    }
  };
  const settled = await Promise.allSettled(Array.from({ length: count }, one));
  clients.close();
  const failed = settled.find((result) => result.status === "rejected");
  if (failed === undefined) return together(done);
  const { units, estimated } = together(done);
  await paid.record.settle({ outcome: "interrupted", status: 502, code: "upstream_error", units, estimated });
  throw failed.reason;
}

/** Several answers as the choices of one. */
function together(answers: readonly CountedAnswer[]): CountedAnswer {
  const choices = answers.flatMap(({ shown }) => (Array.isArray(shown["choices"]) ? shown["choices"] : []));
  const units: { -readonly [K in keyof Units]: Units[K] } = {};
  for (const answer of answers) {
    for (const [unit, quantity] of Object.entries(answer.units) as [keyof Units, number][]) {
      units[unit] = (units[unit] ?? 0) + quantity;
    }
  }
  return {
    shown: {
      ...answers[0]?.shown,
      choices: choices.map((choice, index) => (isRecord(choice) ? { ...choice, index } : choice)),
      usage: answers.map(({ shown }) => shown["usage"]).reduce(addedUsage),
    },
    units,
    estimated: answers.some(({ estimated }) => estimated),
  };
}

/** Figures of two usage objects added, level by level. */
function addedUsage(left: unknown, right: unknown): unknown {
  if (typeof left === "number" && typeof right === "number") return left + right;
  if (!isRecord(left) || !isRecord(right)) return right ?? left;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return Object.fromEntries([...names].map((name) => [name, addedUsage(left[name], right[name])]));
}
