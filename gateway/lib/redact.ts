/**
 * Takes secrets out of text that people or logs will see: vendor error messages, our own errors, log fields.
 * Known forms: `sk-…` and its relatives (`sk_`, `xai-`, `pa-`, `gsk_`, `whsec_`), Google's `AIza…`, bearer values, and
 * key-like query parameters. What remains says that something was there.
 */
const PATTERNS: readonly RegExp[] = [
  // Their base64 has characters that no other key has.
  /\b(whsec)_[A-Za-z0-9+/=_-]{8,}/g,
  /\b(sk|rk|pk|xai|pa|gsk|tok)[-_][A-Za-z0-9_*-]{8,}/g,
  /\bAIza[A-Za-z0-9_-]{20,}/g,
  /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  /([?&](?:key|api_key|apikey|token|access_token)=)[^&\s"']+/gi,
];

const SCHEME_INDEX = 3;

const REPLACEMENTS = ["$1_[redacted]", "$1-[redacted]", "[redacted]", "$1 [redacted]", "$1[redacted]"] as const;

/** Something that every pattern above needs: most text has none of it, and is looked at once instead of four times. */
const HINT = /[srp]k[-_]|xai[-_]|pa[-_]|whsec|tok[-_]|AIza|bearer|basic|key=|token=/i;

/** `text` without secrets. `known` are exact values to remove besides the known forms. */
export function redact(text: string, known: readonly string[] = []): string {
  let clean = text;
  for (const value of known) if (value.length >= 4) clean = clean.replaceAll(value, "[redacted]");
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

/** `sk-ab…wxyz`: enough to tell keys apart, not enough to use one. Short secrets show nothing. */
export function secretHint(secret: string): string {
  return secret.length < 16 ? "…" : `${secret.slice(0, 5)}…${secret.slice(-4)}`;
}
