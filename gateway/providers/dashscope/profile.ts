import type { ProviderProfile } from "../profile.ts";

export const profile: ProviderProfile = {
  id: "dashscope",
  label: "DashScope",
  environment: { name: "DASHSCOPE", connection: "DashScope" },
  // dashscope.aliyuncs.com sells in CNY.
  owners: [{ id: "dashscope", hosts: ["dashscope-intl.aliyuncs.com"], listedAs: ["alibaba", "dashscope"] }],
  defaultBaseUrl: "https://dashscope-intl.aliyuncs.com",
  homes: /^dashscope(-[a-z]+)?\.aliyuncs\.com$/,
  presets: [
    {
      id: "dashscope",
      label: "DashScope (Singapore)",
      baseUrl: "https://dashscope-intl.aliyuncs.com",
      keysUrl: "https://modelstudio.console.alibabacloud.com/?tab=api#/api-key",
      keyVariable: "DASHSCOPE_API_KEY",
    },
    {
      id: "dashscope-cn",
      label: "DashScope (Beijing)",
      baseUrl: "https://dashscope.aliyuncs.com",
      keysUrl: "https://bailian.console.aliyun.com/?tab=model#/api-key",
    },
  ],
};
