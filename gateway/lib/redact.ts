import { isRecord } from "./records.ts";

/**
 * Takes secrets out of text that people or logs will see: provider error messages, our own errors, log fields.
 * Known forms: `sk-…` and its relatives (`sk_`, `xai-`, `pa-`, `gsk_`, `whsec_`), Google's `AIza…`, bearer values, and
 * key-like query parameters. What remains says that something was there.
 */
const PATTERNS: readonly RegExp[] = [
  // Their base64 has characters that no other key has.
  /\b(whsec)_[A-Za-z0-9+/=_-]{8,}/g,
  /\b(sk|rk|pk|xai|pa|gsk|tok)[-_][A-Za-z0-9_*-]{8,}/g,
  /\bAIza[A-Za-z0-9_-]{20,}/g,
  /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  /([?&](?:key|api_key|apikey|token|access_token)=)[^&\s"'\\]+/gi,
];

const SCHEME_INDEX = 3;

const REPLACEMENTS = ["$1_[redacted]", "$1-[redacted]", "[redacted]", "$1 [redacted]", "$1[redacted]"] as const;

/** Something that every pattern above needs: most text has none of it, and is looked at once instead of four times. */
const HINT = /[srp]k[-_]|xai[-_]|pa[-_]|whsec|tok[-_]|AIza|bearer|basic|key=|token=/i;

/** `text` without secrets. `known` are exact values to remove besides the known forms. */
export function redact(text: string, known: readonly string[] = []): string {
  let clean = text;
  for (const value of known) if (value.length >= 4) clean = clean.replaceAll(value, "[redacted]");
  // What was taken out of the bytes that this came in was filled up to its length.
  if (clean.includes("[redacted]*")) clean = clean.replace(/\[redacted\]\*+/g, "[redacted]");
  if (!HINT.test(clean)) return clean;
  for (const [index, pattern] of PATTERNS.entries())
    clean = clean.replace(pattern, REPLACEMENTS[index] ?? "[redacted]");
  return clean;
}

/** "basic instructions" and "bearer instruments" are words of a language; a credential has figures, capitals or signs. */
const SCHEME = /\b([Bb]earer|[Bb]asic|BEARER|BASIC)\s+(?![A-Za-z]?[a-z]+(?![A-Za-z0-9_~+/=-]))[A-Za-z0-9._~+/=-]{8,}/g;

/** The same for long texts that people wrote, which must stay what they are: only what looks like a key is taken out. */
export function redactProse(text: string): string {
  if (!HINT.test(text)) return text;
  let clean = text;
  for (const [index, pattern] of PATTERNS.entries()) {
    const isScheme = index === SCHEME_INDEX;
    clean = clean.replace(isScheme ? SCHEME : pattern, REPLACEMENTS[index] ?? "[redacted]");
  }
  return clean;
}

/** A text of JSON, or one that is cut: what stands between two quotes, a quote without its other, and all else. */
const TOKENS = /"[^"\\]*(?:\\[^][^"\\]*)*"|"|[^"]+/g;

/**
 * The same for a text that may be JSON, whole, cut, or in the events of a stream: what is redacted is each value, so that
 * JSON stays JSON.
 * @param known takes out secrets that are known to the letter.
 */
export function redactJson(text: string, known: (text: string) => string): string {
  // A key behind `\n` begins no word before that is unescaped, but it has all that a hint needs.
  if (!HINT.test(text) && known(text) === text) return text;
  const clean = (value: string): string => redactProse(known(value));
  return text.replace(TOKENS, (token) => {
    if (token.length < 2 || !token.startsWith('"')) return clean(token);
    const value = parsedText(token);
    if (value === null) return clean(token);
    const shown = clean(value);
    return shown === value ? token : JSON.stringify(shown);
  });
}

function parsedText(token: string): string | null {
  try {
    return JSON.parse(token) as string;
  } catch {
    return null;
  }
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
