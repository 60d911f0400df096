import type { ProviderId } from "../contract/connection.ts";
import { provider as anthropic } from "./anthropic/provider.ts";
import { provider as ark } from "./ark/provider.ts";
import { provider as dashscope } from "./dashscope/provider.ts";
import { provider as gemini } from "./gemini/provider.ts";
import { provider as openai } from "./openai/provider.ts";
import { provider as openaiCompatible } from "./openai-compatible/provider.ts";
import { provider as voyage } from "./voyage/provider.ts";
import { provider as xai } from "./xai/provider.ts";
import type { Provider } from "./provider.ts";

/** Every upstream protocol that Postern speaks, listed by hand: adding one is a folder and a line. */
export const providers: Readonly<Record<ProviderId, Provider>> = {
  openai,
  "openai-compatible": openaiCompatible,
  anthropic,
  dashscope,
  gemini,
  voyage,
  ark,
  xai,
};
