import type { ProviderProfile } from "../profile.ts";

export const profile: ProviderProfile = {
  id: "openai",
  label: "OpenAI",
  environment: { name: "OPENAI", connection: "OpenAI" },
  owners: [
    {
      id: "openai",
      hosts: ["api.openai.com"],
      // https://developers.openai.com/api/docs/guides/data-residency
      regions: { host: /^[a-z]{2}\.api\.openai\.com$/, factor: 1.1, since: Date.UTC(2026, 2, 5) / 1_000 },
      listedAs: ["openai"],
    },
  ],
  defaultBaseUrl: "https://api.openai.com/v1",
  homes: /^([a-z]+\.)?api\.openai\.com$/,
  presets: [
    {
      id: "openai",
      label: "OpenAI",
      baseUrl: "https://api.openai.com/v1",
      keysUrl: "https://platform.openai.com/api-keys",
      keyVariable: "OPENAI_API_KEY",
    },
  ],
};
