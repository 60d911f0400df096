import type { ProviderProfile } from "../profile.ts";

export const profile: ProviderProfile = {
  id: "openai-compatible",
  label: "OpenAI-compatible",
  environment: { name: "COMPATIBLE", connection: "compatible" },
  owners: [],
  guests: [
    // api.moonshot.cn and open.bigmodel.cn sell in CNY.
    { id: "moonshot", hosts: ["api.moonshot.ai"], listedAs: ["moonshot", "moonshotai"] },
    { id: "zhipu", hosts: ["api.z.ai"], listedAs: ["zai"] },
    { id: "groq", hosts: ["api.groq.com"], listedAs: ["groq"] },
    { id: "minimax", hosts: ["api.minimax.io"], listedAs: ["minimax"] },
  ],
  defaultBaseUrl: null,
  homes: null,
  presets: [
    {
      id: "openrouter",
      label: "OpenRouter",
      baseUrl: "https://openrouter.ai/api/v1",
      keysUrl: "https://openrouter.ai/keys",
      caches: true,
      keyVariable: "OPENROUTER_API_KEY",
    },
    {
      id: "groq",
      label: "Groq",
      baseUrl: "https://api.groq.com/openai/v1",
      keysUrl: "https://console.groq.com/keys",
      keyVariable: "GROQ_API_KEY",
    },
    {
      id: "moonshot",
      label: "Moonshot (Kimi)",
      baseUrl: "https://api.moonshot.ai/v1",
      keysUrl: "https://platform.moonshot.ai/console/api-keys",
      keyVariable: "MOONSHOT_API_KEY",
    },
    {
      id: "together",
      label: "Together",
      baseUrl: "https://api.together.xyz/v1",
      keysUrl: "https://api.together.ai/settings/api-keys",
      keyVariable: "TOGETHER_API_KEY",
    },
    { id: "ollama", label: "Ollama on this machine", baseUrl: "http://127.0.0.1:11434/v1", keysUrl: null },
    { id: "lm-studio", label: "LM Studio on this machine", baseUrl: "http://127.0.0.1:1234/v1", keysUrl: null },
    { id: "llama-cpp", label: "llama.cpp on this machine", baseUrl: "http://127.0.0.1:8080/v1", keysUrl: null },
    { id: "vllm", label: "vLLM on this machine", baseUrl: "http://127.0.0.1:8000/v1", keysUrl: null },
    { id: "custom", label: "Another compatible server", baseUrl: "", keysUrl: null },
  ],
};
