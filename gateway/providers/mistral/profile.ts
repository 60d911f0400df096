import type { ProviderProfile } from "../profile.ts";

export const profile: ProviderProfile = {
  id: "mistral",
  label: "Mistral",
  telemetryName: "mistral_ai",
  environment: { name: "MISTRAL", connection: "Mistral" },
  owners: [{ id: "mistral", hosts: ["api.mistral.ai"], listedAs: ["mistral"] }],
  defaultBaseUrl: "https://api.mistral.ai/v1",
  homes: /^api\.mistral\.ai$/,
  presets: [
    {
      id: "mistral",
      label: "Mistral",
      baseUrl: "https://api.mistral.ai/v1",
      keysUrl: "https://console.mistral.ai/api-keys",
      keyVariable: "MISTRAL_API_KEY",
    },
  ],
};
