/** The upstream protocols that Postern speaks. */
export const providerIds = [
  "openai",
  "openai-compatible",
  "anthropic",
  "dashscope",
  "gemini",
  "voyage",
  "ark",
  "xai",
] as const;
