import { GatewayError } from "../../core/errors.ts";
import { parseJson } from "../../lib/json.ts";
import { FrameCutter, splitFrames } from "../../upstream/frames.ts";
import { chatDialect } from "../../services/chat/dialects/chat.ts";
import type { Dialect } from "../../services/chat/dialect.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";
import type { ToolCall } from "../tool/tool.ts";
import { ChatAnswer } from "./chat-answer.ts";

/** Shorter than the time after which clients give up on a silent call (60 s in the SDKs). */
const BEAT_MS = 5_000;
const END_MARK = chatDialect.endMark.trim().slice("data: ".length);

/**
 * Runs a conversation as a stream and tells how long its answer is by now. Progress is in characters, and one more for
 * every few seconds, so that a model that thinks in silence is not taken for dead.
 * @returns what came until then when the caller left
 * @throws GatewayError also for what ends the stream when a part of the answer was there already
 */
export async function streamedChat(
  deps: Pick<ToolDeps, "runChat" | "later">,
  call: ToolCall,
  body: Readonly<Record<string, unknown>>,
): Promise<ChatAnswer> {
  const answer = new ChatAnswer();
  const cutter = new FrameCutter();
  let whole = false;
  let failure: GatewayError | null = null;
  let beats = 0;
  let cancel = (): void => {};
  const tell = (): void =>
    call.progress.report({ progress: answer.characters + beats, message: wordsFor(answer, String(body["model"])) });
  const beat = (): void => {
    tell();
    beats += 1;
    cancel = deps.later(BEAT_MS, beat);
  };
  call.reply.onWrite((bytes) => {
    const events = cutter.push(bytes);
    if (events === null) return;
    for (const { data } of splitFrames(events.toString("utf8"))) {
      if (data === END_MARK) whole = true;
      else if (data !== null) answer.add(parseJson(Buffer.from(data)));
    }
    tell();
  });
  // Clients over HTTP read the error in the stream; here it is had as it was thrown.
  const dialect: Dialect = {
    ...chatDialect,
    inBand: (error, requestId) => {
      failure = error;
      return chatDialect.inBand(error, requestId);
    },
  };
  try {
    beat();
    const raw = Buffer.from(JSON.stringify(body));
    await deps.runChat.run(dialect, { ...call.input, raw, body, headers: {} }, call.reply, () => undefined);
  } finally {
    cancel();
  }
  if (failure !== null) throw failure as GatewayError;
  if (whole || call.reply.gone) return answer;
  throw new GatewayError("upstream_error", "The answer broke off before its end. Try again.");
}

function wordsFor({ text, refusal, reasoning }: ChatAnswer, model: string): string {
  const written = text.length + refusal.length;
  if (written > 0) return `${model} has written ${count(written)}`;
  return reasoning === "" ? `${model} works on the answer` : `${model} has thought ${count(reasoning.length)}`;
}

function count(characters: number): string {
  return `${characters.toLocaleString("en-US")} ${characters === 1 ? "character" : "characters"}`;
}
