import type { Connection } from "../connections/connection.ts";

/** Where the bytes of a result are. */
export type MediaSource =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  /** At an address that the provider gave; read through the checked HTTP client, without the provider's key. */
  | { readonly kind: "url"; readonly url: string; readonly connection: Connection };

/** What a result came from; kept beside it. */
export interface MediaOrigin {
  readonly requestId: string;
  /** Id of the local key that asked. */
  readonly keyId: string;
  /** As receipts name it: `speech`, `images`, `edits`. */
  readonly endpoint: string;
  /** The public model id. */
  readonly model: string;
  /** As `x-postern-provider` names it. */
  readonly provider: string;
  /** The text that was asked for; cut when it is very long. */
  readonly prompt: string;
  /** The other parameters of the request, without media and without keys. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly seed: number | null;
  /** 10⁻⁹ USD of the whole call; null when unpriced. */
  readonly nano: number | null;
  readonly sandbox: boolean;
}

/**
 * Saves a result to the library. Never throws and never rejects: what cannot be saved becomes a notice.
 * @returns its id there once it is saved; null when it was not, or Postern stops before that.
 */
export type KeepMedia = (source: MediaSource, origin: MediaOrigin) => Promise<string | null>;
