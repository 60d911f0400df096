import { getAppName } from "../../contract/apps.ts";
import type { Filtered } from "../../contract/matches-request.ts";
import type { Totals } from "../../contract/totals.ts";
import { addNano } from "../../lib/money.ts";
import { folderName } from "../sessions/working-folder.ts";
import { getLoggingAgent } from "./agents.ts";
import type { HistoryEntry } from "./history-entry.ts";

/**
 * The request of a logged response, with the names that its receipt would have: Postern gave it no key and no connection.
 * @param ids of models by their names in logs
 */
export function getRequest(
  { key, at, model, agent, session, project }: HistoryEntry,
  ids: Readonly<Record<string, string>>,
): Filtered {
  return {
    id: key,
    at,
    key: "",
    model: ids[model] ?? model,
    provider: "",
    connection: "",
    client: getAppName(agent),
    endpoint: getLoggingAgent(agent).endpoint,
    session,
    project: folderName(project) ?? project,
    outcome: "completed",
    status: 200,
    code: null,
  };
}

/** Adds a logged response to sums, as `addReceipt` adds a receipt. @param nano null: no price is known */
export function addEntry(totals: Totals, { tokens }: Pick<HistoryEntry, "tokens">, nano: number | null): void {
  const [input, cached, write, writeHour, output, reasoning] = tokens;
  totals.requests += 1;
  if (nano === null) totals.unpriced_requests += 1;
  else totals.nano = addNano(totals.nano, nano);
  totals.input_tokens += input + cached + write + writeHour;
  totals.cached_input_tokens += cached;
  totals.output_tokens += output + reasoning;
  totals.reasoning_tokens += reasoning;
}
