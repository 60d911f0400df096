import { hasDuration, hasFailed } from "../../../../gateway/contract/ending.ts";
import type { Sort } from "../../../../gateway/contract/list.ts";
import { matchesRequest, type Search } from "../../../../gateway/contract/matches-request.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { pickFigure, getFigures } from "../../../../gateway/contract/request-figures.ts";
import { ActivityBuckets } from "../../../../gateway/core/usage/activity-buckets.ts";
import { durationBucket } from "../../../../gateway/core/usage/durations.ts";
import { nodeStoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import { receiptsOn, type Settled } from "../receipts-on.ts";

/** All receipts of the log, the newest first. @param folder of the data */
export const receiptsIn = (folder: string): Promise<Settled[]> => receiptsOn(nodeStoreFs, folder);

export const matching = (settled: readonly Settled[], search: Search): Receipt[] =>
  settled.map(({ receipt }) => receipt).filter((receipt) => matchesRequest(receipt, search));

/** The same in the order of a figure. */
export function sortedBy(receipts: readonly Receipt[], { by, order }: Sort): Receipt[] {
  const rank = (receipt: Receipt): number => {
    const figure = pickFigure(getFigures(receipt), by);
    if (figure === null || !Number.isFinite(figure)) return -Number.MAX_VALUE;
    return order === "desc" ? figure : -figure;
  };
  return receipts.toSorted((a, b) => rank(b) - rank(a));
}

/** What was settled from one moment to another, in buckets. */
export function activityOf(receipts: readonly Receipt[], from: number, to: number): ActivityBuckets {
  const buckets = new ActivityBuckets(from, to);
  for (const receipt of receipts) {
    const duration = hasDuration(receipt) ? durationBucket(receipt.ms) : null;
    const nano = receipt.sandbox ? 0 : (receipt.nano ?? 0);
    const bucket = Math.floor((receipt.at - buckets.from) / buckets.length);
    buckets.add([bucket, duration, 1, hasFailed(receipt) ? 1 : 0, nano]);
  }
  return buckets;
}
