import type { ProviderProfile } from "../profile.ts";

export const profile: ProviderProfile = {
  id: "voyage",
  label: "Voyage AI",
  environment: { name: "VOYAGE", connection: "Voyage" },
  owners: [{ id: "voyage", hosts: ["api.voyageai.com", "ai.mongodb.com"], listedAs: ["voyage"] }],
  defaultBaseUrl: "https://api.voyageai.com/v1",
  // Keys of MongoDB Atlas.
  homeOf: (key) => (key.startsWith("al-") ? "https://ai.mongodb.com/v1" : null),
  homes: /^(api\.voyageai\.com|ai\.mongodb\.com)$/,
  presets: [
    {
      id: "voyage",
      label: "Voyage AI",
      baseUrl: "https://api.voyageai.com/v1",
      keysUrl: "https://dashboard.voyageai.com/api-keys",
      keyVariable: "VOYAGE_API_KEY",
    },
  ],
};
