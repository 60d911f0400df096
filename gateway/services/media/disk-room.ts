import { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { LOW_WATER_BYTES } from "../../store/media/media-files.ts";

/** Milliseconds for which a disk check is cached: a burst of requests costs one check. */
const FRESH_MS = 5_000;

/** Tells whether results of a paid call could be saved. */
export class DiskRoom {
  readonly #clock: Clock;
  readonly #freeBytes: () => Promise<number>;
  #known: { readonly free: Promise<number>; readonly at: number } | null = null;

  /** @param freeBytes free bytes of the data folder's disk; infinite if unknown */
  constructor(clock: Clock, freeBytes: () => Promise<number>) {
    this.#clock = clock;
    this.#freeBytes = freeBytes;
  }

  /** @throws GatewayError storage_unavailable */
  async require(): Promise<void> {
    const now = this.#clock.monotonic();
    if (this.#known === null || now - this.#known.at >= FRESH_MS) {
      this.#known = { free: this.#freeBytes().catch(() => Number.POSITIVE_INFINITY), at: now };
    }
    const free = await this.#known.free;
    if (free >= LOW_WATER_BYTES) return;
    throw new GatewayError(
      "storage_unavailable",
      `Only ${mib(free)} MiB are free on the disk of the data folder, and ${mib(LOW_WATER_BYTES)} MiB must stay free, so ` +
        "that what this would make could not be saved. No provider was asked. Make room on that disk, or let the media " +
        "library remove its oldest results, and try again.",
    );
  }
}

const mib = (bytes: number): number => Math.floor(bytes / 1024 ** 2);
