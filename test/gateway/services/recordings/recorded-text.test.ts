import { describe, expect, test } from "vitest";
import type { Recording } from "../../../../gateway/contract/requests.ts";
import { recordingHas } from "../../../../gateway/services/recordings/recorded-text.ts";

const lack = { bytes: 0, cut: false, redacted: false, omitted: 0 };

function recording(request: string, chunks: readonly string[] | null): Recording {
  return {
    id: "req_1",
    at: 0,
    path: "/v1/chat/completions",
    headers: { "anthropic-version": "in-a-header" },
    request: { ...lack, text: request, form: false },
    status: chunks === null ? null : 200,
    response:
      chunks === null
        ? null
        : {
            ...lack,
            type: "text/event-stream",
            count: chunks.length,
            chunks: chunks.map((text) => ({ ms: 0, bytes: text.length, text })),
          },
  };
}

const chat = (content: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
const messages = (text: string): string =>
  `event: content_block_delta\ndata: ${JSON.stringify({ type: "content_block_delta", delta: { type: "text_delta", text } })}\n\n`;
const responses = (delta: string): string =>
  `data: ${JSON.stringify({ type: "response.output_text.delta", delta })}\n\n`;

describe("what was recorded has", () => {
  test.each([
    ["words of the request in another case", recording('{"content":"A Lighthouse at dusk"}', null), "lighthouse AT"],
    ["what JSON writes with escapes", recording(JSON.stringify({ a: 'say "hello"\nÄrger' }), null), '"HELLO"\närger'],
    ["letters that are written as codes", recording('{"a":"\\u00c4rger"}', null), "ärger"],
    ["the bytes as they were sent", recording('{"a":"\\u00c4rger"}', null), "\\u00c4"],
    ["a whole response", recording("{}", ['{"content":"Hello there"}']), "hello there"],
    ["words that two chunks of the network share", recording("{}", ["data: He", "llo"]), "hello"],
    [
      "words across events of a chat",
      recording("{}", [chat("The light"), chat("house sto"), chat("od")]),
      "lighthouse stood",
    ],
    ["words across events of Messages", recording("{}", [messages("The light"), messages('house "')]), 'lighthouse "'],
    [
      "words across events of Responses",
      recording("{}", [responses("The light"), responses("house")]),
      "the lighthouse",
    ],
  ])("%s", (_name, value, text) => {
    expect(recordingHas(value, text.toLowerCase())).toBe(true);
  });

  test.each([
    ["what was not said", recording('{"a":"b"}', [chat("c")]), "lighthouse"],
    ["a header", recording("{}", null), "in-a-header"],
    ["its own id and path", recording("{}", []), "req_1"],
    ["what comes in another order", recording("{}", [chat("house"), chat("light")]), "lighthouse"],
  ])("not %s", (_name, value, text) => {
    expect(recordingHas(value, text)).toBe(false);
  });
});
