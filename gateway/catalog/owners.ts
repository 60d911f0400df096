/**
 * Whose models they are, and the hosts that sell them at the catalog's prices. A region that sells in another currency
 * or at other prices (api.moonshot.cn, open.bigmodel.cn, dashscope.aliyuncs.com) is left out: its calls are unpriced
 * rather than wrongly priced.
 */
export const OWNER_HOSTS: Readonly<Record<string, readonly string[]>> = {
  openai: ["api.openai.com", "eu.api.openai.com", "us.api.openai.com"],
  anthropic: ["api.anthropic.com"],
  google: ["generativelanguage.googleapis.com"],
  xai: ["api.x.ai"],
  dashscope: ["dashscope-intl.aliyuncs.com"],
  ark: ["ark.cn-beijing.volces.com", "ark.ap-southeast.bytepluses.com", "ark.eu-west.bytepluses.com"],
  deepseek: ["api.deepseek.com"],
  moonshot: ["api.moonshot.ai"],
  mistral: ["api.mistral.ai"],
  zhipu: ["api.z.ai"],
  minimax: ["api.minimax.io"],
  voyage: ["api.voyageai.com", "ai.mongodb.com"],
};

/** Regions that sell the same models at prices in CNY: their calls are unpriced rather than wrongly priced. */
export function sellsInOtherCurrency(hostname: string): boolean {
  return hostname === "dashscope.aliyuncs.com" || hostname.endsWith(".cn-beijing.maas.aliyuncs.com");
}
