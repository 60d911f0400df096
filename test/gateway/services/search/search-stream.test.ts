import { expect, it } from "vitest";
import type { Recipient } from "../../../../gateway/services/calls/client.ts";
import { messagesDialect } from "../../../../gateway/services/chat/dialects/messages.ts";
import { SearchStream } from "../../../../gateway/services/search/search-stream.ts";
import { systemClock } from "../../../../gateway/lib/clock.ts";

/** A client that writes down what it is sent. */
function client() {
  const seen: string[] = [];
  let drained = (): void => {};
  let room = true;
  const to: Recipient = {
    cancelled: false,
    onCancelled: () => undefined,
    keep: () => undefined,
    open: (headers) => void seen.push(`head ${JSON.stringify(headers)}`),
    write: (bytes) => {
      seen.push(String(bytes));
      return room;
    },
    onDrain: (listener) => (drained = listener),
    end: () => {
      seen.push("end");
      return Promise.resolve();
    },
    destroy: () => undefined,
  };
  const stream = new SearchStream(to, messagesDialect, { "x-more": "1" }, systemClock, null);
  return {
    seen,
    stream,
    fill: () => (room = false),
    drain: () => {
      room = true;
      drained();
    },
  };
}

it("makes one response of several turns", async () => {
  const { seen, stream } = client();
  // The event is there before the head was sent.
  stream.tell([{ type: "message_start" }]);
  expect(seen).toEqual([]);
  stream.open({ "x-postern-provider": "one" });
  expect(stream.write("event: of the provider\n\n")).toBe(true);
  await stream.end();
  stream.open({ "x-postern-provider": "two" });
  stream.tell([{ type: "message_stop" }]);
  await stream.close();
  expect(seen).toEqual([
    'head {"x-postern-provider":"one","x-more":"1"}',
    'event: message_start\ndata: {"type":"message_start"}\n\n',
    'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    "end",
  ]);
});

it("beats while a search takes its time, and passes on the heartbeats of a turn", () => {
  const { seen, stream } = client();
  stream.open({});
  stream.beat(systemClock.monotonic());
  stream.write(messagesDialect.heartbeat);
  expect(seen.slice(1)).toEqual([messagesDialect.heartbeat, messagesDialect.heartbeat]);
});

it("slows its turn down while the client reads slowly", () => {
  const { stream, fill, drain } = client();
  const drained: string[] = [];
  stream.open({});
  stream.onDrain(() => drained.push("on"));
  fill();
  stream.tell([{ type: "ping" }]);
  expect(stream.write("x")).toBe(false);
  drain();
  expect(drained).toEqual(["on"]);
  expect(stream.write("x")).toBe(true);
});
