import { findCount, findMoment, findName } from "./history-entry.ts";
import type { ObjectForm } from "./object-log.ts";

/**
 * Sessions of Goose, rows of `sessions.db`, which has only the sum of each session: facts are from the schema of 1.35
 * and from ccusage (https://github.com/ccusage/ccusage, rust/adapters/goose, 2026-11-30). No real database was at hand.
 */
export const gooseForm: ObjectForm = {
  agent: "goose",
  marks: ['"goose_session"'],
  read(session) {
    const [id, model] = [findName(session["goose_session"]), findName(session["model"])];
    const created = findName(session["created"]);
    const at = findMoment(created === null ? null : created.replace(/^(\S+) ([\d:.]+)$/, "$1T$2Z"));
    if (id === null || model === null || at === null) return [];
    const [input, output] = [findCount(session["input"]), findCount(session["output"])];
    const reasoning = Math.max(0, findCount(session["total"]) - input - output);
    const tokens = [input, 0, 0, 0, output, reasoning] as const;
    return [{ id, at, model, session: id, project: findName(session["folder"]) ?? "", tokens }];
  },
};

export const GOOSE_ROWS = `
  SELECT json_object('goose_session', id, 'created', created_at, 'folder', working_dir,
    'model', json_extract(CASE WHEN json_valid(model_config_json) THEN model_config_json END, '$.model_name'),
    'input', coalesce(accumulated_input_tokens, input_tokens), 'output', coalesce(accumulated_output_tokens, output_tokens),
    'total', coalesce(accumulated_total_tokens, total_tokens)) AS line
  FROM sessions ORDER BY created_at DESC`;
