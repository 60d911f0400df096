import { asList, isRecord } from "../../lib/records.ts";
import { addBlock, addTurn, getText, written } from "./request-parts.ts";
import type { Fields, Part } from "./request-parts.ts";

/** Content of a chat response, complete or streamed, in any dialect. */

/** @param text as it was sent. @param type its media type */
export function listResponseParts(text: string, type: string): Part[] {
  return type.startsWith("text/event-stream") ? inStream(text) : inWhole(parseObject(text));
}

/** An object, or nothing: recordings may be cut. */
function parseObject(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function inWhole(body: Fields): Part[] {
  const parts: Part[] = [];
  const names = new Map<string, string>();
  for (const choice of asList(body["choices"])) {
    const message = isRecord(choice) ? choice["message"] : null;
    if (isRecord(message)) addTurn(parts, { role: "assistant", ...message }, names);
    else if (isRecord(choice)) parts.push({ ...createPart("text"), text: getText(choice["text"]) });
  }
  for (const item of asList(body["output"])) if (isRecord(item)) addTurn(parts, item, names);
  for (const block of asList(body["content"])) addBlock(parts, "assistant", block, names);
  for (const part of listGoogleParts(body)) parts.push(readGooglePart(part));
  addError(parts, body);
  return parts;
}

/** Returns the parts of Google's candidates, of a complete response or of one chunk. */
function listGoogleParts(body: Fields): readonly Fields[] {
  return asList(body["candidates"]).flatMap((candidate) => {
    const content = isRecord(candidate) && isRecord(candidate["content"]) ? candidate["content"] : {};
    return asList(content["parts"]).filter(isRecord);
  });
}

function readGooglePart({ text, thought, functionCall: call, inlineData: medium }: Fields): Growing {
  if (isRecord(call)) return { ...createPart("call"), name: getText(call["name"]), text: written(call["args"]) };
  if (isRecord(medium)) return { ...createPart("medium"), name: getText(medium["mimeType"]) };
  return { ...createPart(thought === true ? "reasoning" : "text"), text: getText(text) };
}

/** The message of an error, in the envelope of any dialect. */
function addError(parts: Part[], body: Fields): void {
  const error = isRecord(body["error"]) ? body["error"] : null;
  const text = getText(error?.["message"]);
  if (text !== "")
    parts.push({ role: "assistant", kind: "error", name: getText(error?.["code"] ?? error?.["type"]), text });
}

/** A part whose text arrives in chunks. */
type Growing = { -readonly [Name in keyof Part]: Part[Name] };

function inStream(text: string): Part[] {
  const stream = new StreamedParts();
  for (const line of text.split("\n")) if (line.startsWith("data:")) stream.event(parseObject(line.slice(5).trim()));
  return stream.parts.filter((part) => part.text !== "" || part.kind === "call");
}

class StreamedParts {
  readonly parts: Growing[] = [];
  /** Parts by their place in the response. */
  readonly #open = new Map<string, Growing>();

  event(event: Fields): void {
    const type = getText(event["type"]);
    addError(this.parts, type === "response.failed" && isRecord(event["response"]) ? event["response"] : event);
    if (type.startsWith("content_block_")) this.#block(type, event);
    else if (type.startsWith("response.")) this.#item(type, event);
    else for (const choice of asList(event["choices"])) if (isRecord(choice)) this.#choice(choice);
    for (const part of listGoogleParts(event)) this.#part(readGooglePart(part));
  }

  /** Messages. */
  #block(type: string, event: Fields): void {
    const place = `block ${String(event["index"])}`;
    if (type === "content_block_start") {
      const made: Growing[] = [];
      addBlock(made, "assistant", event["content_block"], new Map());
      // An empty text is not a part yet.
      const [first = createPart(isThinking(event["content_block"]) ? "reasoning" : "text")] = made;
      // The input of a call is streamed in chunks after an empty object.
      if (first.kind === "call" && first.text === "{}") first.text = "";
      this.#add(place, first);
    }
    const delta = event["delta"];
    if (!isRecord(delta)) return;
    this.#grow(place, getText(delta["text"] ?? delta["partial_json"] ?? delta["thinking"]));
  }

  /** Responses dialect: a complete item has everything; before that its text is appended. */
  #item(type: string, event: Fields): void {
    const place = `item ${String(event["output_index"])}`;
    if (type === "response.output_text.delta") {
      this.#appendText(place, "text", getText(event["delta"]));
    } else if (type === "response.output_item.done" && isRecord(event["item"])) {
      const growing = this.#open.get(place);
      if (growing !== undefined) this.parts.splice(this.parts.indexOf(growing), 1);
      addTurn(this.parts, event["item"], new Map());
    }
  }

  /** Chat, and completions. */
  #choice({ index, delta, text }: Fields): void {
    if (getText(text) !== "") this.#appendText(`content ${String(index)}`, "text", getText(text));
    if (!isRecord(delta)) return;
    const reasoning = getText(delta["reasoning_content"] ?? delta["reasoning"]);
    if (reasoning !== "") this.#appendText(`reasoning ${String(index)}`, "reasoning", reasoning);
    const content = getText(delta["content"]);
    if (content !== "") this.#appendText(`content ${String(index)}`, "text", content);
    for (const call of asList(delta["tool_calls"])) {
      if (!isRecord(call)) continue;
      const place = `call ${String(index)} ${String(call["index"])}`;
      const of = isRecord(call["function"]) ? call["function"] : {};
      const name = getText(of["name"]);
      const known = this.#open.get(place) ?? this.#add(place, createPart("call"));
      if (known.name === "") known.name = name;
      this.#grow(place, written(of["arguments"]));
    }
  }

  /** Google's: texts of one kind that follow each other are one. */
  #part(part: Growing): void {
    const last = this.parts.at(-1);
    const isMore = (part.kind === "text" || part.kind === "reasoning") && last?.kind === part.kind;
    if (isMore) last.text += part.text;
    else if (part.text !== "" || part.kind === "call" || part.kind === "medium") this.parts.push(part);
  }

  #appendText(place: string, kind: Part["kind"], piece: string): void {
    if (!this.#open.has(place)) this.#add(place, createPart(kind));
    this.#grow(place, piece);
  }

  #add(place: string, part: Growing): Growing {
    this.#open.set(place, part);
    this.parts.push(part);
    return part;
  }

  #grow(place: string, piece: string): void {
    const part = this.#open.get(place);
    if (part !== undefined) part.text += piece;
  }
}

/** Returns a part without content yet. */
const createPart = (kind: Part["kind"]): Growing => ({ role: "assistant", kind, name: "", text: "" });

const isThinking = (block: unknown): boolean => isRecord(block) && block["type"] === "thinking";
