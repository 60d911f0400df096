import { type ProviderId, providerIds } from "../providers/registry.ts";
import { sandbox as anthropic } from "../providers/anthropic/sandbox.ts";
import { sandbox as ark } from "../providers/ark/sandbox.ts";
import { sandbox as dashscope } from "../providers/dashscope/sandbox.ts";
import { sandbox as gemini } from "../providers/gemini/sandbox.ts";
import { sandbox as mistral } from "../providers/mistral/sandbox.ts";
import { sandbox as openai } from "../providers/openai/sandbox.ts";
import { sandbox as compatible } from "../providers/openai-compatible/sandbox.ts";
import { sandbox as voyage } from "../providers/voyage/sandbox.ts";
import { sandbox as xai } from "../providers/xai/sandbox.ts";
import { chatRoute } from "./chat/converse.ts";
import type { Protocol } from "./exchange.ts";

/** Protocols from the providers' folders. */
const own: Partial<Readonly<Record<ProviderId, Protocol>>> = {
  openai,
  anthropic,
  gemini,
  dashscope,
  ark,
  xai,
  mistral,
  voyage,
  "openai-compatible": compatible,
};
/** Chat-only providers need nothing else. */
const chat: Protocol = { routes: [chatRoute("/v1")] };

/** The protocols by the ids of their providers. */
export const protocols: ReadonlyMap<string, Protocol> = new Map(providerIds.map((id) => [id, own[id] ?? chat]));
