import type { SaidPart } from "../../contract/sessions.ts";
import { asList, isRecord } from "../../lib/records.ts";

/** Content of a conversation's request, part by part, in any of the dialects that are read, for people who read it. */

export type Fields = Readonly<Record<string, unknown>>;

/** A part with its whole text. */
export type Part = Omit<SaidPart, "cut">;
type Role = SaidPart["role"];

/** Billing line with client and purpose, which does not belong to the conversation (docs/clients.md#claude-code). */
const BILLING_LINE = "x-anthropic-billing-header:";

const ROLES: Readonly<Record<string, Role>> = {
  system: "system",
  developer: "system",
  assistant: "assistant",
  model: "assistant",
  tool: "tool",
  function: "tool",
};

/** All parts of a request's body, from the tools on. */
export function listRequestParts(body: Fields): Part[] {
  const parts: Part[] = [];
  const tools = toolNames(body["tools"] ?? body["functions"]);
  if (tools !== "") parts.push({ role: "system", kind: "tools", name: "", text: tools });
  addContent(parts, "system", body["system"] ?? body["instructions"], NO_NAMES);
  const turns = body["messages"] ?? body["input"];
  if (typeof turns === "string") addText(parts, "user", turns);
  if (!Array.isArray(turns)) return parts;
  const names = new Map<string, string>();
  for (const turn of turns as readonly unknown[]) {
    if (typeof turn === "string") addText(parts, "user", turn);
    else if (isRecord(turn)) addTurn(parts, turn, names);
  }
  return parts;
}

type Names = ReadonlyMap<string, string>;
const NO_NAMES: Names = new Map();

/**
 * Adds the parts of a message, or of an item of the Responses dialect. @param names tool names by call id, extended
 * with new calls
 */
export function addTurn(parts: Part[], turn: Fields, names: Map<string, string>): void {
  const { type, role, content } = turn;
  if (typeof type === "string" && type !== "message" && role === undefined) {
    addItem(parts, type, turn, names);
    return;
  }
  const who = ROLES[getText(role)] ?? "user";
  addReasoning(parts, turn["reasoning_content"] ?? turn["reasoning"]);
  if (who === "tool") {
    addResult(parts, getText(turn["name"]) || (names.get(getText(turn["tool_call_id"])) ?? ""), content);
    return;
  }
  addContent(parts, who, content, names);
  for (const call of asList(turn["tool_calls"])) addCall(parts, call, names);
  if (isRecord(turn["function_call"])) addCall(parts, { function: turn["function_call"] }, names);
}

function addItem(parts: Part[], type: string, item: Fields, names: Map<string, string>): void {
  if (type === "reasoning") {
    for (const piece of [...asList(item["summary"]), ...asList(item["content"])]) addReasoning(parts, piece);
  } else if (type.endsWith("_output") || type === "tool_result") {
    addResult(parts, names.get(getId(item)) ?? "", item["output"] ?? item["content"]);
  } else if (type.endsWith("_call")) {
    const name = getText(item["name"]) || type.replace(/_call$/, "");
    names.set(getId(item), name);
    parts.push({
      role: "assistant",
      kind: "call",
      name,
      text: written(item["arguments"] ?? item["input"] ?? item["action"]),
    });
  } else addBlock(parts, "user", item, names);
}

const getId = (item: Fields): string => getText(item["call_id"] ?? item["tool_use_id"] ?? item["id"]);

function addContent(parts: Part[], role: Role, content: unknown, names: Names | Map<string, string>): void {
  if (typeof content === "string") addText(parts, role, content);
  else for (const block of asList(content)) addBlock(parts, role, block, names);
}

/** A block of a message. */
export function addBlock(parts: Part[], role: Role, block: unknown, names: Names | Map<string, string>): void {
  if (typeof block === "string") addText(parts, role, block);
  if (!isRecord(block)) return;
  const type = getText(block["type"]);
  switch (type) {
    case "":
    case "text":
    case "input_text":
    case "output_text":
      addText(parts, role, getText(block["text"]));
      return;
    case "refusal":
      addText(parts, role, getText(block["refusal"]));
      return;
    case "thinking":
      addReasoning(parts, block["thinking"]);
      return;
    case "redacted_thinking":
      return;
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use": {
      const name = getText(block["name"]);
      if (names instanceof Map) names.set(getText(block["id"]), name);
      parts.push({ role: "assistant", kind: "call", name, text: written(block["input"]) });
      return;
    }
    default:
      if (type.endsWith("tool_result")) addResult(parts, names.get(getId(block)) ?? "", block["content"]);
      else parts.push({ role, kind: "medium", name: type, text: getText(block["title"] ?? block["filename"]) });
  }
}

function addCall(parts: Part[], call: unknown, names: Map<string, string>): void {
  if (!isRecord(call)) return;
  const of = isRecord(call["function"]) ? call["function"] : isRecord(call["custom"]) ? call["custom"] : call;
  const name = getText(of["name"]);
  names.set(getText(call["id"]), name);
  parts.push({ role: "assistant", kind: "call", name, text: written(of["arguments"] ?? of["input"]) });
}

/** Adds the result of a tool: its texts joined, media after them. */
function addResult(parts: Part[], name: string, content: unknown): void {
  const inner: Part[] = [];
  if (isRecord(content)) addBlock(inner, "tool", content, NO_NAMES);
  else addContent(inner, "tool", content, NO_NAMES);
  const text = inner.map((part) => part.text).join("\n");
  parts.push({ role: "tool", kind: "result", name, text });
  for (const part of inner) if (part.kind === "medium") parts.push(part);
}

export function addReasoning(parts: Part[], reasoning: unknown): void {
  const text = typeof reasoning === "string" ? reasoning : isRecord(reasoning) ? getText(reasoning["text"]) : "";
  if (text !== "") parts.push({ role: "assistant", kind: "reasoning", name: "", text });
}

export function addText(parts: Part[], role: Role, text: string): void {
  if (text === "" || (role === "system" && text.startsWith(BILLING_LINE))) return;
  parts.push({ role, kind: "text", name: "", text });
}

/** Returns the input of a tool call as one text. */
export const written = (input: unknown): string =>
  typeof input === "string" ? input : input === undefined ? "" : JSON.stringify(input);

function toolNames(tools: unknown): string {
  return asList(tools)
    .map((tool) => {
      if (!isRecord(tool)) return "";
      const of = isRecord(tool["function"]) ? tool["function"] : tool;
      return getText(of["name"]) || getText(of["type"]);
    })
    .filter((name) => name !== "")
    .join(", ");
}

export const getText = (value: unknown): string => (typeof value === "string" ? value : "");
