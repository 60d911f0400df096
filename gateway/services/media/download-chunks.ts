import type { Download } from "../../upstream/download.ts";
import type { UpstreamFailure } from "../../upstream/failure.ts";

/** So much may lie in memory while the disk is slower than the network. */
const MOST_WAITING = 1024 * 1024;

/**
 * A download as chunks to write, with back-pressure. Whoever stops taking them must abort the download.
 * @throws UpstreamFailure when it breaks off
 */
export async function* chunksOf(download: Download): AsyncGenerator<Buffer> {
  const waiting: Buffer[] = [];
  let size = 0;
  let end: "open" | "ended" | UpstreamFailure = "open";
  let wake = (): void => undefined;
  download.consume({
    onData: (chunk) => {
      waiting.push(chunk);
      size += chunk.length;
      if (size > MOST_WAITING) download.pause();
      wake();
    },
    onEnd: () => {
      end = "ended";
      wake();
    },
    onError: (failure) => {
      end = failure;
      wake();
    },
  });
  for (;;) {
    const chunk = waiting.shift();
    if (chunk !== undefined) {
      size -= chunk.length;
      if (size <= MOST_WAITING) download.resume();
      yield chunk;
      continue;
    }
    const ending = end as "open" | "ended" | UpstreamFailure;
    if (ending === "ended") return;
    if (ending !== "open") throw ending;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}
