import type { ProviderProfile } from "../profile.ts";

export const profile: ProviderProfile = {
  id: "xai",
  label: "xAI",
  telemetryName: "x_ai",
  environment: { name: "XAI", connection: "xAI" },
  owners: [
    {
      id: "xai",
      hosts: ["api.x.ai"],
      // https://docs.x.ai/developers/advanced-api-usage/regions
      regions: { host: /^us\.api\.x\.ai$/, factor: 1.1, since: 0 },
      listedAs: ["xai"],
    },
  ],
  defaultBaseUrl: "https://api.x.ai/v1",
  homes: /^([a-z\d-]+\.)?api\.x\.ai$/,
  presets: [
    {
      id: "xai",
      label: "xAI",
      baseUrl: "https://api.x.ai/v1",
      keysUrl: "https://console.x.ai",
      keyVariable: "XAI_API_KEY",
    },
  ],
};
