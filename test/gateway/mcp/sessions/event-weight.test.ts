import { expect, it } from "vitest";
import { measureMessage } from "../../../../gateway/mcp/sessions/event-memory.ts";

const resultOf = (content: unknown, structuredContent: unknown = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  result: { content, structuredContent },
});

it.each([
  ["a word", resultOf([{ type: "text", text: "hello" }]), 200, 600],
  ["a picture", resultOf([{ type: "image", data: "a".repeat(2_000_000) }]), 2_000_000, 2_001_000],
  [
    "pictures behind a long list",
    resultOf([{ data: "a".repeat(1e6) }, { data: "a".repeat(1e6) }], rows(5_000)),
    2e6,
    3e6,
  ],
  [
    "vectors",
    resultOf([], { embeddings: Array.from({ length: 400 }, () => Array.from({ length: 1_536 }, () => 0.1)) }),
    4e6,
    6e6,
  ],
])("%s weighs what it holds", (_what, message, least, most) => {
  const weight = measureMessage(message);
  expect(weight).toBeGreaterThan(least);
  expect(weight).toBeLessThan(most);
});

function rows(count: number): unknown[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `row_${index}`,
    name: "a row of some list",
    value: index,
  }));
}
