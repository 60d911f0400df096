import { matchesRequest, getSearch } from "../../../gateway/contract/matches-request.ts";
import { hasFailed } from "../../../gateway/contract/ending.ts";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { pickFigure, getFigures } from "../../../gateway/contract/request-figures.ts";
import { listRequestsSchema, type RequestActivity, type RequestPage } from "../../../gateway/contract/requests.ts";
import { requestFilterSchema } from "../../../gateway/contract/list.ts";
import { ActivityBuckets } from "../../../gateway/core/usage/activity-buckets.ts";
import { durationBucket } from "../../../gateway/core/usage/durations.ts";
import type { FakeControl } from "./fake-control.ts";

const DAY = 86_400_000;

/** What the gateway says of the fake's requests as a whole; undefined for another question. */
export function figuresResponse(fake: FakeControl, address: URL): RequestPage | RequestActivity | undefined {
  const query = Object.fromEntries(address.searchParams);
  if (address.pathname === "/control/requests" && query["by"] !== undefined) return sortRequests(fake, query);
  return address.pathname === "/control/requests/activity" ? activityOf(fake, query) : undefined;
}

function sortRequests({ receipts, connections }: FakeControl, query: Readonly<Record<string, string>>): RequestPage {
  const { by = "cost", order = "desc", limit = 50, before: _, ...filter } = listRequestsSchema.parse(query);
  const search = getSearch(filter, connections);
  const matching = receipts.filter((receipt) => matchesRequest(receipt, search));
  const figure = (receipt: Receipt): number => {
    const value = pickFigure(getFigures(receipt), by);
    return value === null ? Number.NEGATIVE_INFINITY : order === "desc" ? value : -value;
  };
  const data = matching.toSorted((a, b) => figure(b) - figure(a)).slice(0, limit);
  return { data, cursor: null, complete: true, rebuilding: null };
}

function activityOf({ receipts, connections }: FakeControl, query: Readonly<Record<string, string>>): RequestActivity {
  const filter = requestFilterSchema.parse(query);
  const to = filter.until ?? Date.now() + 1;
  const from = filter.since ?? to - DAY;
  const buckets = new ActivityBuckets(from, to);
  const search = getSearch({ ...filter, since: from, until: to }, connections);
  let [total, failures] = [0, 0];
  for (const receipt of receipts) {
    if (!matchesRequest(receipt, search)) continue;
    const failed = hasFailed(receipt);
    const duration = receipt.outcome === "completed" ? durationBucket(receipt.ms) : null;
    const bucket = Math.floor((receipt.at - buckets.from) / buckets.length);
    buckets.add([bucket, duration, 1, failed ? 1 : 0, receipt.sandbox ? 0 : (receipt.nano ?? 0)]);
    total += 1;
    if (failed) failures += 1;
  }
  const list = buckets.list();
  const state = { complete: true, rebuilding: null };
  return { from, to, bucket_ms: buckets.length, buckets: list, total, failed: failures, ...state };
}
