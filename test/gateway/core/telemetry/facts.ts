import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { callFacts, type CallFacts, type CallNames } from "../../../../gateway/core/telemetry/call-facts.ts";

export const NAMES: CallNames = {
  provider: "openai",
  server: { address: "api.openai.com", port: 443 },
  key: "laptop",
};

/** A completed conversation; `more` says otherwise. */
export function receiptWith(more: Partial<Receipt> = {}): Receipt {
  return {
    id: "req_0f0f0f0f-0000-4000-8000-000000000001",
    at: 1_795_500_000_123,
    key: "key_1",
    endpoint: "chat",
    model: "gpt-4.1",
    provider: "openai",
    connection: "con_1",
    client: "curl",
    status: 200,
    code: null,
    outcome: "completed",
    stream: false,
    ms: 250.4,
    first_ms: 250.3,
    wait_ms: 1,
    connect_ms: 0,
    attempts: 1,
    sandbox: false,
    estimated: false,
    terms: [
      { unit: "input", quantity: 70, nano_per_million: 2_000_000_000, nano: 140_000 },
      { unit: "cached_input", quantity: 30, nano_per_million: 500_000_000, nano: 15_000 },
      { unit: "output", quantity: 20, nano_per_million: 8_000_000_000, nano: 160_000 },
      { unit: "reasoning", quantity: 5, nano_per_million: 8_000_000_000, nano: 40_000 },
    ],
    nano: 355_000,
    price: null,
    ...more,
  };
}

export function factsWith(more: Partial<Receipt> = {}, names: Partial<CallNames> = {}): CallFacts {
  return callFacts(receiptWith(more), { ...NAMES, ...names });
}
