import { getAppName } from "./apps.ts";
import { hasFailed } from "./ending.ts";
import { FILTER_FIELDS } from "./filter-fields.ts";
import type { FilterField } from "./filter-fields.ts";
import type { RequestFilter } from "./list.ts";
import type { Receipt } from "./receipt.ts";
import type { RunningRequest } from "./requests.ts";

/** Fields that are compared as they are; the client is compared by its app. */
const FIELDS = (Object.keys(FILTER_FIELDS) as readonly FilterField[]).filter((name) => name !== "client");

/** A filter with data that depends on the connections. */
export interface Search extends Partial<RequestFilter> {
  /** Ids of the connections whose name has `q` in it. */
  readonly named?: readonly string[];
  /** Requested names to match: the route's if the request has one, else the model's. */
  readonly asked?: readonly string[];
  /** Ids of the requests whose recording contains `q`. */
  readonly recorded?: ReadonlySet<string>;
}

/** Makes `q` match connection names too, as receipts only have ids. */
export function getSearch(
  filter: Partial<RequestFilter>,
  connections: readonly { readonly id: string; readonly name: string }[],
): Search {
  const { q } = filter;
  if (q === undefined) return filter;
  return { ...filter, named: connections.filter(({ name }) => contains(name, q.toLowerCase())).map(({ id }) => id) };
}

/** @param low in lower case */
const contains = (text: string, low: string): boolean => text.toLowerCase().includes(low);

/** Fields of a request that filters use. */
export type Filtered = Pick<Receipt, FilterField | "id" | "at" | "outcome" | "status" | "code"> &
  Pick<Partial<Receipt>, "route">;

/** Whether a filter lets a receipt in: the gateway and the pages ask the same. */
export function matchesRequest(receipt: Filtered, filter: Search): boolean {
  const { outcome, status, since } = filter;
  return (
    matchesCall(receipt, filter) &&
    (outcome === undefined || receipt.outcome === outcome) &&
    (status === undefined || hasStatus(receipt, status)) &&
    (since === undefined || receipt.at >= since)
  );
}

function hasStatus(receipt: Filtered, wanted: NonNullable<RequestFilter["status"]>): boolean {
  return wanted === "failed" ? hasFailed(receipt) : `${Math.floor(receipt.status / 100)}xx` === wanted;
}

/** Tells whether a running request matches the filter: it has no status and no outcome, and its time is now. */
export function matchesRunning(request: RunningRequest, filter: Search): boolean {
  return filter.outcome === undefined && filter.status === undefined && matchesCall(request, filter);
}

/** Matches the fields that a running request has. */
function matchesCall(call: Filtered | RunningRequest, filter: Search): boolean {
  const { asked, until, q } = filter;
  return (
    FIELDS.every((name) => filter[name] === undefined || call[name] === filter[name]) &&
    (filter.client === undefined || getAppName(call.client) === getAppName(filter.client)) &&
    (asked === undefined || asked.includes(getRoute(call) || call.model)) &&
    (until === undefined || call.at < until) &&
    (q === undefined || filter.recorded?.has(call.id) === true || isFound(call, q.toLowerCase(), filter.named ?? []))
  );
}

function isFound(call: Filtered | RunningRequest, low: string, named: readonly string[]): boolean {
  const code = "code" in call ? (call.code ?? "") : "";
  const route = getRoute(call);
  const { session = "", project = "" } = call;
  return (
    named.includes(call.connection) ||
    [call.id, call.model, call.client, getAppName(call.client), code, call.provider, route, session, project].some(
      (text) => contains(text, low),
    )
  );
}

/** Empty if it used no route. */
function getRoute(call: Filtered | RunningRequest): string {
  return "route" in call ? (call.route?.name ?? "") : "";
}
