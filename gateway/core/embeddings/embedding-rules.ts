import { GatewayError } from "../errors.ts";

/** The rules of an embedding model. */
export interface EmbeddingRules {
  /** Accepted `dimensions`; `fixed` if the field is not supported. */
  readonly dimensions:
    | { readonly oneOf: readonly number[] }
    | { readonly least: number; readonly most: number }
    | "fixed";
  /** Default vector length. */
  readonly standard: number;
}

/**
 * The vector length to ask for; null for the model's own.
 * @param dimensions as the client sent it; null and undefined mean absent.
 * @param rules undefined for models that only a provider's list knows: the provider decides.
 * @throws GatewayError naming the accepted values (400).
 */
export function checkDimensions(
  dimensions: number | null | undefined,
  model: string,
  rules: EmbeddingRules | undefined,
): number | null {
  if (dimensions === null || dimensions === undefined) return null;
  if (rules?.dimensions === "fixed") {
    throw new GatewayError(
      "unsupported_parameter",
      `'dimensions' is not accepted for the model "${model}": its vectors always have ${rules.standard} numbers. Leave it out.`,
      { param: "dimensions" },
    );
  }
  if (accepts(dimensions, rules)) return dimensions;
  const accepted =
    rules === undefined ? "expected a whole number of at least 1" : `the model "${model}" accepts ${inWords(rules)}`;
  throw new GatewayError("invalid_value", `Invalid value for 'dimensions': ${dimensions}; ${accepted}.`, {
    param: "dimensions",
  });
}

function accepts(dimensions: number, rules: EmbeddingRules | undefined): boolean {
  if (!Number.isSafeInteger(dimensions) || dimensions < 1) return false;
  if (rules === undefined || rules.dimensions === "fixed") return true;
  if ("oneOf" in rules.dimensions) return rules.dimensions.oneOf.includes(dimensions);
  return dimensions >= rules.dimensions.least && dimensions <= rules.dimensions.most;
}

function inWords({ dimensions, standard }: EmbeddingRules): string {
  if (dimensions === "fixed") return String(standard);
  if ("least" in dimensions) return `whole numbers from ${dimensions.least} to ${dimensions.most}`;
  return `${dimensions.oneOf.slice(0, -1).join(", ")} and ${dimensions.oneOf.at(-1)}`;
}
