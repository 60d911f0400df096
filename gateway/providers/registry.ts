import { provider as anthropic } from "./anthropic/provider.ts";
import { provider as ark } from "./ark/provider.ts";
import { provider as bedrock } from "./bedrock/provider.ts";
import { provider as dashscope } from "./dashscope/provider.ts";
import { provider as deepseek } from "./deepseek/provider.ts";
import { provider as gemini } from "./gemini/provider.ts";
import { provider as mistral } from "./mistral/provider.ts";
import { provider as openai } from "./openai/provider.ts";
import { provider as openaiCompatible } from "./openai-compatible/provider.ts";
import { provider as voyage } from "./voyage/provider.ts";
import { provider as xai } from "./xai/provider.ts";
import type { Provider } from "./provider.ts";

/**
 * All providers, listed manually: a new one needs a folder and a line. In the display order of their presets.
 */
export const providers = {
  openai,
  anthropic,
  gemini,
  dashscope,
  ark,
  xai,
  deepseek,
  mistral,
  voyage,
  bedrock,
  "openai-compatible": openaiCompatible,
} satisfies Readonly<Record<string, Provider>>;

export type ProviderId = keyof typeof providers;

/** Cast: an object has the keys that its type has. */
export const providerIds = Object.keys(providers) as [ProviderId, ...ProviderId[]];

export function isProviderId(id: string): id is ProviderId {
  return Object.hasOwn(providers, id);
}
