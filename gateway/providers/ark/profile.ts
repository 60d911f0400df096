import type { ProviderProfile } from "../profile.ts";

export const profile: ProviderProfile = {
  id: "ark",
  label: "Volcengine Ark",
  environment: { name: "ARK", connection: "Ark" },
  // ark.cn-beijing.volces.com sells in CNY.
  owners: [{ id: "ark", hosts: ["ark.ap-southeast.bytepluses.com", "ark.eu-west.bytepluses.com"], listedAs: [] }],
  defaultBaseUrl: "https://ark.cn-beijing.volces.com/api/v3",
  homes: /^ark\.[a-z\d-]+\.(volces|bytepluses)\.com$/,
  presets: [
    {
      id: "ark",
      label: "Volcengine Ark",
      baseUrl: "https://ark.cn-beijing.volces.com/api/v3",
      keysUrl: "https://console.volcengine.com/ark/region:ark+cn-beijing/apiKey",
      keyVariable: "ARK_API_KEY",
    },
  ],
};
