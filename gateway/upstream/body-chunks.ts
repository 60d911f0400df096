import type { UpstreamFailure } from "./failure.ts";
import type { BodySink } from "./decode.ts";

/** So much may lie in memory while its taker is slower than the network. */
const MOST_WAITING = 1024 * 1024;

/** A body that arrives: an Exchange or a Download. */
interface Body {
  consume(sink: BodySink): void;
  pause(): void;
  resume(): void;
}

/**
 * A body as chunks to take one after another; while they are not taken, the sender waits. Who stops taking them must
 * abort the body.
 * @throws UpstreamFailure when it breaks off.
 */
export async function* bodyChunks(body: Body): AsyncGenerator<Buffer, void, undefined> {
  const waiting: Buffer[] = [];
  let size = 0;
  let paused = false;
  let end: "ended" | UpstreamFailure | null = null;
  let wake = (): void => {};
  const ended = (how: "ended" | UpstreamFailure): void => {
    end = how;
    wake();
  };
  body.consume({
    onData: (chunk) => {
      waiting.push(chunk);
      size += chunk.length;
      if (size > MOST_WAITING && !paused) {
        paused = true;
        body.pause();
      }
      wake();
    },
    onEnd: () => ended("ended"),
    onError: ended,
  });
  for (;;) {
    const chunk = waiting.shift();
    if (chunk === undefined) {
      const how = end as "ended" | UpstreamFailure | null;
      if (how === "ended") return;
      if (how !== null) throw how;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    size -= chunk.length;
    if (paused && size <= MOST_WAITING) {
      paused = false;
      body.resume();
    }
    yield chunk;
  }
}
