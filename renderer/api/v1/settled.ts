import type { MediaView } from "../../../gateway/contract/media.ts";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { ControlClient } from "../client.ts";

/** Waits for a call's receipt and stored results, which appear shortly after its last byte. */

/** Milliseconds before each question. */
const RECEIPT_WAITS = [0, 60, 120, 250, 500, 1_000, 2_000];
/** Images and speech are finished after they were stopped, which takes up to a minute. */
const STOPPED_WAITS = [...RECEIPT_WAITS, ...Array.from({ length: 28 }, () => 2_000)];
/** Waits for media, in ms: results at a provider's address are fetched first. */
const MEDIA_WAITS = [0, 100, 200, 400, 700, 1_000, ...Array.from({ length: 28 }, () => 2_000)];
/** Max tries while nothing is being fetched: then no result will come. */
const PATIENT_TRIES = 8;
/** Max recent calls of one key that are searched. */
const LOOKED_THROUGH = 50;

type Wait = (milliseconds: number) => Promise<void>;
const wait: Wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Returns the receipt of a request; null if it has none, as for refusals. */
export async function waitForReceipt(
  client: ControlClient,
  key: string,
  requestId: string,
  pause: Wait = wait,
): Promise<Receipt | null> {
  for (const milliseconds of RECEIPT_WAITS) {
    await pause(milliseconds);
    try {
      const { data } = await client.call("listRequests", { limit: LOOKED_THROUGH, key });
      const receipt = data.find(({ id }) => id === requestId);
      if (receipt !== undefined) return receipt;
    } catch {
      return null;
    }
  }
  return null;
}

/**
 * Returns the receipt of a call that was stopped before its response started, when its id is unknown: the first one of
 * this key and model since the start. Null if none appears.
 * @param from Unix milliseconds
 */
export async function receiptOfStopped(
  client: ControlClient,
  key: string,
  { model, from }: { readonly model: string; readonly from: number },
  pause: Wait = wait,
): Promise<Receipt | null> {
  for (const milliseconds of STOPPED_WAITS) {
    await pause(milliseconds);
    try {
      const { data } = await client.call("listRequests", { limit: LOOKED_THROUGH, key, model });
      const receipt = data.findLast(({ at }) => at >= from);
      if (receipt !== undefined) return receipt;
    } catch {
      return null;
    }
  }
  return null;
}

/**
 * Returns the results of a request from the library, in order of creation.
 * @param expected number of results, unless fewer could be stored
 */
export async function waitForMedia(
  client: ControlClient,
  key: string,
  requestId: string,
  expected: number,
  pause: Wait = wait,
): Promise<readonly MediaView[]> {
  let found: readonly MediaView[] = [];
  for (const [tries, milliseconds] of MEDIA_WAITS.entries()) {
    await pause(milliseconds);
    try {
      const { data, pending } = await client.call("listMedia", { limit: LOOKED_THROUGH, key });
      found = data.filter(({ origin }) => origin?.request_id === requestId).toReversed();
      if (found.length >= expected || (tries >= PATIENT_TRIES && pending === 0)) return found;
    } catch {
      return found;
    }
  }
  return found;
}
