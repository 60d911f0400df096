import type { Home } from "./addresses.ts";
import type { Known, KnownProvider } from "./known.ts";

/** A provider that another program names, and its address there. */
export interface NamedProvider {
  readonly provider: KnownProvider;
  /** Undefined: the provider's own; null: unknown for this name. */
  readonly baseUrl: string | undefined | null;
  /** Display name. */
  readonly label: string;
}

/** Names that other programs have for our providers, for presets, and for the compatible ones below. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  aiml: "aimlapi",
  alibaba: "dashscope",
  "azure-openai": "azure",
  "alims-intl": "dashscope",
  bigmodel: "zhipu",
  claude: "anthropic",
  doubao: "ark",
  "featherless-ai": "featherless",
  "fireworks-ai": "fireworks",
  friendli: "friendliai",
  "gmi-cloud": "gmi",
  google: "gemini",
  "google-ai-studio": "gemini",
  "google-generative-ai": "gemini",
  grok: "xai",
  "hosted-vllm": "vllm",
  hf: "huggingface",
  "hugging-face": "huggingface",
  hyp: "hyperbolic",
  kimi: "moonshot",
  "lambda-ai": "lambda",
  "llama-server": "llama-cpp",
  llamacpp: "llama-cpp",
  lmstudio: "lm-studio",
  "meta-llama": "llama",
  mistralai: "mistral",
  moonshotai: "moonshot",
  "nano-gpt": "nanogpt",
  "novita-ai": "novita",
  "nvidia-nim": "nvidia",
  perplexityai: "perplexity",
  "ollama-chat": "ollama",
  "ollama-local": "ollama",
  "open-router": "openrouter",
  pplx: "perplexity",
  qwen: "dashscope",
  qwencloud: "dashscope",
  "together-ai": "together",
  togetherai: "together",
  tongyi: "dashscope",
  "v0-vercel": "v0",
  veniceai: "venice",
  vercel: "vercel-ai-gateway",
  volcengine: "ark",
  "voyage-ai": "voyage",
  voyageai: "voyage",
  "x-ai": "xai",
  "xiaomi-mimo": "xiaomi",
  "z-ai": "zai",
  zhipuai: "zhipu",
};

/**
 * Base URLs of compatible providers without a preset, from the documentation of their OpenAI-compatible APIs; the same
 * are in https://models.dev/api.json, in LiteLLM 1.109.1 (litellm_core_utils/get_llm_provider_logic.py,
 * llms/openai_like/providers.json) and in the registries of 9router 0.5.69 and OmniRoute 3.7.9 (read 2026-11-24).
 */
const COMPATIBLE: Readonly<Record<string, string>> = {
  ai21: "https://api.ai21.com/studio/v1",
  aihubmix: "https://aihubmix.com/v1",
  aimlapi: "https://api.aimlapi.com/v1",
  baseten: "https://inference.baseten.co/v1",
  blackbox: "https://api.blackbox.ai/v1",
  chutes: "https://llm.chutes.ai/v1",
  featherless: "https://api.featherless.ai/v1",
  friendliai: "https://api.friendli.ai/serverless/v1",
  gmi: "https://api.gmi-serving.com/v1",
  hyperbolic: "https://api.hyperbolic.xyz/v1",
  "inference-net": "https://api.inference.net/v1",
  lambda: "https://api.lambda.ai/v1",
  llama: "https://api.llama.com/compat/v1",
  longcat: "https://api.longcat.chat/openai/v1",
  modelscope: "https://api-inference.modelscope.cn/v1",
  morph: "https://api.morphllm.com/v1",
  nanogpt: "https://nano-gpt.com/api/v1",
  nebius: "https://api.studio.nebius.com/v1",
  novita: "https://api.novita.ai/openai/v1",
  nscale: "https://inference.api.nscale.com/v1",
  "ollama-cloud": "https://ollama.com/v1",
  "opencode-zen": "https://opencode.ai/zen/v1",
  ovhcloud: "https://oai.endpoints.kepler.ai.cloud.ovh.net/v1",
  parasail: "https://api.parasail.io/v1",
  poe: "https://api.poe.com/v1",
  publicai: "https://api.publicai.co/v1",
  qianfan: "https://qianfan.baidubce.com/v2",
  reka: "https://api.reka.ai/v1",
  sambanova: "https://api.sambanova.ai/v1",
  scaleway: "https://api.scaleway.ai/v1",
  synthetic: "https://api.synthetic.new/openai/v1",
  upstage: "https://api.upstage.ai/v1",
  v0: "https://api.v0.dev/v1",
  venice: "https://api.venice.ai/api/v1",
  wandb: "https://api.inference.wandb.ai/v1",
  xiaomi: "https://api.xiaomimimo.com/v1",
  zhipu: "https://open.bigmodel.cn/api/paas/v4",
};

