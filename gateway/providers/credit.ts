import type { Credit } from "../core/money/credit.ts";

/** `credit.ts`: how a provider reports what is left of a key's credit: by a GET with the key as a bearer token. */
export interface CreditAdapter {
  /** Path below the origin. */
  readonly path: string;
  /** @returns null when the response does not say it */
  fromResponse(body: unknown): Credit | null;
}
