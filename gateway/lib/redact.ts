import { unescapeJson } from "./json-escapes.ts";
import { isRecord } from "./records.ts";

/**
 * Takes secrets out of text that people or logs will see: provider error messages, our own errors, log fields.
 * What remains says that something was there. Forms of keys as providers' documentation, gitleaks (config/gitleaks.toml,
 * commit 009e025a) and keys in public repositories have them, read 2026-11-29. Raw JSON may have `\n` before one.
 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // Their base64 has characters that no other key has.
  [/(?<=\\[nrt]|\b)(whsec)_[A-Za-z0-9+/=_-]{8,}/g, "$1_[redacted]"],
  [/(?<=\\[nrt]|\b)(sk|rk|pk|xai|pa|gsk|tok)[-_][A-Za-z0-9_*-]{8,}/g, "$1-[redacted]"],
  // Prefixes that do not occur in other text, so that a truncated key is recognized too.
  [
    /(?<=\\[nrt]|\b)((?:csk|nvapi|tvly|pplx|glpat|xox[a-z]|xapp)-|(?:vck|tgp_v1|github_pat|gh[opsur]|cf(?:k|ut|at))_|bce-v3\/)[\w*/-]{4,}/g,
    "$1[redacted]",
  ],
  // Prefixes that names of packages and models have as well: a key has figures or capitals, and no further signs.
  [
    /(?<=\\[nrt]|\b)((?:hf|r8|fw|fpk|cpk|flp|syn|up|jina|api_org|secret)_|(?:fc|rc)-)(?=[a-z]{0,40}[A-Z\d])(?:[A-Za-z\d-]{20,}|[A-Za-z\d]{8,}$)/g,
    "$1[redacted]",
  ],
  // AWS, and its keys for Bedrock.
  [/(?<=\\[nrt]|\b)(AKIA|ASIA)(?:[A-Z\d]{16}|[A-Z\d]{6,15}$)/g, "$1[redacted]"],
  [/(?<=\\[nrt]|\b)(ABSK|bedrock-api-key-)[A-Za-z\d+/=]{16,}/g, "$1[redacted]"],
  // JSON Web Tokens: three parts, or the truncated start of a common header.
  [/(?<=\\[nrt]|(?<![\w-]))eyJ(?:[\w-]{8,}\.[\w-]{2,}(?:\.[\w-]*)?|(?:hbGciOi|0eXAiOi|raWQiOi)[\w-]*)/g, "[redacted]"],
  [/(?<=\\[nrt]|\b)AIza[A-Za-z0-9_-]{8,}|(?<=\\[nrt]|\b)AQ\.Ab[\w-]{8,}/g, "[redacted]"],
  // Z.ai and Zhipu: an id of 32 figures and a secret; ModelScope: a UUID; Azure's newer keys have a mark in the middle.
  [
    /(?<=\\[nrt]|\b)[\da-f]{32}\.[A-Za-z\d]{16}\b|(?<=\\[nrt]|\b)ms-[\da-f]{8}-[\da-f-]{12,}|(?<=\\[nrt]|\b)[A-Za-z\d]{52}JQQJ99[A-Za-z\d]{26}\b/g,
    "[redacted]",
  ],
  [/(?<=hooks\.slack\.com\\{0,4}\/services\\{0,4}\/)[\w/\\]{8,}/g, "[redacted]"],
  // Go writes `&` in JSON as `\u0026`, PHP slashes as `\/`.
  [/(?<=(?:[?&]|\\u0026)(?:key|api_key|apikey|token|access_token)=)[^&\s"'\\]+/gi, "[redacted]"],
  // Passwords in addresses of databases and of other services.
  [/(?<=:\\{0,4}\/\\{0,4}\/[^\s:@/]{0,64}:)[^\s:@/"'\\]{3,}(?=@)/g, "[redacted]"],
  // RFC 7468, section 10 and 11; the line breaks may be escaped.
  [
    /-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY-----(?:[^-]|-(?!----)){20,}-----END (?:[A-Z]+ ){0,3}PRIVATE KEY-----/g,
    "[redacted]",
  ],
  // The first lines of one, as agents read files.
  [/-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY-----(?:(?:\\[nr]|\s){1,4}[A-Za-z0-9+/=]{16,80})+/g, "[redacted]"],
];

/**
 * A necessary part of every pattern: most text has none of them, and is scanned once instead of many times. Letter case
 * is explicit, because V8 is three times slower with the flag `i`.
 */
const HINT =
  /[srp]k[-_]|csk-|(?:vc|cp)k_|xai[-_]|pa[-_]|whsec|tok[-_]|nvapi|tvly|pplx|glpat|xox|xapp|_pat_|gh[opsur]_|tgp_|cf(?:k|ut|at)_|bce-v3|(?:hf|r8|fw|fpk|flp|syn|up|jina|org|secret)_|(?:fc|rc|ms)-|AKIA|ASIA|ABSK|bedrock|eyJ|AIza|AQ\.|(?<![\da-f])[\da-f]{32}\.|JQQJ99|slack|-----BEGIN|:\\{0,4}\/\\{0,4}\/[^\s:@/]{0,64}:|[Bb][Ee][Aa][Rr][Ee][Rr]|[Bb][Aa][Ss][Ii][Cc]|[Kk][Ee][Yy]=|[Tt][Oo][Kk][Ee][Nn]=/;
const HINTS = new RegExp(HINT, "g");

const CREDENTIAL = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi;

/** "basic instructions" and "bearer instruments" are ordinary words; a credential has digits, capitals or symbols. */
const CREDENTIAL_IN_PROSE =
  /\b([Bb]earer|[Bb]asic|BEARER|BASIC)\s+(?![A-Za-z]?[a-z]+(?![A-Za-z0-9_~+/=-]))[A-Za-z0-9._~+/=-]{8,}/g;

/** `text` without secrets. `known` are exact values to remove besides the known forms. */
export function redact(text: string, known: readonly string[] = []): string {
  let clean = text;
  for (const value of known) if (value.length >= 4) clean = clean.replaceAll(value, "[redacted]");
  // A secret that was removed from the bytes was padded to its length.
  if (clean.includes("[redacted]*")) clean = clean.replace(/\[redacted\]\*+/g, "[redacted]");
  return withoutForms(clean, CREDENTIAL);
}

/** Redacts long prose, which must stay readable: only apparent keys are removed. */
export function redactProse(text: string): string {
  return withoutForms(text, CREDENTIAL_IN_PROSE);
}

function withoutForms(text: string, credential: RegExp): string {
  const plain = unescapeJson(text)?.text ?? text;
  if (!HINT.test(plain)) return text;
  let clean = plain;
  for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
  clean = clean.replace(credential, "$1 [redacted]");
  return clean === plain ? text : clean;
}

/**
 * Redacts a text that may be JSON, complete, truncated, or in stream events: each value is redacted separately, so that
 * JSON stays valid. A value ends at its quote, line end, or the end of the text.
 * @param known redacts exactly known secrets.
 */
export function redactJson(text: string, known: (text: string) => string): string {
  // A key after the escape `\n` starts no word until unescaped, but has the required hint.
  const isAnywhere = known(text) !== text || unescapeJson(text) !== null;
  const hints = text.matchAll(HINTS);
  let hint = hints.next().value?.index ?? text.length;
  if (hint === text.length && !isAnywhere) return text;
  const clean = (value: string): string => redactProse(known(value));
  let redacted = "";
  for (let start = 0, end = 0; start < text.length; start = end) {
    const isValue = text.startsWith('"', start);
    const quote = text.indexOf('"', start);
    end = isValue ? valueEnd(text, start) : quote < 0 ? text.length : quote;
    const token = text.slice(start, end);
    redacted += hint >= end && !isAnywhere ? token : isValue ? cleanValue(token, clean) : clean(token);
    while (hint < end) hint = hints.next().value?.index ?? text.length;
  }
  return redacted;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;

function valueEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === LINE_FEED) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

function cleanValue(token: string, clean: (value: string) => string): string {
  const whole = parsedText(token);
  const value = whole ?? parsedText(`${token}"`) ?? parsedText(`${token.replace(/\\(?:u[\da-f]{0,3})?$/i, "")}"`);
  if (value === null) return clean(token);
  const shown = clean(value);
  if (shown === value) return token;
  return whole === null ? JSON.stringify(shown).slice(0, -1) : JSON.stringify(shown);
}

function parsedText(token: string): string | null {
  try {
    return JSON.parse(token) as string;
  } catch {
    return null;
  }
}

/**
 * Replaces secrets of known forms in a text that is read as it is, without JSON escapes.
 * @param replace receives a whole key, or only the value of a credential or of a URL parameter
 */
export function replaceSecrets(text: string, replace: (secret: string) => string): string {
  if (!HINT.test(text)) return text;
  let changed = text;
  for (const [pattern] of PATTERNS) changed = changed.replace(pattern, replace);
  return changed.replace(CREDENTIAL_IN_PROSE, (whole: string) => {
    const start = whole.search(/\s\S/) + 1;
    return whole.slice(0, start) + replace(whole.slice(start));
  });
}

/** Characters before a secret that a pattern may require. */
const LEAD = 100;

/**
 * Returns where a secret that may lie across an offset of a text begins, with what it requires before it.
 * @param others further global patterns
 * @returns null without one
 */
export function findSecretAcross(text: string, at: number, others: readonly RegExp[]): number | null {
  const patterns = HINT.test(text) ? [...PATTERNS.map(([pattern]) => pattern), CREDENTIAL_IN_PROSE, ...others] : others;
  let first: number | null = null;
  for (const pattern of patterns)
    for (const { 0: found, index } of text.matchAll(pattern)) {
      if (index > at) break;
      if (index + found.length > at) first = Math.min(first ?? at, Math.max(0, index - LEAD));
    }
  return first;
}

/** A value with each text in it mapped, names of fields too. */
export function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [map(name), mapTexts(inner, map)]));
}

/** `sk-ab…wxyz`: enough to tell keys apart, not enough to use one. Short secrets show nothing. */
export function secretHint(secret: string): string {
  return secret.length < 16 ? "…" : `${secret.slice(0, 5)}…${secret.slice(-4)}`;
}
