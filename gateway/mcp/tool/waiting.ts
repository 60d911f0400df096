import type { Clock } from "../../lib/clock.ts";
import type { Later } from "../../lib/later.ts";
import type { Progress } from "./progress.ts";

/** Shorter than the time after which clients give up on a silent call (60 s in the SDKs). */
const BEAT_MS = 5_000;

/**
 * Reports how long a provider has been working, if it reports no progress. Progress is in seconds.
 * @param description, e.g. `gpt-image-1 draws`.
 */
export async function whileWaiting<T>(
  { clock, later }: { readonly clock: Clock; readonly later: Later },
  progress: Progress,
  what: string,
  work: Promise<T>,
): Promise<T> {
  if (!progress.isRequested) return work;
  const startedAt = clock.monotonic();
  let cancel = (): void => {};
  const beat = (): void => {
    const seconds = Math.round((clock.monotonic() - startedAt) / 1_000);
    progress.report({ progress: seconds, message: `${what}: ${seconds} s` });
    cancel = later(BEAT_MS, beat);
  };
  beat();
  try {
    return await work;
  } finally {
    cancel();
  }
}
