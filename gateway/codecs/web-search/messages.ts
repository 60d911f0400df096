import type { NumberedResult } from "../../core/search/search-result.ts";
import { resultsText } from "../../core/search/search-result.ts";
import { readRecord, readRecords, readText } from "../messages-to-chat/fields.ts";
import type { Document } from "../translation.ts";
import { CitationReader } from "./citations.ts";
import type { CitedPart } from "./citations.ts";
import { SEARCH_DESCRIPTION, SEARCH_SCHEMA, encodeSearchFields, encodeMark, readQuery } from "./search-fields.ts";
import { MessageBuilder, toEvents } from "./message-events.ts";
import { highest, plainHistory, serverId } from "./messages-history.ts";
import { isSearch } from "./offered.ts";
import { sumUsage } from "./summed-usage.ts";
import type { OfferedSearch, SearchCallMade, SearchOutcome, ServedConversation, RoundResult } from "./served-round.ts";

/** Max characters of a citation's quote; Anthropic's have up to 150. */
const LONGEST_QUOTE = 150;

/** An open block of the response: its index, and the text that is still scanned for citations. */
interface OpenText {
  /** Index of the block; -1 before any of it was sent. */
  index: number;
  isCited: boolean;
  readonly reader: CitationReader;
  readonly block: Document;
}

/**
 * A request of Anthropic's Messages API whose `web_search` tool Postern serves. The client receives what Anthropic
 * would send: `server_tool_use`, `web_search_tool_result`, and text blocks with `web_search_result_location` citations
 * (platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool).
 */
export class ServedMessages implements ServedConversation {
  readonly lastNumber: number;
  readonly #body: Document;
  readonly #offered: OfferedSearch;
  readonly #name: string;
  readonly #messages: unknown[];
  readonly #known: Map<number, NumberedResult>;
  /** The client's message so far, and the provider's of the current round. */
  readonly #whole = new MessageBuilder();
  #round = new MessageBuilder();
  /** The newest turn, as its provider ended it. */
  #last: Document = {};
  #rounds = 0;
  #next = 0;
  readonly #places = new Map<unknown, number>();
  #text: OpenText | null = null;
  #usage: Document | null = null;
  #searches = 0;
  #answers: Document[] = [];

  constructor(body: Document, offered: OfferedSearch) {
    const names = new Set(
      readRecords(body["tools"])
        .filter((tool) => !isSearch(tool))
        .map((tool) => tool["name"]),
    );
    this.#name = names.has("web_search") ? "postern_web_search" : "web_search";
    const { messages, results } = plainHistory(body["messages"], { kind: "calls", name: this.#name }, true);
    this.#body = body;
    this.#offered = offered;
    this.#messages = [...messages];
    // Earlier results can be cited again.
    this.#known = new Map(results);
    this.lastNumber = highest(results);
  }

  request(last: boolean): Document {
    const { tool_choice, ...body } = this.#body;
    const tools = readRecords(body["tools"]).filter((tool) => !isSearch(tool));
    const search = { name: this.#name, description: SEARCH_DESCRIPTION, input_schema: SEARCH_SCHEMA };
    return {
      ...body,
      messages: [...this.#messages],
      tools: [...tools, search],
      ...this.#choice(readRecord(tool_choice), last, tools.length > 0),
    };
  }

  /** Returns the tool choice; a forced tool applies to the first round only. */
  #choice(given: Document, last: boolean, hasOthers: boolean): Document {
    if (last && !hasOthers) return { tool_choice: { type: "none" } };
    const { type } = given;
    if (type === undefined) return {};
    if (this.#rounds > 0 && (type === "any" || type === "tool")) return {};
    if (type === "tool" && given["name"] === this.#offered.name) return { tool_choice: { ...given, name: this.#name } };
    return { tool_choice: given };
  }

  read(response: Document): RoundResult {
    for (const event of toEvents(response)) this.event(event);
    return this.endRound();
  }

  event(data: Document): readonly Document[] {
    this.#round.add(data);
    const events = this.#shown(data);
    for (const event of events) this.#whole.add(event);
    return events;
  }

  #shown(data: Document): readonly Document[] {
    switch (data["type"]) {
      case "message_start":
        return this.#rounds === 0 ? [data] : [];
      case "content_block_start":
        return this.#start(data, readRecord(data["content_block"]));
      case "content_block_delta":
        return this.#delta(data, readRecord(data["delta"]));
      case "content_block_stop":
        return this.#stop(data);
      // The end of the message is sent after the last round.
      case "message_delta":
      case "message_stop":
        return [];
      default:
        return [data];
    }
  }

  #start(data: Document, block: Document): readonly Document[] {
    if (block["type"] === "text") {
      this.#text = {
        index: -1,
        isCited: false,
        reader: new CitationReader((number) => this.#known.has(number)),
        block,
      };
      return [];
    }
    const index = this.#place(data["index"]);
    const isOurs = block["type"] === "tool_use" && block["name"] === this.#name;
    const shown = isOurs
      ? { ...block, type: "server_tool_use", id: serverId(String(block["id"])), name: "web_search" }
      : block;
    return [{ ...data, index, content_block: shown }];
  }

  #delta(data: Document, delta: Document): readonly Document[] {
    if (this.#text === null) return [{ ...data, index: this.#places.get(data["index"]) ?? -1 }];
    if (delta["type"] !== "text_delta") return [];
    return this.#writeCitations(this.#text.reader.push(readText(delta["text"]) ?? ""));
  }

  #stop(data: Document): readonly Document[] {
    if (this.#text === null) return [{ ...data, index: this.#places.get(data["index"]) ?? -1 }];
    const events = this.#writeCitations(this.#text.reader.flush());
    const closing = this.#closeText();
    this.#text = null;
    return [...events, ...closing];
  }

  /** A text block ends with its citation: the block lists the sources of its text. */
  #writeCitations(parts: readonly CitedPart[]): readonly Document[] {
    return parts.flatMap((part) => {
      const text = this.#text;
      if (text === null) return [];
      if (part.kind === "mark" && text.index !== -1) {
        text.isCited = true;
        const results = part.numbers.flatMap((number) => this.#known.get(number) ?? []);
        return results.map((result, at) => {
          const citation = toCitation(result, at === 0 ? part.written : "");
          return this.#textEvent(text.index, { type: "citations_delta", citation });
        });
      }
      const closing = text.isCited ? this.#closeText() : [];
      const opening = this.#openText(text);
      const written = part.kind === "mark" ? part.written : part.text;
      return [...closing, ...opening, this.#textEvent(text.index, { type: "text_delta", text: written })];
    });
  }

  #textEvent(index: number, delta: Document): Document {
    return { type: "content_block_delta", index, delta };
  }

  #openText(text: OpenText): readonly Document[] {
    if (text.index !== -1) return [];
    text.index = this.#next;
    this.#next += 1;
    return [{ type: "content_block_start", index: text.index, content_block: { ...text.block, text: "" } }];
  }

  #closeText(): readonly Document[] {
    const text = this.#text;
    if (text === null || text.index === -1) return [];
    const { index } = text;
    text.index = -1;
    text.isCited = false;
    return [{ type: "content_block_stop", index }];
  }

  #place(index: unknown): number {
    const place = this.#next;
    this.#places.set(index, place);
    this.#next += 1;
    return place;
  }

