import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import type { Preset, State } from "../../../gateway/contract/control.ts";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import type { KeyView } from "../../../gateway/contract/key.ts";
import { emptyTotals } from "../../../gateway/core/usage/usage-totals.ts";
import { MODEL_IDS } from "./receipts.ts";
import { connectionView, credentialHealth, keyView, modelView } from "../../support/views.ts";

/** Rows for the fake control server. Times count back from `now`, so that pages read the same at any hour. */
const now = Date.now();
const MINUTE = 60_000;

export const noTotals = emptyTotals();

export function stateOf(url: string, change: Partial<State> = {}): State {
  return {
    version: "0.1.0",
    url,
    pid: 4242,
    data_dir: "/home/ada/.local/share/postern",
    started_at: now - 125 * MINUTE,
    status: "running",
    sandbox: { mode: "auto", active: false },
    connections: 3,
    in_flight: 2,
    today: {
      ...noTotals,
      requests: 184,
      errors: 3,
      input_tokens: 1_616_300,
      cached_input_tokens: 1_204_000,
      output_tokens: 70_460,
      reasoning_tokens: 12_050,
      nano: 1_842_310_000,
      unpriced_requests: 2,
      unknown_requests: 1,
      estimated_requests: 3,
      estimated_nano: 42_000_000,
      sandbox_requests: 6,
      sandbox_nano: 1_310_000,
    },
    month: { ...noTotals, requests: 3_120, nano: 24_610_000_000 },
    monthly_budget_nano: 40_000_000_000,
    monthly_budget_ends_at: null,
    notices: [],
    ...change,
  };
}

export function keyOf(index: number, change: Partial<KeyView> = {}): KeyView {
  const created_at = now - 9 * 1_440 * MINUTE;
  return keyView({ id: `key_${index}`, name: `Key ${index}`, hint: "sk-Qf…7xLm", created_at, ...change });
}

export const keys: readonly KeyView[] = [
  keyOf(1, {
    name: "First key",
    origin: "first",
    hint: "sk-aB…wXyZ",
    spent_nano: 1_204_000_000,
    last_used_at: now - 2 * MINUTE,
  }),
  keyOf(2, {
    name: "Claude Code",
    hint: "sk-7d…Kq2p",
    limit_usd: 10,
    reset: "daily",
    spent_nano: 4_318_200_000,
    held_nano: 900_000_000,
    last_used_at: now - 20_000,
    rpm: 120,
  }),
  keyOf(3, {
    name: "Nightly evaluation",
    hint: "sk-Lm…04vR",
    limit_usd: 5,
    reset: "monthly",
    models: ["gpt-5.4-mini", "claude-*"],
    spent_nano: 4_410_000_000,
    concurrency: 4,
    last_used_at: now - 7 * 60 * MINUTE,
    expires_at: now + 20 * 60 * MINUTE,
  }),
  keyOf(4, {
    name: "Workshop",
    hint: "sk-Zz…9aaB",
    limit_usd: 2,
    state: "spent",
    spent_nano: 2_000_310_000,
    last_used_at: now - 3 * 1_440 * MINUTE,
  }),
  keyOf(5, {
    name: "environment",
    hint: "sk-en…v001",
    origin: "environment",
    spent_nano: 420_000,
    last_used_at: now - 33 * MINUTE,
  }),
  keyOf(6, {
    name: "Old laptop",
    hint: "sk-Qq…1f3D",
    disabled: true,
    state: "disabled",
    spent_nano: 310_420_000,
    last_used_at: now - 60 * 1_440 * MINUTE,
  }),
];

export const connections: readonly ConnectionView[] = [
  connectionView({
    created_at: now - 9 * 1_440 * MINUTE,
    last_success_at: now - 2 * MINUTE,
    credentials: [
      credentialHealth({ hint: "sk-pr…Ab3d" }),
      credentialHealth({
        hint: "sk-pr…Zk91",
        state: "cooling",
        until: now + 42_000,
        since: now - 18_000,
        reason: "Rate limit reached for gpt-5.4: 500 requests a minute.",
      }),
    ],
    models: { count: 47, checked_at: now - 12 * MINUTE, error: null },
  }),
  connectionView({
    id: "con_2",
    provider: "openai-compatible",
    name: "Ollama",
    base_url: "http://127.0.0.1:11434/v1",
    priority: 10,
    origin: "local",
    created_at: now - 125 * MINUTE,
    last_success_at: now - MINUTE,
    learned: [
      { model: "qwen3.6:27b", lesson: "without parallel_tool_calls", at: now - 90 * MINUTE },
      { model: "qwen3.6:27b", lesson: "thoughts none", at: now - 95 * MINUTE },
    ],
    credentials: [credentialHealth({ hint: "no key" })],
    models: { count: 6, checked_at: now - MINUTE, error: null },
  }),
  connectionView({
    id: "con_4",
    provider: "voyage",
    name: "Voyage AI",
    base_url: "https://api.voyageai.com/v1",
    priority: 10,
    created_at: now - 3 * 1_440 * MINUTE,
    last_success_at: now - 30 * MINUTE,
    credentials: [credentialHealth({ hint: "pa-9x…Kd2e" })],
    models: { count: 0, checked_at: now - 30 * MINUTE, error: null },
  }),
  connectionView({
    id: "con_3",
    provider: "openai-compatible",
    name: "OpenRouter",
    base_url: "https://openrouter.ai/api/v1",
    priority: 20,
    enabled: false,
    prompt_caching: false,
    own_models: [],
    headers: "",
    body: {},
    rpm: null,
    concurrency: null,
    created_at: now - 2 * 1_440 * MINUTE,
    last_success_at: now - 60 * MINUTE,
    credentials: [credentialHealth({ hint: "sk-or…77Qa", state: "refused", reason: "401: No auth credentials found" })],
    models: { count: 0, checked_at: now - 60 * MINUTE, error: null },
  }),
];

export const presets: readonly Preset[] = [
  {
    id: "openai",
    label: "OpenAI",
    provider: "openai",
    base_url: "https://api.openai.com/v1",
    needs_key: true,
    keys_url: "https://platform.openai.com/api-keys",
    caches: false,
  },
  {
    id: "openrouter",
    label: "OpenRouter",
    provider: "openai-compatible",
    base_url: "https://openrouter.ai/api/v1",
    needs_key: true,
    keys_url: "https://openrouter.ai/keys",
    caches: true,
  },
  {
    id: "ollama",
    label: "Ollama",
    provider: "openai-compatible",
    base_url: "http://127.0.0.1:11434/v1",
    needs_key: false,
    keys_url: null,
    caches: false,
  },
  {
    id: "custom",
    label: "Another compatible server",
    provider: "openai-compatible",
    base_url: "",
    needs_key: false,
    keys_url: null,
    caches: false,
  },
];

export const fakeModels: readonly ModelView[] = MODEL_IDS.map((id) =>
  modelView({
    id,
    context_length: 128_000,
    input_nano_per_million: 150_000_000,
    output_nano_per_million: 600_000_000,
  }),
);
