import type { AllowedOutput, DialectCall } from "./wire-request.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Min useful output: no request is sent with a lower bound, unless its client set one. */
export const LEAST_OUTPUT = 64;

/** Reads a bound as clients write it; null for an invalid one. */
export function readBound(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Returns the smaller of two bounds; null without either. */
export function lower(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

/** Converts a bound for a request: null if unlimited. */
export function finite(bound: number | null): number | null {
  return bound === Infinity ? null : bound;
}

/** Reads the number of choices of a chat request and the bound of each; with both fields the smaller one. */
export function readChatBounds(body: Fields): { readonly choices: number; readonly bound: number | null } {
  const choices = readBound(body["n"]) ?? 1;
  return {
    choices: Math.max(1, choices),
    bound: lower(readBound(body["max_completion_tokens"]), readBound(body["max_tokens"])),
  };
}

/** The fields that bound a response in the common chat API. */
export type BoundField = "max_completion_tokens" | "max_tokens";
const BOUND_FIELDS: readonly BoundField[] = ["max_completion_tokens", "max_tokens"];

/** Whether the client gave the field a value. */
export function isGiven(body: Fields, field: BoundField): boolean {
  return body[field] !== undefined && body[field] !== null;
}

/**
 * Tells whether a bound must be added to a request, or one of two removed, because it is unknown which one a provider
 * obeys.
 */
export function needsBound({ body, bound }: Pick<DialectCall, "body" | "bound">): boolean {
  return bound !== null || BOUND_FIELDS.every((field) => isGiven(body, field));
}

/**
 * Returns the changes that leave one bound of the whole response, under exactly these names: the lower one of the
 * client's and of what the money covers. Empty if nothing changes.
 */
export function setBound({ body, bound }: Pick<DialectCall, "body" | "bound">, fields: readonly BoundField[]): Fields {
  const target = lower(readChatBounds(body).bound, finite(bound));
  if (target === null) return NONE;
  const changes: Record<string, unknown> = {};
  for (const field of BOUND_FIELDS) {
    const value = fields.includes(field) ? target : undefined;
    if (value === undefined ? isGiven(body, field) : body[field] !== value) changes[field] = value;
  }
  return changes;
}

const NONE: Fields = {};

/** Returns the limits of a chat request whose bound counts the whole response. */
export function allowedInChat({ body, bound }: Pick<DialectCall, "body" | "bound">): AllowedOutput {
  const requested = readChatBounds(body);
  return readAllowed(lower(requested.bound, finite(bound)), requested.choices, requested.bound);
}

/** @param requested by the client: it may be lower than what is of use to others. */
export function readAllowed(
  perChoice: number | null,
  choices: number,
  requested: number | null,
  least = LEAST_OUTPUT,
): AllowedOutput {
  return { perChoice, choices, least: lower(requested, least) ?? least };
}
