import { resultsText } from "../../core/search/search-result.ts";
import type { NumberedResult } from "../../core/search/search-result.ts";
import { readNumber, readRecord, readRecords, readText } from "../messages-to-chat/fields.ts";
import type { Document } from "../translation.ts";
import { SEARCH_DESCRIPTION, SEARCH_SCHEMA, readQuery } from "./search-fields.ts";
import { LinkedText } from "./linked-text.ts";
import { sumUsage } from "./summed-usage.ts";
import type { OfferedSearch, SearchCallMade, SearchOutcome, ServedConversation, RoundResult } from "./served-round.ts";

/** A call as it comes in pieces. */
interface Call {
  id: string;
  name: string;
  arguments: string;
  /** Fields that some providers want back with it: thought signatures. */
  rest: Document;
}

/**
 * A chat completion with `web_search_options`, whose searches Postern runs. Like OpenAI's own search models it only
 * shows `url_citation` annotations (platform.openai.com/docs/guides/tools-web-search?api-mode=chat). Single choice
 * only: requests for several are left to the provider.
 */
export class ServedChat implements ServedConversation {
  readonly lastNumber = 0;
  readonly #body: Document;
  readonly #name: string;
  readonly #messages: unknown[];
  readonly #known = new Map<number, NumberedResult>();
  readonly #text: LinkedText;
  #calls = new Map<number, Call>();
  #sent = { content: "", reasoning: "" };
  #rounds = 0;
  /** Chunk or response that the ending is built from. */
  #last: Document = {};
  #head: Document = {};
  #finish: unknown = null;
  #usage: Document | null = null;
  #clientCalls: readonly Document[] = [];

  constructor(body: Document, _offered: OfferedSearch) {
    const names = new Set(readRecords(body["tools"]).map((tool) => readRecord(tool["function"])["name"]));
    this.#name = names.has("web_search") ? "postern_web_search" : "web_search";
    this.#body = body;
    this.#messages = Array.isArray(body["messages"]) ? [...(body["messages"] as readonly unknown[])] : [];
    this.#text = new LinkedText(this.#known);
  }

