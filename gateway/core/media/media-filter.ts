import type { MediaKind } from "./media-type.ts";

/** Filter of a list of the library. */
export interface MediaFilter {
  readonly kind?: MediaKind | undefined;
  readonly model?: string | undefined;
  readonly key?: string | undefined;
  /** Words of the prompt; every one must be there, in any case and order, also as a part of a longer word. */
  readonly q?: string | undefined;
  /** Saved from here, and before there. Unix milliseconds. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Min cost, 10⁻⁹ USD. */
  readonly minNano?: number | undefined;
}
