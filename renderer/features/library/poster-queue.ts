import type { MediaView } from "../../../gateway/contract/media.ts";

/** Videos that are opened for their first frame at a time. */
const MOST_AT_ONCE = 2;

export interface PosterQueueDeps {
  /** Returns the first frame of a video as a base64 JPEG or WebP; null if it has none that is drawable. */
  draw(view: MediaView): Promise<string | null>;
  /** Keeps the frame. */
  save(view: MediaView, image: string): Promise<void>;
}

export interface PosterQueue {
  /**
   * Queues drawing a missing preview image, once per video.
   * @returns a function that cancels it; no effect once drawing has started
   */
  ask(view: MediaView): () => void;
}

/** Draws a few at a time, skipping videos that are no longer visible. */
export function createPosterQueue({ draw, save }: PosterQueueDeps): PosterQueue {
  const waiting = new Map<string, MediaView>();
  const started = new Set<string>();
  let busy = 0;

  const work = async (view: MediaView): Promise<void> => {
    busy += 1;
    try {
      const image = await draw(view);
      if (image !== null) await save(view, image);
    } catch {
      // Without a preview image the tile shows its kind, which is enough.
    }
    busy -= 1;
    next();
  };
  const next = (): void => {
    for (const [id, view] of waiting) {
      if (busy >= MOST_AT_ONCE) return;
      waiting.delete(id);
      started.add(id);
      void work(view);
    }
  };
  return {
    ask(view) {
      if (started.has(view.id)) return () => undefined;
      waiting.set(view.id, view);
      next();
      return () => waiting.delete(view.id);
    },
  };
}
