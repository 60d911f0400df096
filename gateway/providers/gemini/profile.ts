import type { ProviderProfile } from "../profile.ts";

export const profile: ProviderProfile = {
  id: "gemini",
  label: "Google Gemini",
  telemetryName: "gcp.gemini",
  environment: { name: "GEMINI", connection: "Gemini" },
  owners: [{ id: "google", hosts: ["generativelanguage.googleapis.com"], listedAs: ["google", "gemini"] }],
  defaultBaseUrl: "https://generativelanguage.googleapis.com",
  homes: /^generativelanguage\.googleapis\.com$/,
  presets: [
    {
      id: "gemini",
      label: "Google Gemini",
      baseUrl: "https://generativelanguage.googleapis.com",
      keysUrl: "https://aistudio.google.com/apikey",
      keyVariable: "GEMINI_API_KEY",
    },
  ],
};
