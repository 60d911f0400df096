import type { MediaPage, MediaView } from "../../../../gateway/contract/media.ts";
import type { PageStart } from "../../../../renderer/lib/list-chunks.ts";
import { mediaOrigin } from "../../../support/media-samples.ts";

export const NOW = 1_800_000_000_000;
const DAY = 86_400_000;

/** A result by its number: the higher, the newer. */
export function mediaView(number: number, change: Partial<MediaView> = {}): MediaView {
  return {
    id: `med_${number}`,
    at: NOW - 1_000_000 + number,
    kind: "image",
    type: "image/png",
    bytes: 1_234,
    sha256: "0".repeat(64),
    width: 64,
    height: 64,
    duration_ms: null,
    origin: mediaOrigin(),
    available: true,
    link: `/media/med_${number}?expires=1&signature=a`,
    link_expires_at: NOW + DAY,
    poster: null,
    path: `/data/media/00/${"0".repeat(64)}.png`,
    ...change,
  };
}

/** A library that pages as the gateway does: newest first, by cursors that name the last result of a page, and by places. */
export class LibraryFake {
  views: MediaView[];
  /** Questions so far: the cursor, the results to pass over, and the limit. */
  readonly requests: (readonly [before: string | null, offset: number, limit: number])[] = [];
  /** What the next question meets instead of a response. */
  failure: Error | null = null;
  /** Signs links again with each response, as the gateway does. */
  signature = 0;

  constructor(count: number) {
    this.views = Array.from({ length: count }, (_, index) => mediaView(count - index));
  }

  page({ before, offset }: PageStart, limit: number): MediaPage {
    const number = (view: MediaView): number => Number(view.id.slice(4));
    const start = before === null ? 0 : this.views.findIndex((view) => number(view) < Number(before));
    const from = start === -1 ? this.views.length : start + offset;
    const last = this.views[from + limit - 1];
    const more = from + limit < this.views.length;
    this.signature += 1;
    const data = this.views
      .slice(from, from + limit)
      .map((view) => ({ ...view, link: view.link.replace(/signature=.*/, `signature=${this.signature}`) }));
    const cursor = more && last ? String(number(last)) : null;
    return { data, cursor, pending: 0, total: this.views.length, rebuilding: null };
  }

  readonly fetchPage = async (from: PageStart, limit: number): Promise<MediaPage> => {
    this.requests.push([from.before, from.offset, limit]);
    await Promise.resolve();
    if (this.failure !== null) throw this.failure;
    return this.page(from, limit);
  };
}
