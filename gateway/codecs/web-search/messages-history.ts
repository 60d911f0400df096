import { resultsText } from "../../core/search/search-result.ts";
import type { NumberedResult } from "../../core/search/search-result.ts";
import { asList, isRecord } from "../../lib/records.ts";
import { readRecord, readRecords, readText } from "../messages-to-chat/fields.ts";
import type { Document } from "../translation.ts";
import { decodeSearchFields, decodeMark, readQuery } from "./search-fields.ts";

/** Anthropic's prefix of ids of server tools; ours keep the provider's id after it. */
const SERVER_ID = "srvtoolu_";

export const serverId = (id: string): string => SERVER_ID + id;
const ownId = (id: string): string => (id.startsWith(SERVER_ID) ? id.slice(SERVER_ID.length) : id);

/** How searches of a history are rendered: as function calls, or as text if such calls must not be shown. */
export type HistoryForm = { readonly kind: "calls"; readonly name: string } | { readonly kind: "text" };

interface Read {
  readonly messages: readonly unknown[];
  /** All that was found, by number. */
  readonly results: ReadonlyMap<number, NumberedResult>;
}

/**
 * Converts the searches in a Messages history to plain turns: Postern's completely, Anthropic's as far as readable
 * (their texts are encrypted).
 * @param all whether to convert Anthropic's too; if false, they are unchanged
 */
export function plainHistory(messages: unknown, form: HistoryForm, all: boolean): Read {
  const reader = new HistoryReader(form, all);
  const read = asList(messages).flatMap((message): readonly unknown[] =>
    isRecord(message) && message["role"] === "assistant" && Array.isArray(message["content"])
      ? reader.turn(message)
      : [message],
  );
  return { messages: read, results: reader.results };
}

class HistoryReader {
  readonly results = new Map<number, NumberedResult>();
  #lastNumber = 0;
  readonly #form: HistoryForm;
  readonly #all: boolean;

  constructor(form: HistoryForm, all: boolean) {
    this.#form = form;
    this.#all = all;
  }

  turn(message: Document): readonly Document[] {
    const blocks = readRecords(message["content"]);
    const results = new Map(
      blocks
        .filter((block) => block["type"] === "web_search_tool_result" && this.#takes(block))
        .map((block) => [block["tool_use_id"], block]),
    );
    if (results.size === 0 && !blocks.some(hasMarks)) return [message];
    const turns: Document[] = [];
    let content: Document[] = [];
    let answers: Document[] = [];
    const close = (): void => {
      if (content.length > 0) turns.push({ ...message, content: joinedTexts(content) });
      if (answers.length > 0) turns.push({ role: "user", content: answers });
      content = [];
      answers = [];
    };
    // All calls of a turn precede their results, so content after a result starts another turn.
    let answered = false;
    for (const block of blocks) {
      if (results.get(block["tool_use_id"]) === block) {
        answered = true;
        continue;
      }
      if (answered && answers.length > 0) close();
      answered = false;
      const searched = block["type"] === "server_tool_use" ? results.get(block["id"]) : undefined;
      if (searched === undefined) content.push(withMarks(block));
      else if (this.#form.kind === "text") content.push({ type: "text", text: this.#describeResult(block, searched) });
      else {
        const [call, answer] = this.#toToolCall(block, searched, this.#form.name);
        content.push(call);
        answers.push(answer);
      }
    }
    close();
    return turns;
  }

  /** Whether a search block is converted: Postern's own always, as other servers cannot read them. */
  #takes(block: Document): boolean {
    return this.#all || isOurs(block);
  }

  #toToolCall(call: Document, result: Document, name: string): readonly [Document, Document] {
    const id = ownId(String(call["id"]));
    return [
      { type: "tool_use", id, name, input: readRecord(call["input"]) },
      {
        type: "tool_result",
        tool_use_id: id,
        content: this.#text(result),
        ...(Array.isArray(result["content"]) ? {} : { is_error: true }),
      },
    ];
  }

  #describeResult(call: Document, result: Document): string {
    return `Web search for "${readQuery(call["input"]) ?? ""}":\n${this.#text(result)}\n`;
  }

  #text(result: Document): string {
    if (!Array.isArray(result["content"])) {
      const error = readRecord(result["content"]);
      return readText(error["message"]) ?? `The search failed: ${readText(error["error_code"]) ?? "unavailable"}.`;
    }
    return resultsText(readRecords(result["content"]).map((entry) => this.#result(entry)));
  }

  #result(entry: Document): NumberedResult {
    const fields = decodeSearchFields(entry["encrypted_content"]);
    const result = {
      number: fields?.number ?? this.#lastNumber + 1,
      title: readText(entry["title"]) ?? "",
      url: readText(entry["url"]) ?? "",
      snippet: fields?.snippet ?? "",
      age: fields?.age ?? readText(entry["page_age"]),
    };
    this.results.set(result.number, result);
    this.#lastNumber = Math.max(this.#lastNumber, result.number);
    return result;
  }
}

/** The highest number that a result has; 0 without any. */
export function highest(results: ReadonlyMap<number, unknown>): number {
  let last = 0;
  for (const number of results.keys()) last = Math.max(last, number);
  return last;
}

/** Whether Postern made this search. */
function isOurs(block: Document): boolean {
  const { content } = block;
  if (!Array.isArray(content)) return isRecord(content) && readText(content["message"]) !== null;
  // An empty result does not show which server searched; as a plain turn it is harmless.
  return readRecords(content).every((entry) => decodeSearchFields(entry["encrypted_content"]) !== null);
}

const hasMarks = (block: Document): boolean =>
  readRecords(block["citations"]).some(({ encrypted_index }) => decodeMark(encrypted_index) !== null);

/** The text as the model wrote it: with its marks, and without citations that only Postern can read. */
function withMarks(block: Document): Document {
  if (!hasMarks(block)) return block;
  const { citations, ...rest } = block;
  const marks = readRecords(citations).map(({ encrypted_index }) => decodeMark(encrypted_index) ?? "");
  return { ...rest, text: `${readText(block["text"]) ?? ""}${marks.join("")}` };
}

/** Texts next to each other are one, as the model wrote them; those with fields of their own stay. */
function joinedTexts(blocks: readonly Document[]): readonly Document[] {
  const all: Document[] = [];
  for (const block of blocks) {
    const last = all.at(-1);
    if (isPlain(block) && last !== undefined && isPlain(last)) {
      all[all.length - 1] = { type: "text", text: `${String(last["text"])}${String(block["text"])}` };
    } else all.push(block);
  }
  return all.filter((block) => block["type"] !== "text" || block["text"] !== "");
}

const isPlain = (block: Document): boolean =>
  block["type"] === "text" && typeof block["text"] === "string" && Object.keys(block).length === 2;
