import { resultsText } from "../../core/search/search-result.ts";
import type { NumberedResult } from "../../core/search/search-result.ts";
import { asList, isRecord } from "../../lib/records.ts";
import { readNumber, readRecord, readRecords, readText } from "../messages-to-chat/fields.ts";
import type { Document } from "../translation.ts";
import { SEARCH_MARK } from "./search-fields.ts";
import type { HistoryForm } from "./messages-history.ts";

const OURS = `ws_${SEARCH_MARK}_`;

export const searchItemId = (id: string): string => OURS + id;

/** Replaces the results if a client keeps only the query of a search. */
const LOST = "The results are not kept. What was said after it rests on them.";

interface Read {
  readonly items: readonly unknown[];
  /** All that was found, by number. */
  readonly results: ReadonlyMap<number, NumberedResult>;
}

/**
 * Converts `web_search_call` items in the `input` of a Responses request to plain calls and outputs. Clients that
 * return complete items include the results of Postern's searches; other searches only have the query.
 * @param all whether to convert OpenAI's too; if false, they are unchanged
 */
export function plainItems(input: unknown, form: HistoryForm, all: boolean): Read {
  const items = typeof input === "string" ? [{ type: "message", role: "user", content: input }] : asList(input);
  const read: unknown[] = [];
  let outputs: Document[] = [];
  let turn: unknown;
  const known = new Map<number, NumberedResult>();
  let lastNumber = 0;
  for (const item of items) {
    const isSearch = isRecord(item) && item["type"] === "web_search_call" && (all || isOurs(item));
    if (!isSearch) {
      for (const output of outputs) read.push(output);
      read.push(item);
      outputs = [];
      continue;
    }
    // Adjacent searches belong to one round, unless their fields differ.
    if (item["turn"] !== turn) for (const output of outputs.splice(0)) read.push(output);
    turn = item["turn"];
    const results = readResults(item, lastNumber);
    for (const result of results) {
      known.set(result.number, result);
      lastNumber = Math.max(lastNumber, result.number);
    }
    const query = readQuery(item);
    const output = Array.isArray(item["results"]) ? resultsText(results) : (readText(item["error"]) ?? LOST);
    if (form.kind === "text") {
      const text = `Web search for "${query}":\n${output}`;
      read.push({ type: "message", role: "assistant", content: [{ type: "output_text", text, annotations: [] }] });
      continue;
    }
    const callId = readText(item["call_id"]) ?? readText(item["id"]) ?? `ws_${read.length}`;
    read.push({ type: "function_call", call_id: callId, name: form.name, arguments: JSON.stringify({ query }) });
    outputs.push({ type: "function_call_output", call_id: callId, output });
  }
  return { items: [...read, ...outputs], results: known };
}

const isOurs = (item: Document): boolean =>
  (readText(item["id"]) ?? "").startsWith(OURS) || Array.isArray(item["results"]);

function readQuery(item: Document): string {
  const action = readRecord(item["action"]);
  const queries = asList(action["queries"]).filter((one) => typeof one === "string");
  return readText(action["query"]) ?? (queries.join("; ") || (readText(action["url"]) ?? ""));
}

function readResults(item: Document, lastNumber: number): readonly NumberedResult[] {
  return readRecords(item["results"]).map((result, index) => ({
    number: readNumber(result["number"]) ?? lastNumber + index + 1,
    title: readText(result["title"]) ?? "",
    url: readText(result["url"]) ?? "",
    snippet: readText(result["snippet"]) ?? "",
    age: readText(result["age"]),
  }));
}
