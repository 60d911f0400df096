import { cutConnection, sendFrames, sendJson, type Exchange } from "../exchange.ts";
import type { Seed } from "../seed.ts";
import { addressOf, drawn } from "./files.ts";
import type { PlannedPicture } from "./files.ts";
import type { OpenaiOrder } from "./openai-order.ts";
import { createdOf, picturesOf, prepare } from "./prepare.ts";
import type { Manner } from "./prepare.ts";

/**
 * Answers an order as OpenAI does (docs/providers/openai.md#images): whole or streamed.
 * @param event `image_generation` or `image_edit`.
 */
export async function answerOrder(exchange: Exchange, order: OpenaiOrder, seed: Seed, event: string): Promise<void> {
  const { stream, partials, count } = order;
  const manner = await prepare(exchange, order.prompt, stream ? partials + count : null);
  if (manner === null) return;
  const headers = { "x-request-id": `req_${seed.digits("request", 32)}`, "openai-version": "2020-10-01" };
  const pictures = picturesOf(seed, order.plan, count);
  if (stream) return sendEvents(exchange, await eventsOf(order, pictures, seed, event), manner, headers);
  const data: object[] = [];
  for (const picture of pictures) data.push(await shownPicture(exchange, order, picture));
  const { echo, usage } = order;
  const body = echo === null ? { created: createdOf(seed), data } : { created: createdOf(seed), ...echo, data, usage };
  sendJson(exchange.response, 200, JSON.stringify(body), headers);
}

async function shownPicture(
  exchange: Exchange,
  { model, asUrl, prompt }: OpenaiOrder,
  picture: PlannedPicture,
): Promise<object> {
  const revised = model.upstreamId === "dall-e-3" ? { revised_prompt: `${prompt} (drawn by the sandbox)` } : {};
  if (asUrl) return { ...revised, url: addressOf(exchange, picture) };
  return { ...revised, b64_json: (await drawn(picture)).toString("base64") };
}

/** Unfinished pictures are of other colours. Usage is in the last closing event. */
async function eventsOf(
  { partials, plan, echo, usage }: OpenaiOrder,
  pictures: readonly PlannedPicture[],
  seed: Seed,
  event: string,
): Promise<string[]> {
  const created = { created_at: createdOf(seed), ...echo };
  const frames: string[] = [];
  const add = (type: string, fields: object): void => {
    frames.push(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
  for (let index = 0; index < partials; index += 1) {
    const unfinished = await drawn({ ...plan, digits: seed.digits(`partial ${index}`, 32) });
    add(`${event}.partial_image`, { b64_json: unfinished.toString("base64"), ...created, partial_image_index: index });
  }
  for (const [index, picture] of pictures.entries()) {
    const last = index === pictures.length - 1 ? { usage } : {};
    add(`${event}.completed`, { b64_json: (await drawn(picture)).toString("base64"), ...created, ...last });
  }
  return frames;
}

/** Sends events in the manner that the prompt asked for. */
export async function sendEvents(
  exchange: Exchange,
  frames: readonly string[],
  { gapMs, cutAfter }: Manner,
  headers: Record<string, string>,
): Promise<void> {
  await sendFrames(exchange, cutAfter === null ? frames : frames.slice(0, cutAfter), gapMs, headers);
  if (cutAfter === null) exchange.response.end();
  else cutConnection(exchange);
}
