import { asRecord } from "../../lib/records.ts";
import { findCount, findMoment, findName } from "./history-entry.ts";
import type { HistoryTokens } from "./history-entry.ts";
import type { LogState, LoggedObject, LoggedResponse, ObjectForm } from "./object-log.ts";

/**
 * Session logs of GitHub Copilot CLI, `session-state/SESSION/events.jsonl`: facts are from logs of 1.0.102 (2026-11-30)
 * and from ccusage (https://github.com/ccusage/ccusage, rust/adapters/copilot, 2026-11-30). Each response has a line
 * `session.usage_record`. Logs of earlier versions have only the sums of `session.shutdown`, which go on where a session
 * was resumed. Input has the tokens that were read from and written to the cache in it, output has the reasoning in it.
 */
export const copilotForm: ObjectForm = {
  agent: "copilot-cli",
  marks: ['"session.start"', '"session.resume"', '"session.usage_record"', '"session.shutdown"'],
  read(event, state) {
    const data = asRecord(event["data"]);
    const at = findMoment(event["timestamp"]);
    state.session ??= findName(data["sessionId"]) ?? state.place.folders.at(-1) ?? null;
    state.project = findName(asRecord(data["context"])["cwd"]) ?? state.project;
    if (at === null) return [];
    if (event["type"] === "session.usage_record") return readRecord(asRecord(data["usage"]), event, at, state);
    return event["type"] === "session.shutdown" && state.facts["records"] !== true ? readSums(data, at, state) : [];
  },
};

function readRecord(usage: LoggedObject, event: LoggedObject, at: number, state: LogState): LoggedResponse[] {
  state.facts["records"] = true;
  const model = findName(usage["model"]);
  const id = findName(asRecord(usage["accounting"])["usageId"]) ?? findName(event["id"]);
  return model === null || id === null ? [] : [makeResponse(id, at, model, readTokens(usage), state)];
}

/** Reads what the models of a session have used since the last sums. */
function readSums({ modelMetrics }: LoggedObject, at: number, state: LogState): LoggedResponse[] {
  const responses: LoggedResponse[] = [];
  for (const [model, metrics] of Object.entries(asRecord(modelMetrics))) {
    const tokens = readTokens(asRecord(asRecord(metrics)["usage"]));
    const before = state.facts[model];
    state.facts[model] = tokens;
    const id = `${state.session} ${model} ${at}`;
    responses.push(makeResponse(id, at, model.replace(/-1m(?:-internal)?$/, ""), subtract(tokens, before), state));
  }
  return responses;
}

/** Lower sums than before start from zero. */
function subtract(tokens: HistoryTokens, before: unknown): HistoryTokens {
  if (!Array.isArray(before)) return tokens;
  const growth = tokens.map((count, index) => count - findCount(before[index]));
  return growth.some((count) => count < 0) ? tokens : (growth as unknown as HistoryTokens);
}

const makeResponse = (
  id: string,
  at: number,
  model: string,
  tokens: HistoryTokens,
  { session, project }: LogState,
): LoggedResponse => ({ id, at, model, session: session ?? "", project: project ?? "", tokens });

function readTokens(usage: LoggedObject): HistoryTokens {
  const [cached, written] = [findCount(usage["cacheReadTokens"]), findCount(usage["cacheWriteTokens"])];
  const reasoning = findCount(usage["reasoningTokens"]);
  return [
    Math.max(0, findCount(usage["inputTokens"]) - cached - written),
    cached,
    written,
    0,
    Math.max(0, findCount(usage["outputTokens"]) - reasoning),
    reasoning,
  ];
}
