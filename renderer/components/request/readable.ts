import type { Recording } from "../../../gateway/contract/requests.ts";

/** A message of a conversation, as text. */
export interface Message {
  readonly role: string;
  readonly text: string;
}

type Fields = Readonly<Record<string, unknown>>;
const getFields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const readList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : []);
const getText = (value: unknown): string => (typeof value === "string" ? value : "");

/** @returns undefined if it is not JSON, or truncated */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Reads a request's text for display, in the dialects of conversation and for prompts; empty if it has none. */
export function readRequest({ request }: Recording): readonly Message[] {
  const body = getFields(parseText(request.text));
  const messages: Message[] = [];
  const add = (role: string, content: unknown): void => {
    const text = getContent(content);
    if (text !== "") messages.push({ role, text });
  };
  add("system", body["system"] ?? body["instructions"] ?? getFields(body["systemInstruction"])["parts"]);
  for (const message of readList(body["messages"])) readMessage(getFields(message), add);
  if (typeof body["input"] === "string") add("user", body["input"]);
  else
    for (const item of readList(body["input"])) add(getText(getFields(item)["role"]) || "user", getContentOfItem(item));
  for (const item of readList(body["contents"])) {
    const { role, parts } = getFields(item);
    add(role === "model" ? "assistant" : "user", parts);
  }
  add("user", body["prompt"]);
  return messages;
}

function readMessage(message: Fields, add: (role: string, content: unknown) => void): void {
  const role = getText(message["role"]) || "user";
  add(role, message["content"]);
  for (const call of readList(message["tool_calls"])) add(role, calledTool(getFields(getFields(call)["function"])));
}

const getContentOfItem = (item: unknown): unknown => (typeof item === "string" ? item : getFields(item)["content"]);

/** Returns the text of a message: a string, or the texts of its parts; for other parts their kind. */
function getContent(content: unknown): string {
  if (typeof content === "string") return content;
  return readList(content)
    .map((part) => {
      const fields = getFields(part);
      if (fields["type"] === "tool_use") return calledTool(fields);
      if (fields["functionCall"] !== undefined) return calledTool(getFields(fields["functionCall"]));
      if (fields["functionResponse"] !== undefined)
        return JSON.stringify(getFields(fields["functionResponse"])["response"] ?? {});
      if (fields["inlineData"] !== undefined) return `[${getText(getFields(fields["inlineData"])["mimeType"])}]`;
      if (fields["thought"] === true) return "";
      const inner = fields["text"] ?? fields["content"];
      const text = typeof inner === "string" ? inner : getContent(inner);
      return text === "" && typeof fields["type"] === "string" ? `[${fields["type"]}]` : text;
    })
    .filter((text) => text !== "")
    .join("\n");
}

function calledTool({ name, arguments: given, input, args = input }: Fields): string {
  const written = typeof given === "string" ? given : JSON.stringify(args ?? {});
  return `${getText(name)}(${written})`;
}

/** Reads a response's text: joined from stream chunks, or from the complete body; empty without text. */
export function readResponse({ response }: Recording): string {
  const text = response?.chunks.map((chunk) => chunk.text).join("") ?? "";
  return response?.type === "text/event-stream" ? fromStream(text) : fromWhole(getFields(parseText(text)));
}

function fromWhole(body: Fields): string {
  const choices = readList(body["choices"]).map((choice) => {
    const message = getFields(getFields(choice)["message"]);
    const calls = readList(message["tool_calls"]).map((call) => calledTool(getFields(getFields(call)["function"])));
    return [getContent(message["content"]), ...calls].filter((text) => text !== "").join("\n");
  });
  const items = readList(body["output"]).map((item) => {
    const fields = getFields(item);
    return fields["type"] === "function_call" ? calledTool(fields) : getContent(fields["content"]);
  });
  const error = getFields(body["error"]);
  return [
    ...choices,
    getContent(body["content"]),
    ...items,
    getCandidate(body),
    getText(error["message"]) || getText(body["message"]),
  ]
    .filter((text) => text !== "")
    .join("\n");
}

/** Reads Google's format, complete or of one chunk. */
const getCandidate = (body: Fields): string =>
  getContent(getFields(getFields(readList(body["candidates"])[0])["content"])["parts"]);

/** Reads the message of an error response, complete or at the end of a stream; empty if it is not an error. */
export function readError({ response }: Recording): string {
  const text = response?.chunks.map((chunk) => chunk.text).join("") ?? "";
  const bodies =
    response?.type === "text/event-stream"
      ? text.split(/\r?\n/).flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trim()] : []))
      : [text];
  for (const body of bodies.toReversed()) {
    const fields = getFields(parseText(body));
    const message = getText(getFields(fields["error"])["message"]);
    if (message !== "") return message;
    // The flat envelope of images.
    if (getText(fields["code"]) !== "" && getText(fields["message"]) !== "") return getText(fields["message"]);
  }
  return "";
}

function fromStream(text: string): string {
  let joined = "";
  for (const line of text.split(/\r?\n/)) {
    if (!line.startsWith("data:")) continue;
    const event = getFields(parseText(line.slice(5).trim()));
    const [choice] = readList(event["choices"]);
    const delta = getFields(event["delta"]);
    joined += getText(getFields(getFields(choice)["delta"])["content"]);
    if (event["type"] === "content_block_delta") joined += getText(delta["text"]);
    if (event["type"] === "response.output_text.delta") joined += getText(event["delta"]);
    joined += getCandidate(event);
    const error = getText(getFields(event["error"])["message"]);
    if (error !== "") joined += `${joined === "" ? "" : "\n"}${error}`;
  }
  return joined;
}
