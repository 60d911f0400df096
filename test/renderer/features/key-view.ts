import type { KeyView } from "../../../gateway/contract/key.ts";

/** A key without limits, for tests that care about a part of it. */
export function keyView(change: Partial<KeyView>): KeyView {
  return {
    id: "k1",
    name: "Key",
    hint: "sk-ab…wxyz",
    models: null,
    limit_usd: null,
    reset: "never",
    expires_at: null,
    rpm: null,
    concurrency: null,
    hosted_tools: null,
    stored_objects: null,
    created_at: 1,
    disabled: false,
    origin: "created",
    state: "active",
    spent_nano: 0,
    held_nano: 0,
    in_flight: 0,
    last_used_at: null,
    ends_at: null,
    ...change,
  };
}
