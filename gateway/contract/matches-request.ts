import type { Receipt } from "./receipt.ts";
import type { RequestFilter } from "./requests.ts";

/** Whether a filter lets a receipt in: the gateway and the pages ask the same. */
export function matchesRequest(receipt: Receipt, filter: Partial<RequestFilter>): boolean {
  const { key, model, vendor, client, endpoint, outcome, status, since, until, q } = filter;
  return (
    (key === undefined || receipt.key === key) &&
    (model === undefined || receipt.model === model) &&
    (vendor === undefined || receipt.vendor === vendor) &&
    (client === undefined || receipt.client === client) &&
    (endpoint === undefined || receipt.endpoint === endpoint) &&
    (outcome === undefined || receipt.outcome === outcome) &&
    (status === undefined || `${Math.floor(receipt.status / 100)}xx` === status) &&
    (since === undefined || receipt.at >= since) &&
    (until === undefined || receipt.at < until) &&
    (q === undefined || receipt.id.includes(q))
  );
}
