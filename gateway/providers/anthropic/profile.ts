import type { ProviderProfile } from "../profile.ts";

export const profile: ProviderProfile = {
  id: "anthropic",
  label: "Anthropic",
  environment: { name: "ANTHROPIC", connection: "Anthropic" },
  owners: [{ id: "anthropic", hosts: ["api.anthropic.com"], listedAs: ["anthropic"] }],
  defaultBaseUrl: "https://api.anthropic.com",
  homes: /^api\.anthropic\.com$/,
  presets: [
    {
      id: "anthropic",
      label: "Anthropic",
      baseUrl: "https://api.anthropic.com",
      keysUrl: "https://console.anthropic.com/settings/keys",
      keyVariable: "ANTHROPIC_API_KEY",
    },
  ],
};