/** Normalises a name for comparison: in lower case, hyphens for spaces, underscores and dots. */
const plain = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_.]+/g, "-");

/**
 * Finds the provider of a name, as spelled by programs and users; null for an unknown name. Capitals in a preset's
 * address are parts that the user fills in.
 */
export function namedProvider(name: string, { providers }: Pick<Known, "providers">): NamedProvider | null {
  const plainName = plain(name);
  const target = (Object.hasOwn(OTHER_NAMES, plainName) ? OTHER_NAMES[plainName] : undefined) ?? plainName;
  const found = listNames(providers).named.get(target);
  if (found !== undefined) return found;
  const address = Object.hasOwn(COMPATIBLE, target) ? COMPATIBLE[target] : undefined;
  const compatible = providers.find(({ id }) => id === "openai-compatible");
  return address === undefined || compatible === undefined
    ? null
    : { provider: compatible, label: name.trim(), baseUrl: address };
}

interface Names {
  readonly named: ReadonlyMap<string, NamedProvider>;
  /** Presets by the host of their address. */
  readonly byHost: ReadonlyMap<string, readonly KnownProvider["presets"][number][]>;
}

/** Names of providers and presets: a file may ask for each of its thousands of entries. */
const lists = new WeakMap<readonly KnownProvider[], Names>();

const readHost = (address: string): string | undefined => URL.parse(address)?.host.replace("localhost", "127.0.0.1");

function listNames(providers: readonly KnownProvider[]): Names {
  const known = lists.get(providers);
  if (known !== undefined) return known;
  const names = new Map<string, NamedProvider>();
  const add = (id: string, named: NamedProvider): void => {
    for (const name of [id, plain(named.label)]) if (!names.has(name)) names.set(name, named);
  };
  for (const provider of providers) {
    const { id, label, defaultBaseUrl, presets } = provider;
    add(id, { provider, label, baseUrl: defaultBaseUrl === null ? null : undefined });
    for (const preset of presets) {
      const { baseUrl } = preset;
      if (baseUrl === "") continue;
      const isWhole = !/[A-Z]{4}/.test(baseUrl);
      const base = baseUrl === defaultBaseUrl ? undefined : isWhole ? baseUrl : null;
      add(preset.id, { provider, label: preset.label, baseUrl: base });
    }
  }
  const presets = providers.flatMap((provider) => provider.presets);
  const list = { named: names, byHost: Map.groupBy(presets, ({ baseUrl }) => readHost(baseUrl) ?? "") };
  lists.set(providers, list);
  return list;
}

/** Chooses the name of a connection that another program identifies only by its kind, from its address. */
export function chooseName(
  home: Pick<Home, "provider" | "baseUrl">,
  name: string,
  known: Pick<Known, "providers">,
): string {
  const provider = known.providers.find(({ id }) => id === home.provider);
  const host = readHost(home.baseUrl ?? provider?.defaultBaseUrl ?? "");
  const [preset, ...others] = (host !== undefined && listNames(known.providers).byHost.get(host)) || [];
  const named = namedProvider(name, known);
  const isIt = named?.provider === provider && readHost(named?.baseUrl ?? provider?.defaultBaseUrl ?? "") === host;
  return preset === undefined || others.length > 0 || isIt ? name : preset.id;
}
