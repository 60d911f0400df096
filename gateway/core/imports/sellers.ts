import type { Spoken } from "./addresses.ts";
import type { Known } from "./known.ts";

/** Where a provider is that another program knows by its name. */
export interface SellerAddress {
  readonly address: string;
  readonly spoken: Spoken;
}

/**
 * The address of a provider by the name that programs of this kind have for it; null where none is known. What Postern
 * knows itself goes first.
 */
export function sellerNamed(name: string, known: Pick<Known, "providers">): SellerAddress | null {
  const plain = name
    .trim()
    .toLowerCase()
    .replaceAll(/[_.\s]+/g, "-");
  const id = OTHER_NAMES.get(plain) ?? plain;
  const provider = known.providers.find((each) => each.id === id);
  if (provider?.defaultBaseUrl != null) return { address: provider.defaultBaseUrl, spoken: null };
  const preset = known.providers.flatMap(({ presets }) => presets).find((each) => each.id === id);
  if (preset !== undefined && preset.baseUrl !== "") return { address: preset.baseUrl, spoken: null };
  const address = SELLERS.get(id);
  return address === undefined ? null : { address, spoken: "chat" };
}

/** Names of LiteLLM, 9router, OmniRoute, opencode and models.dev for those that Postern has by another id. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["alibaba", "dashscope"],
  ["alims-intl", "dashscope"],
  ["aiml", "aimlapi"],
  ["bigmodel", "zhipu"],
  ["claude", "anthropic"],
  ["featherless-ai", "featherless"],
  ["fireworks-ai", "fireworks"],
  ["friendli", "friendliai"],
  ["gmi-cloud", "gmi"],
  ["google", "gemini"],
  ["google-ai-studio", "gemini"],
  ["google-generative-ai", "gemini"],
  ["grok", "xai"],
  ["hosted-vllm", "vllm"],
  ["hugging-face", "huggingface"],
  ["hyp", "hyperbolic"],
  ["kimi", "moonshot"],
  ["lambda-ai", "lambda"],
  ["lmstudio", "lm-studio"],
  ["meta-llama", "llama"],
  ["mistralai", "mistral"],
  ["moonshotai", "moonshot"],
  ["nano-gpt", "nanogpt"],
  ["novita-ai", "novita"],
  ["nvidia-nim", "nvidia"],
  ["ollama-chat", "ollama"],
  ["ollama-local", "ollama"],
  ["pplx", "perplexity"],
  ["qwencloud", "dashscope"],
  ["together-ai", "together"],
  ["togetherai", "together"],
  ["v0-vercel", "v0"],
  ["veniceai", "venice"],
  ["vercel", "vercel-ai-gateway"],
  ["volcengine", "ark"],
  ["voyage-ai", "voyage"],
  ["voyageai", "voyage"],
  ["x-ai", "xai"],
  ["xiaomi-mimo", "xiaomi"],
  ["z-ai", "zai"],
  ["zhipuai", "zhipu"],
]);

/**
 * Servers of OpenAI's chat API that programs know by name and Postern has no preset for. From LiteLLM 1.109.1
 * (litellm/litellm_core_utils/get_llm_provider_logic.py, litellm/llms/openai_like/providers.json), 9router 0.5.69 and
 * OmniRoute 3.7.9 (their registries of providers), read on 2026-11-24.
 */
const SELLERS: ReadonlyMap<string, string> = new Map([
  ["ai21", "https://api.ai21.com/studio/v1"],
  ["aihubmix", "https://aihubmix.com/v1"],
  ["aimlapi", "https://api.aimlapi.com/v1"],
  ["baseten", "https://inference.baseten.co/v1"],
  ["blackbox", "https://api.blackbox.ai/v1"],
  ["cerebras", "https://api.cerebras.ai/v1"],
  ["chutes", "https://llm.chutes.ai/v1"],
  // https://docs.cohere.com/docs/compatibility-api
  ["cohere", "https://api.cohere.ai/compatibility/v1"],
  ["deepinfra", "https://api.deepinfra.com/v1/openai"],
  ["featherless", "https://api.featherless.ai/v1"],
  ["fireworks", "https://api.fireworks.ai/inference/v1"],
  ["friendliai", "https://api.friendli.ai/serverless/v1"],
  ["gmi", "https://api.gmi-serving.com/v1"],
  // https://huggingface.co/docs/inference-providers
  ["huggingface", "https://router.huggingface.co/v1"],
  ["hyperbolic", "https://api.hyperbolic.xyz/v1"],
  ["inference-net", "https://api.inference.net/v1"],
  ["kilo-gateway", "https://api.kilo.ai/api/gateway"],
  ["lambda", "https://api.lambda.ai/v1"],
  ["llama", "https://api.llama.com/compat/v1"],
  ["longcat", "https://api.longcat.chat/openai/v1"],
  ["minimax", "https://api.minimax.io/v1"],
  ["modelscope", "https://api-inference.modelscope.cn/v1"],
  ["morph", "https://api.morphllm.com/v1"],
  ["nanogpt", "https://nano-gpt.com/api/v1"],
  ["nebius", "https://api.tokenfactory.nebius.com/v1"],
  ["novita", "https://api.novita.ai/v3/openai"],
  ["nscale", "https://inference.api.nscale.com/v1"],
  ["nvidia", "https://integrate.api.nvidia.com/v1"],
  ["ollama-cloud", "https://ollama.com/v1"],
  ["opencode-go", "https://opencode.ai/zen/go/v1"],
  ["opencode-zen", "https://opencode.ai/zen/v1"],
  ["ovhcloud", "https://oai.endpoints.kepler.ai.cloud.ovh.net/v1"],
  ["perplexity", "https://api.perplexity.ai"],
  ["poe", "https://api.poe.com/v1"],
  ["publicai", "https://api.publicai.co/v1"],
  ["qianfan", "https://qianfan.baidubce.com/v2"],
  ["reka", "https://api.reka.ai/v1"],
  ["sambanova", "https://api.sambanova.ai/v1"],
  ["scaleway", "https://api.scaleway.ai/v1"],
  ["siliconflow", "https://api.siliconflow.com/v1"],
  ["synthetic", "https://api.synthetic.new/openai/v1"],
  ["upstage", "https://api.upstage.ai/v1"],
  ["v0", "https://api.v0.dev/v1"],
  ["venice", "https://api.venice.ai/api/v1"],
  ["vercel-ai-gateway", "https://ai-gateway.vercel.sh/v1"],
  ["wandb", "https://api.inference.wandb.ai/v1"],
  ["xiaomi", "https://api.xiaomimimo.com/v1"],
  ["zai", "https://api.z.ai/api/paas/v4"],
  ["zhipu", "https://open.bigmodel.cn/api/paas/v4"],
]);
