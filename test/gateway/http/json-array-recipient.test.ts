import fc from "fast-check";
import { expect, it } from "vitest";
import { JsonArrayRecipient } from "../../../gateway/http/json-array-recipient.ts";
import type { Recipient } from "../../../gateway/services/calls/client.ts";

/** What a client of a stream without `alt=sse` gets of these bytes. */
async function received(pieces: readonly (Buffer | string)[]): Promise<{ text: string; type: unknown }> {
  let text = "";
  let type: unknown;
  const to: Recipient = {
    cancelled: false,
    onCancelled: () => undefined,
    keep: () => undefined,
    open: (headers) => (type = headers["content-type"]),
    write: (bytes) => {
      text += bytes.toString();
      return true;
    },
    onDrain: () => undefined,
    end: async () => undefined,
    destroy: () => undefined,
  };
  const recipient = new JsonArrayRecipient(to);
  recipient.open({ "content-type": "text/event-stream" });
  for (const piece of pieces) recipient.write(piece);
  await recipient.end();
  return { text, type };
}

it("is one array of the events, wherever the stream was cut, with heartbeats and comments between them", async () => {
  const events = fc.array(fc.dictionary(fc.string(), fc.string({ unit: "grapheme" })), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(events, fc.array(fc.nat()), fc.constantFrom("\n\n", "\r\n\r\n"), async (items, cuts, blank) => {
      const bytes = Buffer.from(items.map((item) => `data: ${JSON.stringify(item)}${blank}: comment${blank}`).join(""));
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
      const pieces = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
      const { text, type } = await received(["\n", ...pieces, "\n"]);
      expect([JSON.parse(text), type]).toEqual([items, "application/json; charset=UTF-8"]);
    }),
  );
});
