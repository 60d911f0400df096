import type { Receipt } from "../../../gateway/contract/receipt.ts";

/** Receipts for the fake control server, some seconds apart and back from now. */
const now = Date.now();

export const MODEL_IDS = ["gpt-5.4-mini", "claude-sonnet-5-5", "deepseek-chat", "qwen3:8b", "gpt-5.4"] as const;
const clients = ["claude-cli", "OpenAI", "curl", "codex_cli_rs"] as const;

export function receiptOf(index: number, change: Partial<Receipt> = {}): Receipt {
  const input = 240 + ((index * 7_919) % 42_000);
  const output = 18 + ((index * 104_729) % 3_100);
  return {
    id: `req_${String(index).padStart(20, "0")}`,
    at: now - index * 47_000,
    key: `key_${(index % 3) + 1}`,
    endpoint: "chat",
    model: MODEL_IDS[index % MODEL_IDS.length] ?? "gpt-5.4",
    provider: "openai",
    connection: "con_1",
    client: clients[index % clients.length] ?? "curl",
    status: 200,
    code: null,
    outcome: "completed",
    stream: index % 2 === 0,
    ms: 420 + ((index * 3_571) % 9_000),
    first_ms: 180 + ((index * 613) % 900),
    sandbox: false,
    estimated: false,
    terms: [
      { unit: "input", quantity: input, nano_per_million: 150_000_000, nano: Math.round(input * 150) },
      { unit: "output", quantity: output, nano_per_million: 600_000_000, nano: Math.round(output * 600) },
    ],
    nano: Math.round(input * 150 + output * 600),
    price: { source: "openai.com/api/pricing", as_of: "2026-11-01" },
    ...change,
  };
}

/** One of each kind among the first rows: units of every sort, no price, a refusal, the sandbox, a cut response. */
const special: Readonly<Record<number, Partial<Receipt>>> = {
  2: {
    endpoint: "images",
    model: "gpt-image-1-mini",
    stream: false,
    terms: [
      { unit: "input", quantity: 18, nano_per_million: 2_000_000_000, nano: 36_000 },
      { unit: "image_output", quantity: 1_056, nano_per_million: 8_000_000_000, nano: 8_448_000 },
    ],
    nano: 8_484_000,
  },
  3: {
    nano: null,
    model: "qwen3:8b",
    price: null,
    provider: "openai-compatible",
    terms: [
      { unit: "input", quantity: 23_997, nano_per_million: 0, nano: 0 },
      { unit: "output", quantity: 2_405, nano_per_million: 0, nano: 0 },
    ],
  },
  4: {
    endpoint: "speech",
    model: "tts-1",
    terms: [{ unit: "character", quantity: 1_284, nano_per_million: 15_000_000_000, nano: 19_260_000 }],
    nano: 19_260_000,
  },
  5: { status: 429, code: "rate_limit_exceeded", outcome: "failed", terms: [], nano: 0, first_ms: null, ms: 3 },
  6: {
    endpoint: "edits",
    model: "epsilon-2",
    stream: false,
    terms: [{ unit: "image", quantity: 2, nano_per_million: 20_000_000_000_000, nano: 40_000_000 }],
    nano: 40_000_000,
  },
  7: {
    endpoint: "embeddings",
    model: "eta-4-large",
    provider: "voyage",
    stream: false,
    terms: [{ unit: "input", quantity: 31_240, nano_per_million: 120_000_000, nano: 3_748_800 }],
    nano: 3_748_800,
    price: { source: "docs.voyageai.com/docs/pricing", as_of: "2026-11-01" },
  },
  8: { sandbox: true, provider: "sandbox" },
  11: { outcome: "interrupted" },
};

export const receipts: readonly Receipt[] = Array.from({ length: 30 }, (_, index) =>
  receiptOf(index, special[index] ?? {}),
);
