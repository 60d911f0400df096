import { resultsText } from "../../core/search/search-result.ts";
import type { NumberedResult } from "../../core/search/search-result.ts";
import { isRecord } from "../../lib/records.ts";
import { readRecord, readRecords, readText } from "../messages-to-chat/fields.ts";
import { keepResponse, withConversation, withKnownItems } from "../responses-to-chat/item-memory.ts";
import type { ItemMemory } from "../responses-to-chat/item-memory.ts";
import { toolsEchoed } from "../responses-to-chat/response.ts";
import type { Document } from "../translation.ts";
import { SEARCH_DESCRIPTION, SEARCH_SCHEMA, readQuery } from "./search-fields.ts";
import { LinkedText } from "./linked-text.ts";
import type { Linked } from "./linked-text.ts";
import { isSearch } from "./offered.ts";
import { highest } from "./messages-history.ts";
import { plainItems, searchItemId } from "./responses-history.ts";
import { sumUsage } from "./summed-usage.ts";
import type { OfferedSearch, SearchCallMade, SearchOutcome, ServedConversation, RoundResult } from "./served-round.ts";

const ENDS: ReadonlySet<unknown> = new Set(["response.completed", "response.incomplete"]);
const BEGINS: ReadonlySet<unknown> = new Set(["response.created", "response.in_progress", "response.queued"]);
const SOURCES = "web_search_call.action.sources";

export interface ServedResponsesDeps {
  readonly newId: () => string;
  readonly items: ItemMemory;
  /** Unix seconds. */
  readonly now: () => number;
}

/** A search's item towards the client. */
interface Shown {
  readonly id: string;
  readonly index: number;
}

/**
 * A request of OpenAI's Responses API whose `web_search` tool Postern serves: `web_search_call` items, and messages with
 * `url_citation` annotations (platform.openai.com/docs/guides/tools-web-search).
 */
export class ServedResponses implements ServedConversation {
  readonly lastNumber: number;
  /** The client's request, and the same with the conversation that it continues. */
  readonly #request: Document;
  readonly #body: Document;
  readonly #deps: ServedResponsesDeps;
  readonly #name: string;
  readonly #input: unknown[];
  readonly #known: Map<number, NumberedResult>;
  readonly #output: Document[] = [];
  readonly #shown = new Map<string, Shown>();
  /** State of the running turn: places of its items towards the client, its searches, its texts, its items. */
  readonly #places = new Map<unknown, number>();
  readonly #hidden = new Set<unknown>();
  readonly #texts = new Map<string, LinkedText>();
  #items: Document[] = [];
  #rounds = 0;
  #sequence = 0;
  /** First id sent to the client, and the end of the newest round. */
  #head: Document = {};
  #last: Document = {};
  #usage: Document | null = null;

