import { describe, expect, it } from "vitest";
import { bodyChunks } from "../../../gateway/upstream/body-chunks.ts";
import { UpstreamFailure } from "../../../gateway/upstream/failure.ts";
import type { BodySink } from "../../../gateway/upstream/decode.ts";

/** A body that the test lets arrive. */
class Arriving {
  sink: BodySink = { onData() {}, onEnd() {}, onError() {} };
  paused = 0;
  resumed = 0;
  consume(sink: BodySink): void {
    this.sink = sink;
  }
  pause(): void {
    this.paused += 1;
  }
  resume(): void {
    this.resumed += 1;
  }
}

async function all(chunks: AsyncIterable<Buffer>): Promise<string[]> {
  const texts: string[] = [];
  for await (const chunk of chunks) texts.push(chunk.toString());
  return texts;
}

describe("the chunks of a body", () => {
  it("come in order, those from before they were taken and those from after", async () => {
    const body = new Arriving();
    const received = all(bodyChunks(body));
    body.sink.onData(Buffer.from("a"));
    body.sink.onData(Buffer.from("b"));
    await new Promise((resolve) => setImmediate(resolve));
    body.sink.onData(Buffer.from("c"));
    body.sink.onEnd();
    expect(await received).toEqual(["a", "b", "c"]);
  });

  it("end with the failure that ended the body, after what had come", async () => {
    const body = new Arriving();
    const chunks = bodyChunks(body);
    const first = chunks.next();
    body.sink.onData(Buffer.from("a"));
    body.sink.onError(new UpstreamFailure("broken", true, "it broke off"));
    expect((await first).value?.toString()).toBe("a");
    await expect(chunks.next()).rejects.toMatchObject({ kind: "broken" });
  });

  it("slow the sender down while they are not taken", async () => {
    const body = new Arriving();
    const chunks = bodyChunks(body);
    const first = chunks.next();
    for (let index = 0; index < 3; index += 1) body.sink.onData(Buffer.alloc(600_000));
    expect(body.paused).toBe(1);
    await first;
    expect(body.resumed).toBe(0);
    await chunks.next();
    expect(body.resumed).toBe(1);
  });
});
