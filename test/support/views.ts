import type { ConnectionView, CredentialHealth } from "../../gateway/contract/connection.ts";
import type { KeyView } from "../../gateway/contract/key.ts";
import type { ModelView } from "../../gateway/contract/model-view.ts";

/** Views as the control API gives them, each whole; a test names the fields that it is about. */

/** Makes a key without limits that no call has used. */
export function keyView(change: Partial<KeyView> = {}): KeyView {
  return {
    id: "key_1",
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
    mask_secrets: null,
    mask_words: null,
    ollama_default: false,
    created_at: 1,
    disabled: false,
    origin: "created",
    state: "active",
    spent_nano: 0,
    sandbox_nano: 0,
    held_nano: 0,
    in_flight: 0,
    last_used_at: null,
    ends_at: null,
    ...change,
  };
}

/** Makes the health of a provider key that is ready. */
export function credentialHealth(change: Partial<CredentialHealth> = {}): CredentialHealth {
  return {
    hint: "sk-ab…wxyz",
    state: "ready",
    until: null,
    since: null,
    reason: null,
    unreachable: false,
    credit: null,
    models: [],
    ...change,
  };
}

/** Makes a connection to OpenAI with one key that is ready. */
export function connectionView(change: Partial<ConnectionView> = {}): ConnectionView {
  return {
    id: "con_1",
    provider: "openai",
    name: "OpenAI",
    base_url: "https://api.openai.com/v1",
    priority: 0,
    enabled: true,
    origin: "created",
    present: true,
    stands_in: true,
    headers: "",
    body: {},
    rpm: null,
    concurrency: null,
    credit_notice: null,
    prompt_caching: null,
    proxy: "default",
    own_models: [],
    allow_http: false,
    created_at: 0,
    last_success_at: null,
    learned: [],
    credentials: [credentialHealth()],
    models: { count: 1, checked_at: null, error: null },
    ...change,
  };
}

/** Makes a chat model without a price, whose name is its id. */
export function modelView(change: Partial<ModelView> = {}): ModelView {
  const id = change.id ?? "gpt-5.4";
  return {
    id,
    name: id,
    owner: "openai",
    group: "OpenAI",
    provider: "openai",
    connections: ["con_1"],
    capabilities: ["chat", "messages"],
    endpoints: [],
    context_length: null,
    max_output: null,
    input_nano_per_million: null,
    output_nano_per_million: null,
    price: null,
    own_price: false,
    list_price: null,
    aliases: [],
    other_names: [],
    hidden_by: null,
    sandbox: false,
    served: true,
    ...change,
  };
}
