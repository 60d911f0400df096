import type { Known, KnownProvider } from "./known.ts";

/** Whom another program means by a name, and where it calls them. */
export interface NamedProvider {
  readonly provider: KnownProvider;
  /** Undefined: the provider's own; null: the name says no address. */
  readonly baseUrl: string | undefined | null;
  /** What people call it. */
  readonly label: string;
}

/** Names that other programs have for our providers and presets. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  google: "gemini",
  "google-ai-studio": "gemini",
  "google-generative-ai": "gemini",
  "x-ai": "xai",
  grok: "xai",
  mistralai: "mistral",
  "open-router": "openrouter",
  lmstudio: "lm-studio",
  llamacpp: "llama-cpp",
  "llama-server": "llama-cpp",
  "hosted-vllm": "vllm",
  moonshotai: "moonshot",
  kimi: "moonshot",
  alibaba: "dashscope",
  qwen: "dashscope",
  tongyi: "dashscope",
  doubao: "ark",
  volcengine: "ark",
  "together-ai": "together",
  togetherai: "together",
  voyageai: "voyage",
};

/**
 * Base URLs of compatible providers that have no preset here, as each one's documentation of its OpenAI-compatible API
 * gives them; the same stand in https://models.dev/api.json (read 2026-11-24).
 */
const COMPATIBLE: Readonly<Record<string, string>> = {
  cerebras: "https://api.cerebras.ai/v1",
  cohere: "https://api.cohere.ai/compatibility/v1",
  deepinfra: "https://api.deepinfra.com/v1/openai",
  fireworks: "https://api.fireworks.ai/inference/v1",
  "fireworks-ai": "https://api.fireworks.ai/inference/v1",
  huggingface: "https://router.huggingface.co/v1",
  nebius: "https://api.studio.nebius.com/v1",
  novita: "https://api.novita.ai/openai/v1",
  "novita-ai": "https://api.novita.ai/openai/v1",
  nvidia: "https://integrate.api.nvidia.com/v1",
  parasail: "https://api.parasail.io/v1",
  perplexity: "https://api.perplexity.ai",
  sambanova: "https://api.sambanova.ai/v1",
  siliconflow: "https://api.siliconflow.com/v1",
  zai: "https://api.z.ai/api/paas/v4",
};

/** As names are compared: in lower case, hyphens for spaces, underscores and dots. */
const plain = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_.]+/g, "-");

/** The provider of a name, as programs and their users write it; null where nobody is known by it. */
export function namedProvider(name: string, { providers }: Pick<Known, "providers">): NamedProvider | null {
  const asked = plain(name);
  const wanted = Object.hasOwn(OTHER_NAMES, asked) ? OTHER_NAMES[asked] : asked;
  for (const provider of providers) {
    const isIt = provider.id === wanted || plain(provider.label) === wanted;
    if (isIt) return { provider, label: provider.label, baseUrl: provider.defaultBaseUrl === null ? null : undefined };
    const preset = provider.presets.find(({ id, label }) => id === wanted || plain(label) === wanted);
    if (preset === undefined || preset.baseUrl === "") continue;
    const { label, baseUrl } = preset;
    return { provider, label, baseUrl: baseUrl === provider.defaultBaseUrl ? undefined : baseUrl };
  }
  const address = wanted !== undefined && Object.hasOwn(COMPATIBLE, wanted) ? COMPATIBLE[wanted] : undefined;
  const compatible = providers.find(({ id }) => id === "openai-compatible");
  return address === undefined || compatible === undefined
    ? null
    : { provider: compatible, label: name.trim(), baseUrl: address };
}
