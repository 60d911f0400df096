import type { WireProvider } from "./wire-provider.ts";

/** The environment of a gateway whose providers of four protocols are one wire provider. */
export const wireEnvironment = ({ origin }: WireProvider): Readonly<Record<string, string>> => ({
  POSTERN_COMPATIBLE_BASE_URL: `${origin}/router/v1`,
  POSTERN_COMPATIBLE_API_KEY: "k",
  POSTERN_ANTHROPIC_BASE_URL: origin,
  POSTERN_ANTHROPIC_API_KEY: "k",
  POSTERN_OPENAI_BASE_URL: `${origin}/v1`,
  POSTERN_OPENAI_API_KEY: "k",
  POSTERN_GEMINI_BASE_URL: origin,
  POSTERN_GEMINI_API_KEY: "k",
});
