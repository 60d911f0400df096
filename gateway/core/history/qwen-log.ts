import { asRecord } from "../../lib/records.ts";
import { findCount, findMoment, findName } from "./history-entry.ts";
import type { HistoryTokens } from "./history-entry.ts";
import type { LoggedObject, ObjectForm } from "./object-log.ts";

/**
 * Session logs of Qwen Code, `projects/FOLDER/chats/SESSION.jsonl`: facts are from logs of 0.24.4 (2026-11-30) and from
 * ccusage (https://github.com/ccusage/ccusage, rust/adapters/qwen, 2026-11-30). Each response has a line
 * `qwen-code.api_response`, those of sub-agents too; logs of earlier versions have only the messages with their usage.
 */
export const qwenForm: ObjectForm = {
  agent: "qwen-code",
  marks: ["qwen-code.api_response", '"usageMetadata"'],
  read(line, state) {
    state.project ??= findName(line["cwd"]);
    const event = asRecord(asRecord(line["systemPayload"])["uiEvent"]);
    const hasEvent = event["event.name"] === "qwen-code.api_response";
    if (hasEvent) state.facts["events"] = true;
    else if (line["type"] !== "assistant" || state.facts["events"] === true) return [];
    const model = findName(hasEvent ? event["model"] : line["model"]);
    const at = findMoment(hasEvent ? event["event.timestamp"] : line["timestamp"]);
    const id = findName(hasEvent ? (event["response_id"] ?? line["uuid"]) : line["uuid"]);
    if (model === null || at === null || id === null) return [];
    const session = findName(line["sessionId"]) ?? state.place.stem;
    const tokens = hasEvent ? readEvent(event) : readUsage(asRecord(line["usageMetadata"]));
    const sidechain = hasEvent && findName(event["subagent_name"]) !== null;
    return [{ id, at, model, session, project: state.project ?? "", sidechain, tokens }];
  },
};

const readEvent = (event: LoggedObject): HistoryTokens =>
  sortTokens(
    findCount(event["input_token_count"]),
    findCount(event["cached_content_token_count"]),
    findCount(event["output_token_count"]),
    findCount(event["thoughts_token_count"]),
    findCount(event["total_token_count"]),
  );

const readUsage = (usage: LoggedObject): HistoryTokens =>
  sortTokens(
    findCount(usage["promptTokenCount"]),
    findCount(usage["cachedContentTokenCount"]),
    findCount(usage["candidatesTokenCount"]),
    findCount(usage["thoughtsTokenCount"]),
    findCount(usage["totalTokenCount"]),
  );

/** Servers with OpenAI's API count thoughts in the output, Google's own does not: the total says which. */
function sortTokens(input: number, cached: number, output: number, thoughts: number, total: number): HistoryTokens {
  const visible = total === input + output ? Math.max(0, output - thoughts) : output;
  return [Math.max(0, input - cached), cached, 0, 0, visible, thoughts];
}
