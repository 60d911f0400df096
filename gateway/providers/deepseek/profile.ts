import type { ProviderProfile } from "../profile.ts";

export const profile: ProviderProfile = {
  id: "deepseek",
  label: "DeepSeek",
  environment: { name: "DEEPSEEK", connection: "DeepSeek" },
  owners: [{ id: "deepseek", hosts: ["api.deepseek.com"], listedAs: ["deepseek"] }],
  defaultBaseUrl: "https://api.deepseek.com/v1",
  homes: /^api\.deepseek\.com$/,
  presets: [
    {
      id: "deepseek",
      label: "DeepSeek",
      baseUrl: "https://api.deepseek.com/v1",
      keysUrl: "https://platform.deepseek.com/api_keys",
      keyVariable: "DEEPSEEK_API_KEY",
    },
  ],
};
