import type { MediaKind } from "../../core/media/media-type.ts";
import type { LinePlace } from "../disk/line-log.ts";

/** A still of a video, kept among the library's files. */
export interface PosterFile {
  readonly sha256: string;
  readonly extension: string;
  readonly bytes: number;
}

/** Part of an entry in memory: enough to serve it. The rest is read from the log when shown, and searched in the index. */
export interface MediaRow {
  readonly id: string;
  readonly at: number;
  readonly kind: MediaKind;
  readonly extension: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly place: LinePlace;
  readonly missing: boolean;
  readonly poster: PosterFile | null;
  /** Until when it can be brought back, Unix ms; null while it is in the library. */
  readonly deletedUntil: number | null;
}
