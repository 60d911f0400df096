import type { Conversation } from "./conversation.ts";
import { type Plan, planOf } from "./plan.ts";
import { promptOf } from "./prompt.ts";
import { type Directives, directivesOf } from "../directives.ts";
import { cutConnection, type Exchange, sendFrames, sendJson, wait } from "../exchange.ts";
import { requestedFailure } from "../fields.ts";
import { type Seed, seedOf } from "../seed.ts";

/** A response in the words of one dialect. */
export interface Delivery {
  readonly headers: Record<string, string>;
  /** The response that is not streamed, as JSON. */
  whole(): string;
  /** The frames of the stream, made one at a time so that a long response is never in memory twice. */
  frames(): Iterable<string>;
  /** How many frames there are. */
  frameCount(): number;
  /** What follows the last frame. */
  readonly closing: string;
  /** How many leave before `sandbox:cut` breaks the stream: the first words are among them. */
  readonly framesBeforeCut: number;
}

const SLOW_COUNT_GAP_MS = 50;

/**
 * Answers a conversation as its prompt asks for, errors and bad days included.
 * @param deliveryOf puts the planned answer in words
 * @throws Failure for what the provider would refuse, and what the prompt asked for
 */
export async function converse(
  exchange: Exchange,
  conversation: Conversation,
  stream: boolean,
  deliveryOf: (plan: Plan, seed: Seed) => Delivery,
): Promise<void> {
  const directives = directivesOf(promptOf(conversation.messages));
  const { errorStatus, cut } = directives;
  if (errorStatus !== null) {
    await wait(exchange, directives.slowMs ?? 0);
    throw requestedFailure(errorStatus);
  }
  if (cut && !stream) {
    await wait(exchange, directives.slowMs ?? 0);
    return cutConnection(exchange);
  }
  const seed = seedOf(exchange.body);
  const plan = planOf(conversation, directives, seed);
  const delivery = deliveryOf(plan, seed);
  if (!stream) {
    const pace = paceOf(plan, conversation, directives) * plan.usage.completion;
    await wait(exchange, directives.slowMs ?? pace);
    return sendJson(exchange.response, 200, delivery.whole(), delivery.headers);
  }
  const { slowMs } = directives;
  const gapMs =
    slowMs === null ? paceOf(plan, conversation, directives) : slowMs / Math.max(1, delivery.frameCount() - 1);
  await sendFrames(
    exchange,
    first(delivery.frames(), cut ? delivery.framesBeforeCut : Infinity),
    gapMs,
    delivery.headers,
  );
  if (cut) return cutConnection(exchange);
  exchange.response.end(delivery.closing);
}

/** Milliseconds between two tokens of a response that is not told to be slow: only counting can be slow by itself. */
function paceOf(plan: Plan, conversation: Conversation, directives: Directives): number {
  const counting = directives.count?.slowly === true && plan.choices.every((choice) => choice.calls.length === 0);
  return counting && conversation.format.kind !== "json_schema" ? SLOW_COUNT_GAP_MS : 0;
}

function* first(frames: Iterable<string>, limit: number): Generator<string, void, undefined> {
  let made = 0;
  for (const frame of frames) {
    if (made >= limit) return;
    yield frame;
    made += 1;
  }
}
