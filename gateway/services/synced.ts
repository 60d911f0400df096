import { StoreWriteError } from "../store/store.ts";
import type { Store } from "../store/store.ts";

/**
 * Before sums are shown: makes them safe from a power cut, so that nothing that was told is taken back. While the disk
 * refuses writes, sums are still shown: reading goes on, and the state says what is wrong.
 */
export async function syncedIfPossible(store: Store): Promise<void> {
  try {
    await store.usage.synced();
  } catch (error) {
    if (!(error instanceof StoreWriteError)) throw error;
  }
}
