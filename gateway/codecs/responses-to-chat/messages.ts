import { GatewayError } from "../../core/errors.ts";
import { asList, isRecord } from "../../lib/records.ts";
import type { Document } from "../translation.ts";
import { readBlocks, readContent, readText } from "./content.ts";
import { callNamed } from "./pieces.ts";
import { readCarried, joinThinking, formatThought } from "../carried-thinking.ts";
import type { CarriedThinking } from "../carried-thinking.ts";
import type { ToolIndex } from "./tools.ts";

const CALLS: ReadonlySet<unknown> = new Set(["function_call", "custom_tool_call", "tool_search_call"]);
const OUTPUTS: ReadonlySet<unknown> = new Set([
  "function_call_output",
  "custom_tool_call_output",
  "tool_search_output",
]);

/**
 * Converts the items of a request to chat messages. OpenAI-specific items (its searches, compacted history, encrypted
 * reasoning) are omitted.
 * @param items `input`, with a plain text already converted to a message.
 * @throws GatewayError for content that no other provider accepts (400).
 */
export function readMessages(
  instructions: unknown,
  items: readonly unknown[],
  toolIndex: ToolIndex,
): readonly Document[] {
  const writer = new MessageWriter(items, toolIndex);
  if (typeof instructions === "string" && instructions !== "") writer.system(instructions);
  else asList(instructions).forEach((item, index) => writer.item(item, `instructions[${index}]`));
  items.forEach((item, index) => writer.item(item, `input[${index}]`));
  return writer.end();
}

/** An assistant's turn under construction. */
interface Turn {
  content: string;
  /** Reasoning texts: each server gets the form that it takes (providers/own-chat.ts). */
  readonly reasoning: string[];
  carried: CarriedThinking;
  readonly calls: { readonly callId: string; readonly call: Document }[];
  readonly callIds: Set<unknown>;
}

class MessageWriter {
  readonly #messages: Document[] = [];
  readonly #book: ToolIndex;
  /** Outputs by the call that they answer, in order. */
  readonly #outputs = new Map<string, { item: Document; param: string }[]>();
  readonly #answered = new Set<unknown>();
  #turn: Turn | null = null;

  constructor(items: readonly unknown[], toolIndex: ToolIndex) {
    this.#book = toolIndex;
    items.forEach((item, index) => {
      if (!isRecord(item) || !OUTPUTS.has(item["type"])) return;
      const id = String(item["call_id"]);
      const list = this.#outputs.get(id) ?? [];
      list.push({ item, param: `input[${index}]` });
      this.#outputs.set(id, list);
    });
  }

  item(item: unknown, param: string): void {
    if (!isRecord(item)) return;
    const type = item["type"] ?? "message";
    if (type === "message") this.#message(item, param);
    else if (type === "agent_message") this.#add({ role: "user", content: readText(item["content"], "\n\n") });
    else if (type === "reasoning") this.#reasoning(item);
    else if (CALLS.has(type)) this.#call(item);
    else if (OUTPUTS.has(type) && !this.#answered.has(item)) this.#output(item, param);
    else if (type === "item_reference" && !isReasoningId(item["id"])) throw unknownItem(item, param);
  }

  /** The beginning of a conversation has one system message: the templates of some models take no other. */
  system(text: string): void {
    const [only, ...others] = this.#messages;
    if (only?.["role"] === "system" && others.length === 0 && this.#turn === null) {
      this.#messages[0] = { role: "system", content: `${String(only["content"])}\n\n${text}` };
    } else {
      this.#add({ role: "system", content: text });
    }
  }

  end(): readonly Document[] {
    this.#closeTurn();
    return this.#messages;
  }

  #message(item: Document, param: string): void {
    const role = item["role"];
    if (role === "assistant") {
      const text = readText(item["content"], "");
      // Earlier reasoning belongs to this message, and so do the calls that follow it.
      if (this.#turn !== null && (this.#turn.content !== "" || this.#turn.calls.length > 0)) this.#closeTurn();
      this.#openTurn().content = text;
    } else if (role === "user") {
      const content = readContent(item["content"], "\n\n", `${param}.content`);
      if (content.length > 0) this.#add({ role, content });
    } else {
      this.system(readText(item["content"], "\n\n"));
    }
  }

  #reasoning(item: Document): void {
    const text = readText(item["content"], "\n\n") || readText(item["summary"], "\n\n");
    const carried = readCarried(item["encrypted_content"]);
    if (text === "" && Object.keys(carried).length === 0) return;
    if (this.#turn?.content !== "" || this.#turn.calls.length > 0) this.#closeTurn();
    const turn = this.#openTurn();
    if (text !== "") turn.reasoning.push(text);
    turn.carried = joinThinking(turn.carried, carried);
  }

  #call(item: Document): void {
    const name = item["type"] === "tool_search_call" ? "tool_search" : String(item["name"]);
    const callId = String(item["call_id"]);
    const called = { name: this.#book.wireName(name, item["namespace"]), arguments: readArguments(item) };
    this.#openTurn().callIds.add(callId);
    this.#openTurn().calls.push({ callId, call: { ...callNamed(callId), type: "function", function: called } });
  }

  /** Handles an output without its call, because the client truncated its history. The model may still need it. */
  #output(item: Document, param: string): void {
    if (this.#turn?.callIds.has(item["call_id"]) === true) this.#closeTurn();
    if (this.#answered.has(item)) return;
    const text = { type: "text", text: `The tool call ${String(item["call_id"])} was answered:` };
    this.#add({ role: "user", content: [text, ...outputBlocks(item, param)] });
  }

  #add(message: Document): void {
    this.#closeTurn();
    this.#messages.push(message);
  }

  #openTurn(): Turn {
    this.#turn ??= { content: "", reasoning: [], carried: {}, calls: [], callIds: new Set() };
    return this.#turn;
  }

