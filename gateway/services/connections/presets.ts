import type { Preset } from "../../contract/control.ts";

/** Providers for "Add connection". Base URLs as their documentation gives them. */
export const PRESETS: readonly Preset[] = [
  preset("openai", "OpenAI", "https://api.openai.com/v1", "https://platform.openai.com/api-keys", "openai"),
  preset(
    "anthropic",
    "Anthropic",
    "https://api.anthropic.com",
    "https://console.anthropic.com/settings/keys",
    "anthropic",
  ),
  preset(
    "gemini",
    "Google Gemini",
    "https://generativelanguage.googleapis.com",
    "https://aistudio.google.com/apikey",
    "gemini",
  ),
  preset(
    "dashscope",
    "DashScope (Singapore)",
    "https://dashscope-intl.aliyuncs.com",
    "https://modelstudio.console.alibabacloud.com/?tab=api#/api-key",
    "dashscope",
  ),
  preset(
    "dashscope-cn",
    "DashScope (Beijing)",
    "https://dashscope.aliyuncs.com",
    "https://bailian.console.aliyun.com/?tab=model#/api-key",
    "dashscope",
  ),
  preset(
    "ark",
    "Volcengine Ark",
    "https://ark.cn-beijing.volces.com/api/v3",
    "https://console.volcengine.com/ark/region:ark+cn-beijing/apiKey",
    "ark",
  ),
  preset("xai", "xAI", "https://api.x.ai/v1", "https://console.x.ai", "xai"),
  preset("voyage", "Voyage AI", "https://api.voyageai.com/v1", "https://dashboard.voyageai.com/api-keys", "voyage"),
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
  provider: Preset["provider"] = "openai-compatible",
): Preset {
  return { id, label, provider, base_url, needs_key: keys_url !== null, keys_url };
}
