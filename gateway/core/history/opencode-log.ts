import { asRecord } from "../../lib/records.ts";
import { findCount, findName } from "./history-entry.ts";
import type { ObjectForm } from "./object-log.ts";

/**
 * Messages of opencode, rows of `opencode.db`, and of early versions files `storage/message/SESSION/MESSAGE.json` of the
 * same form: facts are from a database of 1.18.33 (2026-11-30) and from ccusage (https://github.com/ccusage/ccusage,
 * rust/adapters/opencode, 2026-11-30). Input has no cached tokens in it, output no reasoning.
 */
export const opencodeForm: ObjectForm = {
  agent: "opencode",
  marks: ['"assistant"'],
  read(message) {
    const [tokens, time, path] = ["tokens", "time", "path"].map((name) => asRecord(message[name]));
    const [id, model] = [findName(message["id"]), findName(message["modelID"])];
    const at = findCount(time?.["created"]);
    if (message["role"] !== "assistant" || id === null || model === null || at === 0) return [];
    const cache = asRecord(tokens?.["cache"]);
    return [
      {
        id,
        at,
        model,
        session: findName(message["sessionID"]) ?? "",
        project: findName(path?.["cwd"]) ?? findName(path?.["root"]) ?? "",
        tokens: [
          findCount(tokens?.["input"]),
          findCount(cache["read"]),
          findCount(cache["write"]),
          0,
          findCount(tokens?.["output"]),
          findCount(tokens?.["reasoning"]),
        ],
      },
    ];
  },
};

/** Selects the messages of models, newest first, each as the JSON that the files had. */
export const OPENCODE_ROWS = `
  SELECT json_object('id', id, 'sessionID', session_id, 'role', 'assistant', 'modelID', json_extract(valid, '$.modelID'),
    'path', json_extract(valid, '$.path'), 'time', json_extract(valid, '$.time'), 'tokens', json_extract(valid, '$.tokens')) AS line
  FROM (SELECT id, session_id, time_created, CASE WHEN json_valid(data) THEN data ELSE '{}' END AS valid FROM message)
  WHERE json_extract(valid, '$.role') = 'assistant' ORDER BY time_created DESC`;
