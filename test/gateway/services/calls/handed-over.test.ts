import { expect, it } from "vitest";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { tellWhole } from "../../../../gateway/services/calls/call-observer.ts";
import { chatDialect } from "../../../../gateway/services/chat/dialects/chat.ts";
import { handedOver, withoutUsage } from "../../../../gateway/services/chat/chat-plan.ts";

/** What a caller inside Postern takes as objects is written all the same: recordings are made of what is written. */
const words = { object: "chat.completion.chunk", choices: [{ index: 0, delta: { content: "Hello" } }] };
const usage = { object: "chat.completion.chunk", choices: [], usage: { prompt_tokens: 1 } };

it("hands over every event and writes what a client would get", () => {
  const received: Document[] = [];
  const transform = handedOver(withoutUsage(chatDialect), (event) => void received.push(event));
  // As it came; then the chunk that only the gateway asked for.
  expect([words, usage].map((event) => transform.pass(event))).toEqual([undefined, ""]);
  expect(received).toEqual([words, usage]);
});

it("lets no call fail for what cannot be reported", () => {
  const reports: unknown[] = [];
  const observer = {
    openResponse: (status: number) => void reports.push(status),
    wrote: (piece: Buffer | string) => void reports.push(String(piece)),
    endCall: (error: unknown) => void reports.push(error),
  };
  const tooLong = (): never => {
    throw new RangeError("Invalid string length");
  };
  expect(() => tellWhole(observer, tooLong)).not.toThrow();
  tellWhole(observer, () => ({ status: 200, headers: {}, body: Buffer.from("{}") }));
  expect(reports).toEqual([200, "{}"]);
});
