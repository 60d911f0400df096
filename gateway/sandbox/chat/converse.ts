import type { Translation } from "../../codecs/translation.ts";
import type { Units } from "../../core/models/model.ts";
import { getDirectives } from "../directives.ts";
import {
  getBody,
  EVENT_STREAM,
  type Exchange,
  type Manner,
  prepare,
  type Route,
  sendJson,
  sendStream,
  wait,
} from "../exchange.ts";
import { Failure } from "../failure.ts";
import type { Fields } from "../fields.ts";
import { createSeed } from "../seed.ts";
import { getChunks, getCompletion, getHead, getUsage } from "./completion.ts";
import { type Plan, getPlan, type TokenCounts } from "./plan.ts";
import { getPrompt } from "./prompt.ts";
import { type ChatRequest, getChatRequest } from "./request.ts";

/** `POST …/chat/completions` below `base`, OpenAI's protocol. */
export function chatRoute(base: string): Route {
  return {
    method: "POST",
    path: `${base}/chat/completions`,
    handle: (exchange) => converse(exchange, getBody(exchange)),
  };
}

/** Translation back to another dialect, for conversations in it. */
interface WayBack {
  readonly translation: Translation;
  /** Whether the client is not to see the reasoning. */
  readonly hidesReasoning: boolean;
  readonly units: (counts: TokenCounts) => Units;
  /** Adds the usage that a provider reports before the end to an event. */
  readonly withUsage?: (event: Fields, counts: TokenCounts) => Fields;
  /** The provider's error for a prompt that is longer than the model's context. */
  readonly tooLong?: (tokens: number, limit: number) => string;
}

/** Events before the cut, including the first words. */
const EVENTS_BEFORE_CUT = 3;
const SLOW_COUNT_GAP_MS = 50;

/**
 * Responds to a conversation in the chat dialect as its prompt requests, including errors and faults.
 * @param back translates the response if the client uses another dialect
 * @throws Failure for requests that the provider would refuse, and for requested failures
 */
export async function converse(exchange: Exchange, body: Fields, back?: WayBack): Promise<void> {
  const request = getChatRequest(body, exchange);
  const prompt = getPrompt(request.messages);
  const manner = await prepare(exchange, prompt, request.stream);
  if (manner === null) return;
  const directives = getDirectives(prompt);
  const seed = createSeed(exchange.body);
  const whole = await getPlan(request, directives, seed);
  checkContext(request, whole, back);
  const plan = back?.hidesReasoning === true ? withoutReasoning(whole) : whole;
  const head = getHead(plan, seed);
  const usage = getUsage(plan.usage, request.spec);
  const id = `req_${seed.digits("request", 32)}`;
  const headers = { "x-request-id": id, "request-id": id };
  // Only counting can be slow by itself.
  const isSlow = directives.count?.slowly === true && plan.choices.every(({ calls }) => calls.length === 0);
  const gapMs = isSlow && manner.slowMs === null ? SLOW_COUNT_GAP_MS : 0;
  if (!request.stream) {
    await wait(exchange, gapMs * plan.usage.completion);
    const completion = getCompletion(plan, head, usage);
    const response = back?.translation.response(completion, back.units(plan.usage)) ?? completion;
    return sendJson(exchange, response, headers);
  }
  const chunks = getChunks(plan, head, request.includeUsage ? usage : null);
  const events = back === undefined ? chatEvents(chunks) : translatedEvents(chunks, plan.usage, back);
  const paced: Manner = { ...manner, gapMs };
  await sendStream(exchange, { ...EVENT_STREAM, ...headers }, events, paced, EVENTS_BEFORE_CUT);
}

function withoutReasoning(plan: Plan): Plan {
  return { ...plan, choices: plan.choices.map((choice) => ({ ...choice, reasoning: [] })) };
}

function* chatEvents(chunks: Iterable<Fields>): Generator<string, void, undefined> {
  for (const chunk of chunks) yield `data: ${JSON.stringify(chunk)}\n\n`;
  yield "data: [DONE]\n\n";
}

function* translatedEvents(
  chunks: Iterable<Fields>,
  counts: TokenCounts,
  { translation, units, withUsage }: WayBack,
): Generator<string, void, undefined> {
  const stream = translation.stream();
  const written = (events: readonly Fields[]): string =>
    events.map((event) => `${nameEvent(event["type"])}data: ${JSON.stringify(event)}\n\n`).join("");
  for (const chunk of chunks) {
    const text = written(stream.event(chunk).map((event) => withUsage?.(event, counts) ?? event));
    if (text !== "") yield text;
  }
  yield written(stream.end(units(counts)));
}

const nameEvent = (type: unknown): string => (typeof type === "string" ? `event: ${type}\n` : "");

/** Refuses a prompt that is longer than the model's context. @throws Failure (400) */
function checkContext({ spec }: ChatRequest, { usage: { prompt } }: Plan, back: WayBack | undefined): void {
  const limit = spec.contextLength;
  if (limit === null || prompt <= limit) return;
  const sentence = `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${prompt} tokens.`;
  throw new Failure(400, back?.tooLong?.(prompt, limit) ?? sentence, {
    param: "messages",
    code: "context_length_exceeded",
  });
}