  constructor(body: Document, _offered: OfferedSearch, deps: ServedResponsesDeps) {
    const names = new Set(readRecords(body["tools"]).map((tool) => tool["name"]));
    this.#name = names.has("web_search") ? "postern_web_search" : "web_search";
    const continued = withConversation(body, deps.items, deps.now());
    const { input: given } = continued;
    const input = Array.isArray(given) ? withKnownItems(given, deps.items) : given;
    const { items, results } = plainItems(input, { kind: "calls", name: this.#name }, true);
    this.#request = body;
    this.#body = continued;
    this.#deps = deps;
    this.#input = [...items];
    // Earlier results can be cited again.
    this.#known = new Map(results);
    this.lastNumber = highest(results);
  }

  request(last: boolean): Document {
    const { tool_choice, max_tool_calls: _served, include, ...body } = this.#body;
    const tools = readRecords(body["tools"]).filter((tool) => !isSearch(tool));
    const search = {
      type: "function",
      name: this.#name,
      description: SEARCH_DESCRIPTION,
      parameters: SEARCH_SCHEMA,
      strict: false,
    };
    const included = Array.isArray(include) ? include.filter((one) => !String(one).startsWith("web_search_call.")) : [];
    return {
      ...body,
      ...(included.length === 0 ? {} : { include: included }),
      input: [...this.#input],
      tools: [...tools, search],
      ...this.#choice(tool_choice, last && tools.length === 0),
    };
  }

  /** Returns the tool choice; a forced tool applies to the first round only. */
  #choice(given: unknown, noMore: boolean): Document {
    if (noMore) return { tool_choice: "none" };
    if (given === undefined || given === null || (this.#rounds > 0 && given !== "none")) return {};
    return { tool_choice: isSearch(given) ? { type: "function", name: this.#name } : given };
  }

  read(response: Document): RoundResult {
    if (this.#rounds === 0) this.#head = response;
    for (const item of readRecords(response["output"])) {
      this.#items.push(item);
      if (!this.#isSearchCall(item)) this.#output.push(this.#itemShown(item, () => new LinkedText(this.#known)));
    }
    this.#endResponse(response);
    return this.endRound();
  }

  #isSearchCall = (item: Document): boolean => item["type"] === "function_call" && item["name"] === this.#name;

  /** Returns an item with the texts shown to the client. @param textAt returns the text sent for a part */
  #itemShown(item: Document, textAt: (part: number) => LinkedText): Document {
    if (item["type"] !== "message" || !Array.isArray(item["content"])) return item;
    const content = (item["content"] as readonly unknown[]).map((part, index) => {
      if (!isRecord(part) || part["type"] !== "output_text") return part;
      const linked = textAt(index);
      if (linked.text === "") linked.push(readText(part["text"]) ?? "");
      linked.flush();
      return { ...part, text: linked.text, annotations: [...readRecords(part["annotations"]), ...linked.annotations] };
    });
    return { ...item, content };
  }

  event(data: Document): readonly Document[] {
    return this.#events(data).map((event) => this.#numberEvent(event));
  }

  #numberEvent(event: Document): Document {
    const sequence_number = this.#sequence;
    this.#sequence += 1;
    return { ...event, sequence_number };
  }

  #events(data: Document): readonly Document[] {
    const { type, output_index } = data;
    if (BEGINS.has(type)) return this.#openResponse(data);
    if (ENDS.has(type)) {
      this.#endResponse(readRecord(data["response"]));
      return [];
    }
    if (type === "response.output_item.added") return this.#addItem(data, readRecord(data["item"]));
    if (type === "response.output_item.done") return this.#done(data, readRecord(data["item"]));
    if (output_index === undefined) return [data];
    if (this.#hidden.has(output_index)) return [];
    return this.#within({ ...data, output_index: this.#places.get(output_index) ?? output_index });
  }

  #openResponse(data: Document): readonly Document[] {
    if (this.#rounds > 0) return [];
    this.#head = readRecord(data["response"]);
    return [{ ...data, response: this.#withRequestFields(this.#head) }];
  }

  /** Restores the client's own settings in the response's echo of its request. */
  #withRequestFields(response: Document): Document {
    const { tools, tool_choice, max_tool_calls, previous_response_id } = this.#request;
    return {
      ...response,
      ...(this.#head["id"] === undefined ? {} : { id: this.#head["id"], created_at: this.#head["created_at"] }),
      tools: toolsEchoed(tools),
      tool_choice: tool_choice ?? "auto",
      max_tool_calls: max_tool_calls ?? null,
      previous_response_id: previous_response_id ?? null,
    };
  }

  #addItem(data: Document, item: Document): readonly Document[] {
    if (this.#isSearchCall(item)) {
      this.#hidden.add(data["output_index"]);
      return [];
    }
    const output_index = this.#output.length;
    this.#places.set(data["output_index"], output_index);
    this.#output.push(item);
    return [{ ...data, output_index }];
  }

  #done(data: Document, item: Document): readonly Document[] {
    this.#items.push(item);
    if (this.#hidden.has(data["output_index"])) return [];
    const output_index = this.#places.get(data["output_index"]) ?? this.#output.length;
    const shown = this.#itemShown(item, (part) => this.#findText(output_index, part));
    this.#output[output_index] = shown;
    return [{ ...data, output_index, item: shown }];
  }

  #findText(index: unknown, part: unknown): LinkedText {
    const name = `${String(index)} ${String(part)}`;
    let text = this.#texts.get(name);
    if (text === undefined) {
      text = new LinkedText(this.#known);
      this.#texts.set(name, text);
    }
    return text;
  }

  #within(data: Document): readonly Document[] {
    const text = (): LinkedText => this.#findText(data["output_index"], data["content_index"]);
    switch (data["type"]) {
      case "response.output_text.delta":
        return this.#createTextEvents(data, text(), text().push(readText(data["delta"]) ?? ""));
      case "response.output_text.done": {
        const rest = this.#createTextEvents({ ...data, type: "response.output_text.delta" }, text(), text().flush());
        return [...rest, { ...data, text: text().text }];
      }
      case "response.content_part.done": {
        const part = readRecord(data["part"]);
        if (part["type"] !== "output_text") return [data];
        return [{ ...data, part: { ...part, text: text().text, annotations: text().annotations } }];
      }
      default:
        return [data];
    }
  }

  #createTextEvents(data: Document, whole: LinkedText, { text, annotations }: Linked): readonly Document[] {
    const { text: _whole, ...delta } = data;
    const { item_id, output_index, content_index } = data;
    const first = whole.annotations.length - annotations.length;
    return [
      ...(text === "" ? [] : [{ ...delta, delta: text }]),
      ...annotations.map((annotation, index) => ({
        type: "response.output_text.annotation.added",
        item_id,
        output_index,
        content_index,
        annotation_index: first + index,
        annotation,
      })),
    ];
  }

  #endResponse(response: Document): void {
    this.#last = response;
    this.#usage = sumUsage(this.#usage, response["usage"]);
  }

  endRound(): RoundResult {
    const items = this.#items;
    const searches = items
      .filter(this.#isSearchCall)
      .map((item): SearchCallMade => ({ id: String(item["call_id"]), query: readQuery(item["arguments"]) }));
    const calls = items.filter((item) => String(item["type"]).endsWith("_call"));
    this.#input.push(...items);
    this.#items = [];
    this.#places.clear();
    this.#hidden.clear();
    this.#texts.clear();
    this.#rounds += 1;
    return { searches, callsClient: calls.length > searches.length };
  }

  searching(call: SearchCallMade): readonly Document[] {
    const shown = { id: searchItemId(this.#deps.newId()), index: this.#output.length };
    this.#shown.set(call.id, shown);
    const item = { ...toItem(shown, call, "in_progress") };
    this.#output.push(item);
    const place = { item_id: shown.id, output_index: shown.index };
    return [
      { type: "response.output_item.added", output_index: shown.index, item },
      { type: "response.web_search_call.in_progress", ...place },
      { type: "response.web_search_call.searching", ...place },
    ].map((event) => this.#numberEvent(event));
  }

  addSearch(call: SearchCallMade, outcome: SearchOutcome): readonly Document[] {
    const shown = this.#shown.get(call.id) ?? { id: searchItemId(this.#deps.newId()), index: this.#output.length };
    const results = outcome.kind === "results" ? outcome.results : [];
    for (const result of results) this.#known.set(result.number, result);
    const output = outcome.kind === "results" ? resultsText(results) : outcome.message;
    this.#input.push({ type: "function_call_output", call_id: call.id, output });
    const wantsSources = Array.isArray(this.#body["include"]) && this.#body["include"].includes(SOURCES);
    const bare = toItem(shown, call, outcome.kind === "results" ? "completed" : "failed");
    const item = {
      ...bare,
      ...(wantsSources
        ? { action: { ...bare.action, sources: results.map(({ url }) => ({ type: "url", url })) } }
        : {}),
      // The round number and the results allow converting the history back.
      turn: this.#rounds,
      ...(outcome.kind === "results" ? { results } : { error: outcome.message }),
    };
    this.#output[shown.index] = item;
    if (this.#body["store"] !== false) this.#deps.items.keep([item]);
    const place = { item_id: shown.id, output_index: shown.index };
    return [
      ...(outcome.kind === "results" ? [{ type: "response.web_search_call.completed", ...place }] : []),
      { type: "response.output_item.done", output_index: shown.index, item },
    ].map((event) => this.#numberEvent(event));
  }

  whole(_paused: boolean, isCut: boolean): Document {
    const response = {
      ...this.#withRequestFields(this.#last),
      output: this.#output,
      usage: this.#usage,
      ...(isCut ? CUT : {}),
    };
    const { items, now } = this.#deps;
    keepResponse(response, this.#body, { items, now: now() });
    return response;
  }

  ending(paused: boolean, isCut: boolean): readonly Document[] {
    const response = this.whole(paused, isCut);
    const type = response["status"] === "incomplete" ? "response.incomplete" : "response.completed";
    return [this.#numberEvent({ type, response })];
  }
}

/** Status of a response that ran out of money; the same as for one that ran out of tokens. */
const CUT = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };

function toItem({ id }: Shown, call: SearchCallMade, status: string) {
  const { query } = call;
  return { type: "web_search_call", id, call_id: call.id, status, action: { type: "search", query: query ?? "" } };
}
