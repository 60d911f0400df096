import { expect, it } from "vitest";
import { chunksOf } from "../../../../gateway/services/media/download-chunks.ts";
import type { Download } from "../../../../gateway/upstream/download.ts";
import { UpstreamFailure } from "../../../../gateway/upstream/failure.ts";
import type { BodySink } from "../../../../gateway/upstream/transfer.ts";

const CHUNK = 256 * 1024;

/** A download that the test feeds by hand. */
class HandFed implements Download {
  readonly contentType = "image/png";
  sink: BodySink | null = null;
  paused = false;
  collect(): Promise<Buffer> {
    return Promise.reject(new Error("nobody collects this"));
  }
  consume(sink: BodySink): void {
    this.sink = sink;
  }
  pause(): void {
    this.paused = true;
  }
  resume(): void {
    this.paused = false;
  }
  abort(): void {}
}

/** Begins to read; the download's body is taken with the first chunk that is asked for. */
function begin(): { download: HandFed; chunks: AsyncGenerator<Buffer>; first: Promise<IteratorResult<Buffer>> } {
  const download = new HandFed();
  const chunks = chunksOf(download);
  return { download, chunks, first: chunks.next() };
}

it("gives the chunks in order, and ends with the download", async () => {
  const { download, chunks, first } = begin();
  download.sink?.onData(Buffer.from("a"));
  download.sink?.onData(Buffer.from("b"));
  expect((await first).value?.toString()).toBe("a");
  expect((await chunks.next()).value?.toString()).toBe("b");
  const last = chunks.next();
  download.sink?.onEnd();
  expect(await last).toEqual({ done: true, value: undefined });
});

it("holds the network back while the disk is slower", async () => {
  const { download, chunks, first } = begin();
  for (let index = 0; index < 6; index += 1) download.sink?.onData(Buffer.alloc(CHUNK));
  expect(download.paused).toBe(true);
  await first;
  expect(download.paused).toBe(true);
  await chunks.next();
  expect(download.paused).toBe(false);
});

it("gives what came before a failure, then throws it", async () => {
  const { download, chunks, first } = begin();
  download.sink?.onData(Buffer.from("a"));
  download.sink?.onError(new UpstreamFailure("broken", true, "it broke off"));
  expect((await first).value?.toString()).toBe("a");
  await expect(chunks.next()).rejects.toThrow("it broke off");
});
