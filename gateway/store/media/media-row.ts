import type { MediaKind } from "../../core/media/media-type.ts";
import { searchWords } from "../../core/media/prompt-search.ts";
import type { LinePlace } from "../disk/line-log.ts";

/** A still of a video, kept among the library's files. */
export interface PosterFile {
  readonly sha256: string;
  readonly extension: string;
  readonly bytes: number;
}

/** Part of an entry in memory: enough to find, filter and serve it. The rest is read from the log when shown. */
export interface MediaRow {
  readonly id: string;
  /** Position in the order of saving, which cursors name. */
  readonly number: number;
  readonly at: number;
  readonly kind: MediaKind;
  /** Empty if its origin is unknown; so are key and prompt. */
  readonly model: string;
  /** Id of the local key that asked. */
  readonly key: string;
  /** 10⁻⁹ USD of the whole call; null when unpriced. */
  readonly nano: number | null;
  /** `searchText` of it. */
  readonly prompt: string;
  readonly extension: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly place: LinePlace;
  readonly missing: boolean;
  readonly poster: PosterFile | null;
  /** Until when it can be brought back, Unix ms; null while it is in the library. */
  readonly deletedUntil: number | null;
}

/** Filter of a list. */
export interface MediaFilter {
  readonly kind?: MediaKind | undefined;
  readonly model?: string | undefined;
  readonly key?: string | undefined;
  /** Words of the prompt; every one must be there, in any case and order, also as a part of a longer word. */
  readonly q?: string | undefined;
  /** Saved from here, and before there. Unix milliseconds. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Cost at least so much, 10⁻⁹ USD. */
  readonly minNano?: number | undefined;
}

/** Whether a row is asked for; null when every one is. */
export function matcherOf(filter: MediaFilter): ((row: MediaRow) => boolean) | null {
  const { kind, model, key, since, until, minNano } = filter;
  const words = searchWords(filter.q ?? "");
  const tests = [
    kind === undefined ? null : (row: MediaRow) => row.kind === kind,
    model === undefined ? null : (row: MediaRow) => row.model === model,
    key === undefined ? null : (row: MediaRow) => row.key === key,
    since === undefined ? null : (row: MediaRow) => row.at >= since,
    until === undefined ? null : (row: MediaRow) => row.at < until,
    minNano === undefined ? null : (row: MediaRow) => row.nano !== null && row.nano >= minNano,
    ...words.map((word) => (row: MediaRow) => row.prompt.includes(word)),
  ].filter((test) => test !== null);
  return tests.length === 0 ? null : (row) => tests.every((test) => test(row));
}