  request(last: boolean): Document {
    const { web_search_options: _served, tools, tool_choice, ...body } = this.#body;
    const others = readRecords(tools);
    const search = { name: this.#name, description: SEARCH_DESCRIPTION, parameters: SEARCH_SCHEMA };
    const insists = this.#rounds > 0 && tool_choice !== "none" ? undefined : tool_choice;
    const choice = last && others.length === 0 ? "none" : insists;
    return {
      ...body,
      messages: [...this.#messages],
      tools: [...others, { type: "function", function: search }],
      ...(choice === undefined ? {} : { tool_choice: choice }),
    };
  }

  read(response: Document): RoundResult {
    this.#add(response, "message");
    return this.endRound();
  }

  event(data: Document): readonly Document[] {
    return this.#add(data, "delta");
  }

  /** @returns what of a chunk the client is shown */
  #add(data: Document, field: "message" | "delta"): readonly Document[] {
    if (this.#head["id"] === undefined) this.#head = data;
    this.#last = data;
    this.#usage = sumUsage(this.#usage, data["usage"]);
    const choice = readRecords(data["choices"]).find((one) => (one["index"] ?? 0) === 0);
    if (choice === undefined) return [];
    const part = readRecord(choice[field]);
    this.#finish = choice["finish_reason"] ?? this.#finish;
    this.#call(readRecords(part["tool_calls"]));
    const { tool_calls: _calls, content, ...rest } = part;
    const words = readText(content) ?? "";
    this.#sent.content += words;
    this.#sent.reasoning += readText(part["reasoning_content"]) ?? "";
    const text = words === "" ? "" : this.#text.push(words).text;
    const delta = { ...(this.#rounds === 0 ? rest : without(rest, "role")), ...(text === "" ? {} : { content: text }) };
    if (Object.keys(delta).length === 0) return [];
    return [this.#chunk(data, { delta, finish_reason: null })];
  }

  #chunk(data: Document, choice: Document): Document {
    const { usage: _last, ...rest } = data;
    const { id, created } = this.#head;
    return { ...rest, id, created, choices: [{ index: 0, ...choice }] };
  }

  #call(pieces: readonly Document[]): void {
    for (const piece of pieces) {
      const { id, index, function: called, ...rest } = piece;
      const place = readNumber(index) ?? (readText(id) === null ? Math.max(0, this.#calls.size - 1) : this.#calls.size);
      const call = this.#calls.get(place) ?? { id: "", name: "", arguments: "", rest: {} };
      const { name, arguments: given } = readRecord(called);
      call.id ||= readText(id) ?? "";
      call.name ||= readText(name) ?? "";
      call.arguments += typeof given === "string" ? given : "";
      call.rest = { ...call.rest, ...rest };
      this.#calls.set(place, call);
    }
  }

  endRound(): RoundResult {
    const calls = [...this.#calls.values()];
    const written = calls.map(({ id, name, arguments: given, rest }) => ({
      ...rest,
      id,
      type: "function",
      function: { name, arguments: given },
    }));
    const searches = calls.flatMap((call): readonly SearchCallMade[] =>
      call.name === this.#name ? [{ id: call.id, query: readQuery(call.arguments) }] : [],
    );
    this.#clientCalls = written.filter((call) => call.function.name !== this.#name);
    const { content, reasoning } = this.#sent;
    this.#messages.push({
      role: "assistant",
      content: content === "" ? null : content,
      ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
      ...(written.length === 0 ? {} : { tool_calls: written }),
    });
    this.#calls = new Map();
    this.#sent = { content: "", reasoning: "" };
    this.#rounds += 1;
    // The dialect cannot represent a search in a turn that ends with client calls, so the model requests it again if
    // needed.
    const callsClient = this.#clientCalls.length > 0;
    return { searches: callsClient ? [] : searches, callsClient };
  }

  searching(): readonly Document[] {
    return [];
  }

  addSearch(call: SearchCallMade, outcome: SearchOutcome): readonly Document[] {
    const results = outcome.kind === "results" ? outcome.results : [];
    for (const result of results) this.#known.set(result.number, result);
    const content = outcome.kind === "results" ? resultsText(results) : outcome.message;
    this.#messages.push({ role: "tool", tool_call_id: call.id, content });
    return [];
  }

  whole(_paused: boolean, isCut: boolean): Document {
    this.#text.flush();
    const choice = readRecords(this.#last["choices"])[0] ?? {};
    const { tool_calls: _calls, ...message } = readRecord(choice["message"]);
    const { id, created } = this.#head;
    const shown = {
      ...message,
      content: this.#text.text === "" ? null : this.#text.text,
      ...this.#annotations(),
      ...(this.#clientCalls.length === 0 ? {} : { tool_calls: this.#clientCalls }),
    };
    return {
      ...this.#last,
      id,
      created,
      choices: [{ ...choice, message: shown, finish_reason: this.#getFinishReason(isCut) }],
      ...(this.#usage === null ? {} : { usage: this.#usage }),
    };
  }

  ending(_paused: boolean, isCut: boolean): readonly Document[] {
    const { text } = this.#text.flush();
    const calls = this.#clientCalls.map((call, index) => ({ index, ...call }));
    const delta = {
      ...(text === "" ? {} : { content: text }),
      ...this.#annotations(),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    };
    const { id, created } = this.#head;
    return [
      ...(Object.keys(delta).length === 0 ? [] : [this.#chunk(this.#last, { delta, finish_reason: null })]),
      this.#chunk(this.#last, { delta: {}, finish_reason: this.#getFinishReason(isCut) }),
      ...(this.#usage === null ? [] : [{ ...this.#last, id, created, choices: [], usage: this.#usage }]),
    ];
  }

  /** A model that still requests a search after the last one has finished its text. */
  #getFinishReason(isCut: boolean): unknown {
    if (isCut) return "length";
    return this.#finish === "tool_calls" && this.#clientCalls.length === 0 ? "stop" : this.#finish;
  }

  #annotations(): Document {
    const { annotations } = this.#text;
    if (annotations.length === 0) return {};
    return { annotations: annotations.map(({ type, ...citation }) => ({ type, url_citation: citation })) };
  }
}

const without = (document: Document, field: string): Document =>
  Object.fromEntries(Object.entries(document).filter(([name]) => name !== field));
