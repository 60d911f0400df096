import type { Preset } from "../../contract/control.ts";

/** Vendors that speak the common chat API, for "Add connection". Base URLs as their documentation gives them. */
export const PRESETS: readonly Preset[] = [
  preset("openai", "OpenAI", "https://api.openai.com/v1", "https://platform.openai.com/api-keys", "openai"),
  preset("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "https://openrouter.ai/keys"),
  preset("deepseek", "DeepSeek", "https://api.deepseek.com/v1", "https://platform.deepseek.com/api_keys"),
  preset("groq", "Groq", "https://api.groq.com/openai/v1", "https://console.groq.com/keys"),
  preset("mistral", "Mistral", "https://api.mistral.ai/v1", "https://console.mistral.ai/api-keys"),
  preset("moonshot", "Moonshot (Kimi)", "https://api.moonshot.ai/v1", "https://platform.moonshot.ai/console/api-keys"),
  preset("together", "Together", "https://api.together.xyz/v1", "https://api.together.ai/settings/api-keys"),
  preset("ollama", "Ollama on this machine", "http://127.0.0.1:11434/v1", null),
  preset("lm-studio", "LM Studio on this machine", "http://127.0.0.1:1234/v1", null),
  preset("llama-cpp", "llama.cpp on this machine", "http://127.0.0.1:8080/v1", null),
  preset("vllm", "vLLM on this machine", "http://127.0.0.1:8000/v1", null),
  preset("custom", "Another compatible server", "", null),
];

function preset(
  id: string,
  label: string,
  base_url: string,
  keys_url: string | null,
  vendor: Preset["vendor"] = "openai-compatible",
): Preset {
  return { id, label, vendor, base_url, needs_key: keys_url !== null, keys_url };
}