  /** Closes the turn. In the chat API all results directly follow the calls and are text only. */
  #closeTurn(): void {
    const turn = this.#turn;
    this.#turn = null;
    if (turn === null || (turn.content === "" && turn.calls.length === 0)) return;
    const thoughts = formatThought(turn.reasoning.join("\n\n"), turn.carried);
    if (turn.calls.length === 0) {
      this.#messages.push({ role: "assistant", content: turn.content, ...thoughts });
      return;
    }
    this.#messages.push({
      role: "assistant",
      content: turn.content === "" ? null : turn.content,
      ...thoughts,
      tool_calls: turn.calls.map(({ call }) => call),
    });
    const attached = turn.calls.flatMap(({ callId }) => this.#result(callId));
    if (attached.length > 0) this.#messages.push({ role: "user", content: attached });
  }

  /** Writes the result of a call. @returns what of it has to follow in a message of the user. */
  #result(callId: string): readonly Document[] {
    const output = this.#outputs.get(callId)?.shift();
    if (output === undefined) return [];
    this.#answered.add(output.item);
    const blocks = outputBlocks(output.item, output.param);
    const texts = blocks.filter((block) => block["type"] === "text").map((block) => block["text"]);
    const others = blocks.filter((block) => block["type"] !== "text");
    if (others.length > 0) texts.push("What else the tool returned is in the next message of the user.");
    this.#messages.push({ role: "tool", tool_call_id: callNamed(callId).id, content: texts.join("\n") });
    return others.length === 0 ? [] : [{ type: "text", text: `Returned by the tool call ${callId}:` }, ...others];
  }
}

function readArguments(item: Document): string {
  if (item["type"] === "custom_tool_call") return JSON.stringify({ input: item["input"] });
  const given = item["arguments"];
  if (typeof given === "string") return given === "" ? "{}" : given;
  return JSON.stringify(given ?? {});
}

function outputBlocks(item: Document, param: string): readonly Document[] {
  const output = item["output"];
  if (typeof output === "string") return [{ type: "text", text: output }];
  if (item["type"] === "tool_search_output") return [{ type: "text", text: JSON.stringify(item["tools"] ?? []) }];
  return readBlocks(output, `${param}.output`);
}

/**
 * Whether an item is reasoning. It may be omitted, and clients refer to it by id automatically (Vercel AI SDK, in its
 * tool loops); text and calls may not be omitted.
 */
function isReasoningId(id: unknown): boolean {
  return typeof id === "string" && id.startsWith("rs_");
}

function unknownItem(item: Document, param: string): GatewayError {
  const id = JSON.stringify(String(item["id"]).slice(0, 60));
  return new GatewayError(
    "invalid_value",
    `'${param}' refers to the item ${id}, which is not known here: responses are not stored. Send the whole item instead ` +
      "(in the Vercel AI SDK: providerOptions.openai.store = false).",
    { param },
  );
}
