import type { WireRequest } from "./wire-request.ts";

/** `moderations.ts` of a provider: `/v1/moderations`, which is forwarded unchanged. */
export interface ModerationsAdapter {
  /** @param body the client's own, with the provider's id of the model */
  toRequest(body: Buffer | string, secret: string | null): WireRequest;
  /** Whether a document is a judgement. */
  isResponse(body: unknown): boolean;
}
