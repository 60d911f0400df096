import { expect, it } from "vitest";
import type { Recording } from "../../../../gateway/contract/requests.ts";
import { findHit } from "../../../../renderer/components/request/request-tabs.tsx";

const part = { bytes: 1, cut: false, redacted: false, omitted: 0 };
const recording = {
  id: "req_1",
  path: "/v1/chat/completions",
  request: { ...part, text: '{"messages":[{"role":"user","content":"Where is the Harbour?"}]}' },
  response: { ...part, type: "application/json", count: 1, chunks: [{ at: 1, text: '{"content":"At the sea"}' }] },
  status: 200,
} as unknown as Recording;

it.each([
  ["harbour", "request"],
  ["SEA", "response"],
  ["mountain", null],
  ["", null],
])("a search for %j opens the tab %s", (q, tab) => {
  expect(findHit(recording, q)).toBe(tab);
  expect(findHit(null, q)).toBe(null);
});
