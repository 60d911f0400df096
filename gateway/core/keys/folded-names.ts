import { GatewayError } from "../errors.ts";

const FOLDABLE = /[A-Z\u017F\u212A]/;

const foldName = (name: string): string => name.replaceAll("\u017F", "s").toLowerCase();

/** Tells whether a name equals a known one except for case; case folding keeps the length. */
export function isFoldedName(name: string, known: string): boolean {
  return name.length === known.length && name !== known && FOLDABLE.test(name) && foldName(name) === known;
}

/**
 * Refuses names that equal a known one except for case. Servers in Go and .NET accept them, so limits would be checked
 * for a different request than the executed one (https://pkg.go.dev/encoding/json#Unmarshal, and foldName in its
 * fold.go, which takes U+017F for s and U+212A for k; read 2026-11-29).
 * @throws GatewayError unsupported_parameter
 */
export function refuseFoldedNames(names: readonly string[], isKnown: (name: string) => boolean): void {
  for (const name of names) {
    if (!FOLDABLE.test(name)) continue;
    const folded = foldName(name);
    if (!isKnown(folded) || isKnown(name)) continue;
    throw new GatewayError(
      "unsupported_parameter",
      `Unknown parameter: '${name}'. Some servers take it for '${folded}': write '${folded}', or leave it out.`,
      { param: name },
    );
  }
}
