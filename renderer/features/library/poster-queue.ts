import type { MediaView } from "../../../gateway/contract/media.ts";

/** Videos that are opened for their first frame at a time. */
const MOST_AT_ONCE = 2;

export interface PosterQueueDeps {
  /** The first frame of a video as a JPEG or WebP in base64; null where it has none that can be shown. */
  draw(view: MediaView): Promise<string | null>;
  /** Keeps the frame. */
  save(view: MediaView, image: string): Promise<void>;
}

export interface PosterQueue {
  /**
   * Draws the still of a video that has none, when its turn comes: each video once.
   * @returns what takes the wish back; without an effect once it is being drawn
   */
  ask(view: MediaView): () => void;
}

/** A few at a time, and only those that are still in sight when their turn comes. */
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
      // Without a still the tile shows what kind it is: no one has to do anything about it.
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
