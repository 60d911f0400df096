import type { ModelSpec, Price } from "../core/models/model.ts";
import { multiplied } from "../core/money/price.ts";

/**
 * Whose models they are, and the hosts that sell them at the catalog's prices, the owner's own API first. A region that
 * sells in another currency or at other prices (api.moonshot.cn, open.bigmodel.cn, dashscope.aliyuncs.com,
 * ark.cn-beijing.volces.com), a cloud or a reseller is not among them: their calls are unpriced rather than wrongly
 * priced.
 */
export const OWNER_HOSTS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  openai: ["api.openai.com"],
  anthropic: ["api.anthropic.com"],
  google: ["generativelanguage.googleapis.com"],
  xai: ["api.x.ai"],
  dashscope: ["dashscope-intl.aliyuncs.com"],
  ark: ["ark.ap-southeast.bytepluses.com", "ark.eu-west.bytepluses.com"],
  deepseek: ["api.deepseek.com"],
  moonshot: ["api.moonshot.ai"],
  mistral: ["api.mistral.ai"],
  zhipu: ["api.z.ai"],
  minimax: ["api.minimax.io"],
  voyage: ["api.voyageai.com", "ai.mongodb.com"],
};

/** An owner's own hosts where what is processed stays in a region, for more. */
interface Regions {
  readonly host: RegExp;
  readonly factor: number;
  /** Unix seconds: models that were released earlier cost the same there. */
  readonly since: number;
}

const REGIONS: Readonly<Record<string, Regions>> = {
  // https://developers.openai.com/api/docs/guides/data-residency
  openai: { host: /^[a-z]{2}\.api\.openai\.com$/, factor: 1.1, since: Date.UTC(2026, 2, 5) / 1_000 },
  // https://docs.x.ai/developers/advanced-api-usage/regions
  xai: { host: /^us\.api\.x\.ai$/, factor: 1.1, since: 0 },
};

/**
 * What a model costs at a host of its owner's own, by what it costs at the owner's usual one.
 * @param usual null: unpriced.
 * @returns null where the host is another's, whose prices are not known here.
 */
export function priceAtHost(spec: ModelSpec, hostname: string, usual: Price | null): Price | null {
  if (usual === null) return null;
  if (Object.hasOwn(OWNER_HOSTS, spec.owner) && OWNER_HOSTS[spec.owner]?.includes(hostname) === true) return usual;
  const regions = Object.hasOwn(REGIONS, spec.owner) ? REGIONS[spec.owner] : undefined;
  if (regions?.host.test(hostname) !== true) return null;
  return spec.created < regions.since ? usual : multiplied(usual, regions.factor, `at ${hostname}`);
}
