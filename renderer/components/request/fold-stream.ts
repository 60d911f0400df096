import type { RecordedResponse } from "../../../gateway/contract/requests.ts";
import { parseText } from "./readable.ts";

/** Recorded bodies as documents that can be compared: a stream becomes the whole response that it spells. */

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const readList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : []);

/** Returns a response as a document; its text if it is no JSON, or was cut. */
export function readDocument({ type, chunks }: RecordedResponse): unknown {
  const text = chunks.map((chunk) => chunk.text).join("");
  return type === "text/event-stream" ? foldStream(text) : (parseText(text) ?? text);
}

/** Joins the events of a stream, in any dialect of conversation. */
export function foldStream(text: string): unknown {
  const events = text
    .split(/\r?\n/)
    .flatMap((line) => (line.startsWith("data:") ? [parseText(line.slice(5).trim())] : []))
    .filter(isFields);
  const whole = events.findLast(
    (event) => isFields(event["response"]) && String(event["type"]).startsWith("response."),
  );
  if (whole !== undefined) return whole["response"];
  const folded: Fields = {};
  for (const event of events) addEvent(folded, event);
  return folded;
}

function addEvent(folded: Fields, event: Fields): void {
  const { type, delta, index } = event;
  if (type === "message_start" && isFields(event["message"])) merge(folded, event["message"]);
  else if (type === "content_block_start") assignItem(folded, "content", index, event["content_block"]);
  else if (type === "content_block_delta" && isFields(delta)) addDelta(getItem(folded, "content", index), delta);
  else if (type === "message_delta") merge(folded, { ...(isFields(delta) ? delta : {}), usage: event["usage"] });
  else if (type === "ping" || type === "content_block_stop" || type === "message_stop") return;
  else if (Array.isArray(event["candidates"])) addCandidates(folded, event);
  else merge(folded, event);
}

/** Texts of Messages are in fields of other names than where they belong. */
function addDelta(block: Fields, { type: _type, partial_json: json, ...rest }: Fields): void {
  if (typeof json === "string") block["input"] = `${typeof block["input"] === "string" ? block["input"] : ""}${json}`;
  merge(block, rest);
}

/** Parts of Google's candidates follow each other; texts of one kind are joined. */
function addCandidates(folded: Fields, { candidates, ...event }: Fields): void {
  merge(folded, event);
  for (const [place, candidate] of readList(candidates).entries()) {
    if (!isFields(candidate)) continue;
    const { content, ...rest } = candidate;
    const target = getItem(folded, "candidates", place);
    merge(target, rest);
    if (!isFields(content)) continue;
    const { parts, ...others } = content;
    const into = isFields(target["content"]) ? target["content"] : (target["content"] = { parts: [] });
    merge(into, others);
    for (const part of readList(parts)) addPart(getList(into, "parts"), part);
  }
}

function addPart(parts: unknown[], part: unknown): void {
  const last = parts.at(-1);
  const isMore =
    isFields(part) && isFields(last) && typeof part["text"] === "string" && part["thought"] === last["thought"];
  if (isMore && typeof last["text"] === "string") merge(last, { text: part["text"] });
  else parts.push(structuredClone(part));
}

/** Fields whose texts arrive in pieces; all others are written whole. */
const PIECES: ReadonlySet<string> = new Set([
  "content",
  "text",
  "thinking",
  "reasoning",
  "reasoning_content",
  "refusal",
  "arguments",
  "signature",
]);

/** Merges an event of a stream: texts in pieces are joined, items of lists meet by their `index`, `delta` is a message. */
function merge(target: Fields, source: Fields): void {
  for (const [name, value] of Object.entries(source)) {
    const into = name === "delta" ? "message" : name;
    const known = target[into];
    if (name === "__proto__" || value === undefined || (value === null && known !== undefined)) continue;
    if (typeof value === "string" && typeof known === "string" && PIECES.has(name)) target[into] = known + value;
    else if (Array.isArray(value) && value.some((item) => isFields(item) && typeof item["index"] === "number"))
      for (const item of value as readonly unknown[]) mergeItem(target, into, item);
    else if (isFields(value) && isFields(known)) merge(known, value);
    else if (isFields(value)) merge((target[into] = {}), value);
    else if (!Array.isArray(value) || value.length > 0 || known === undefined) target[into] = value;
  }
}

function mergeItem(target: Fields, name: string, item: unknown): void {
  if (isFields(item)) merge(getItem(target, name, item["index"]), item);
}

function getList(target: Fields, name: string): unknown[] {
  const list: unknown = target[name];
  return Array.isArray(list) ? (list as unknown[]) : (target[name] = []);
}

/** Max items that a stream may number. */
const MAX_INDEX = 1_000;

function getItem(target: Fields, name: string, index: unknown): Fields {
  const list = getList(target, name);
  const place = typeof index === "number" && index >= 0 && index <= MAX_INDEX ? Math.floor(index) : 0;
  while (list.length <= place) list.push({});
  const item = list[place];
  return isFields(item) ? item : (list[place] = {});
}

function assignItem(target: Fields, name: string, index: unknown, value: unknown): void {
  if (isFields(value)) Object.assign(getItem(target, name, index), structuredClone(value));
}
