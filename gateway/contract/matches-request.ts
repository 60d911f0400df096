import type { Receipt } from "./receipt.ts";
import type { RequestFilter, RunningRequest } from "./requests.ts";

/** Whether a filter lets a receipt in: the gateway and the pages ask the same. */
export function matchesRequest(receipt: Receipt, filter: Partial<RequestFilter>): boolean {
  const { outcome, status, since } = filter;
  return (
    matchesCall(receipt, filter) &&
    (outcome === undefined || receipt.outcome === outcome) &&
    (status === undefined || `${Math.floor(receipt.status / 100)}xx` === status) &&
    (since === undefined || receipt.at >= since)
  );
}

/** Whether the log with this filter shows a request that runs: it has no status and no outcome, and ends after now. */
export function matchesRunning(request: RunningRequest, filter: Partial<RequestFilter>): boolean {
  return filter.outcome === undefined && filter.status === undefined && matchesCall(request, filter);
}

/** What a request has before it is over. */
function matchesCall(call: Receipt | RunningRequest, filter: Partial<RequestFilter>): boolean {
  const { key, model, provider, connection, client, endpoint, until, q } = filter;
  return (
    (key === undefined || call.key === key) &&
    (model === undefined || call.model === model) &&
    (provider === undefined || call.provider === provider) &&
    (connection === undefined || call.connection === connection) &&
    (client === undefined || call.client === client) &&
    (endpoint === undefined || call.endpoint === endpoint) &&
    (until === undefined || call.at < until) &&
    (q === undefined || call.id.includes(q))
  );
}
