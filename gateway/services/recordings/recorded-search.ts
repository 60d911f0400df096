import { recordingSchema } from "../../contract/requests.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import type { Clock } from "../../lib/clock.ts";
import { Slices } from "../../lib/slices.ts";
import type { RecordingLog } from "../../store/recording-log.ts";
import { recordingHas } from "./recorded-text.ts";

/** Number of cached searches, which let the next page continue where one ended. */
const KEPT = 4;

/** Requests in whose recordings something was found. */
export interface FoundRecordings {
  readonly ids: ReadonlySet<string>;
  /** Recordings of calls that began before this moment (Unix ms) were not searched; -Infinity when all were. */
  readonly from: number;
}

/** The result of one segment: bytes that were searched, and the ids found in them. */
interface Searched {
  readonly bytes: number;
  readonly ids: readonly string[];
}

/** Finds text in recordings: the newest first, a part of them at a time, and none of them twice. */
export class RecordedSearch {
  readonly #recordings: Pick<RecordingLog, "segments" | "read">;
  readonly #clock: Clock;
  readonly #calls = new BoundedMap<string, Map<number, Searched>>(KEPT);

  constructor(recordings: Pick<RecordingLog, "segments" | "read">, clock: Clock) {
    this.#recordings = recordings;
    this.#clock = clock;
  }

  /** @param text in any case @param most bytes that are read; the last segment is finished */
  async find(text: string, most: number): Promise<FoundRecordings> {
    const low = text.toLowerCase();
    const searched = this.#calls.get(low) ?? new Map<number, Searched>();
    this.#calls.set(low, searched);
    const slices = new Slices(this.#clock);
    const ids = new Set<string>();
    const segments = await this.#recordings.segments();
    for (const start of searched.keys()) {
      if (!segments.some((segment) => segment.start === start)) searched.delete(start);
    }
    let left = most;
    for (const { start, bytes } of segments.toReversed()) {
      const known = searched.get(start) ?? { bytes: 0, ids: [] };
      const found = bytes > known.bytes ? await this.#search(start, known, low, slices) : known;
      searched.set(start, found);
      for (const id of found.ids) ids.add(id);
      left -= found.bytes - known.bytes;
      if (left <= 0 && start !== segments[0]?.start) return { ids, from: start };
    }
    return { ids, from: -Infinity };
  }

  async #search(start: number, known: Searched, low: string, slices: Slices): Promise<Searched> {
    const ids: string[] = [...known.ids];
    const bytes = await this.#recordings.read(start, known.bytes, async (value) => {
      const recording = recordingSchema.safeParse(value);
      if (recording.success && recordingHas(recording.data, low)) ids.push(recording.data.id);
      if (slices.over) await slices.pause();
    });
    return { bytes, ids };
  }
}
