import { getBasePath, cutOperation } from "../base-path.ts";
import { profile } from "./profile.ts";

/** Capitals in a preset's URL are parts that the user fills in. */
const PRESETS = profile.presets.filter(({ baseUrl }) => baseUrl !== "" && !/[A-Z]{4}/.test(baseUrl));
/** Azure has OpenAI's API at one path, whatever its deployment (https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle, read on 2026-11-24). */
const AZURE = /\.(openai\.azure|cognitiveservices\.azure|services\.ai\.azure)\.com$/;

/**
 * Normalizes a pasted base URL: with a trailing slash or operation, or a bare host. `https://api.deepseek.com` and
 * `https://api.deepseek.com/v1/chat/completions` become `https://api.deepseek.com/v1`. Other paths are kept; a full
 * endpoint without a version is kept, because `basePath` of a connection removes the operation.
 */
export function normalizeBaseUrl(url: URL): string {
  const whole = getBasePath(url);
  const path = cutOperation(whole).replace(/(\/v\d+)\1+$/, "$1");
  const isVersioned = /\/v\d+[a-z0-9]*(\/|$)/.test(path);
  if (isVersioned) return `${url.origin}${path}`;
  if (AZURE.test(url.hostname) && /^(\/openai(\/deployments\/.*)?)?$/.test(path)) return `${url.origin}/openai/v1`;
  const preset = PRESETS.find(
    ({ baseUrl }) => baseUrl === url.origin + path || baseUrl.startsWith(`${url.origin}${path}/`),
  );
  if (preset !== undefined) return preset.baseUrl;
  return `${url.origin}${whole === "" ? "/v1" : whole}`;
}

/** Normalizes base URLs of a provider whose API has a version, also with the path of a proxy. */
export function normalizeVersioned(url: URL): string {
  const base = normalizeBaseUrl(url);
  return /\/v\d+[a-z0-9]*(\/|$)/.test(base) || cutOperation(base) !== base ? base : `${base}/v1`;
}