  endRound(): RoundResult {
    const content = this.#round.content.filter((block) => block["type"] !== "text" || readText(block["text"]) !== null);
    const calls = content.filter((block) => block["type"] === "tool_use");
    const searches = calls
      .filter((call) => call["name"] === this.#name)
      .map((call): SearchCallMade => ({ id: String(call["id"]), query: readQuery(call["input"]) }));
    this.#messages.push({ role: "assistant", content });
    this.#answers = [];
    this.#usage = sumUsage(this.#usage, this.#round.usage);
    this.#rounds += 1;
    this.#places.clear();
    this.#last = this.#round.message;
    this.#round = new MessageBuilder();
    return { searches, callsClient: calls.length > searches.length };
  }

  searching(): readonly Document[] {
    return [];
  }

  addSearch(call: SearchCallMade, outcome: SearchOutcome): readonly Document[] {
    const index = this.#next;
    this.#next += 1;
    const failed = outcome.kind === "failed";
    if (!failed) {
      this.#searches += 1;
      for (const result of outcome.results) this.#known.set(result.number, result);
    }
    if (this.#answers.length === 0) this.#messages.push({ role: "user", content: this.#answers });
    this.#answers.push({
      type: "tool_result",
      tool_use_id: call.id,
      content: failed ? outcome.message : resultsText(outcome.results),
      ...(failed ? { is_error: true } : {}),
    });
    const content_block = {
      type: "web_search_tool_result",
      tool_use_id: serverId(call.id),
      content: failed
        ? { type: "web_search_tool_result_error", error_code: outcome.code, message: outcome.message }
        : outcome.results.map(resultBlock),
    };
    const events = [
      { type: "content_block_start", index, content_block },
      { type: "content_block_stop", index },
    ];
    for (const event of events) this.#whole.add(event);
    return events;
  }

  whole(paused: boolean): Document {
    for (const event of this.ending(paused)) this.#whole.add(event);
    return this.#whole.message;
  }

  ending(paused: boolean): readonly Document[] {
    const { stop_reason, stop_sequence } = this.#last;
    const usage = { ...this.#usage, server_tool_use: { web_search_requests: this.#searches, web_fetch_requests: 0 } };
    return [
      {
        type: "message_delta",
        delta: { stop_reason: paused ? "pause_turn" : stop_reason, stop_sequence: stop_sequence ?? null },
        usage,
      },
      { type: "message_stop" },
    ];
  }
}

function resultBlock(result: NumberedResult): Document {
  const { title, url, age } = result;
  return { type: "web_search_result", title, url, page_age: age, encrypted_content: encodeSearchFields(result) };
}

function toCitation({ title, url, snippet }: NumberedResult, written: string): Document {
  return {
    type: "web_search_result_location",
    url,
    title,
    cited_text: snippet.slice(0, LONGEST_QUOTE).toWellFormed(),
    encrypted_index: encodeMark(written),
  };
}
