import { expect, test } from "vitest";
import type { ConnectionView, CredentialHealth } from "../../../../gateway/contract/connection.ts";
import { outageOf } from "../../../../renderer/features/overview/overview-page.tsx";

type State = CredentialHealth["state"];

function connectionOf(states: readonly State[], enabled = true): ConnectionView {
  return {
    id: "con_1",
    provider: "openai",
    name: "OpenAI",
    base_url: "https://api.openai.com/v1",
    priority: 0,
    enabled,
    origin: "created",
    present: true,
    stands_in: true,
    allow_http: false,
    created_at: 0,
    credentials: states.map((state) => ({
      hint: "sk-ab…wxyz",
      state,
      until: null,
      since: null,
      reason: null,
      models: [],
    })),
    models: { count: 1, checked_at: 0, error: null },
  };
}

test.each<[readonly State[], State | null]>([
  [[], null],
  [["ready"], null],
  [["open"], "open"],
  [["open", "ready"], null],
  [["open", "cooling"], null],
  [["open", "refused"], "refused"],
  [["out_of_credit", "open"], "out_of_credit"],
])("keys that are %j: %s", (states, expected) => {
  expect(outageOf(connectionOf(states))).toBe(expected);
});

test("a connection that is switched off is no outage", () => {
  expect(outageOf(connectionOf(["open"], false))).toBeNull();
});
