import { asList, asRecord, isRecord } from "../../lib/records.ts";
import { findCount, findMoment, findName } from "./history-entry.ts";
import type { LogState, LoggedObject, LoggedResponse, ObjectForm } from "./object-log.ts";

/** A folder that is named after the hash of its project's path. */
const HASHED = /^[0-9a-f]{64}$/;

/**
 * Session logs of Gemini CLI, `tmp/PROJECT/chats/session-….jsonl`, before 0.5x one JSON document each: facts are from
 * logs of 0.61 (2026-11-30) and from ccusage (https://github.com/ccusage/ccusage, rust/adapters/gemini, 2026-11-30). A
 * response is written again with its tool calls, under the same id. Its input has the cached tokens in it, its output
 * has no thoughts.
 */
export const geminiForm: ObjectForm = {
  agent: "gemini-cli",
  marks: ['"tokens"', '"sessionId"'],
  read(object, state) {
    state.session ??= findName(object["sessionId"]);
    const messages = object["messages"] ?? asRecord(object["$set"])["messages"];
    const all = Array.isArray(messages) ? asList(messages) : [object];
    return all.filter(isRecord).flatMap((message) => readMessage(message, state) ?? []);
  },
};

function readMessage(message: LoggedObject, { session, place }: LogState): LoggedResponse | null {
  const { type, tokens } = message;
  const [id, model, at] = [findName(message["id"]), findName(message["model"]), findMoment(message["timestamp"])];
  if (type !== "gemini" || !isRecord(tokens) || id === null || model === null || at === null) return null;
  const cached = findCount(tokens["cached"]);
  const [folder = ""] = place.folders;
  return {
    id,
    at,
    model,
    session: session ?? place.stem,
    project: HASHED.test(folder) ? "" : folder,
    tokens: [
      Math.max(0, findCount(tokens["input"]) - cached) + findCount(tokens["tool"]),
      cached,
      0,
      0,
      findCount(tokens["output"]),
      findCount(tokens["thoughts"]),
    ],
  };
}
