import { createHmac, timingSafeEqual } from "node:crypto";
import { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { MediaView } from "../../contract/media.ts";
import type { ListedMedia } from "../../store/media/media-store.ts";

/** Returns the path below `/media/` for which a link to a preview image is signed. */
export const posterPath = (id: string): string => `${id}/poster`;

/** A result as the control API shows it. */
export function toView({ entry, missing, poster, path }: ListedMedia, links: MediaLinks): MediaView {
  const { link, expiresAt } = links.sign(entry.id);
  return {
    ...entry,
    available: !missing,
    link,
    link_expires_at: expiresAt,
    poster: poster === null ? null : links.sign(posterPath(entry.id)).link,
    path,
  };
}

/** docs/specification.md#media: a link carries a signature that expires after 24 hours. */
const LINK_LIFE_MS = 24 * 60 * 60 * 1_000;

/** Signs links to results, so that an `<img>` or a player can load them without a key. */
export class MediaLinks {
  readonly #secret: Buffer;
  readonly #clock: Clock;

  constructor(secret: Buffer, clock: Clock) {
    this.#secret = secret;
    this.#clock = clock;
  }

  /** @returns path and query, and until when it works (Unix milliseconds) */
  sign(id: string): { link: string; expiresAt: number } {
    const expires = Math.floor((this.#clock.now() + LINK_LIFE_MS) / 1_000);
    const link = `/media/${id}?expires=${expires}&signature=${this.#signature(id, String(expires))}`;
    return { link, expiresAt: expires * 1_000 };
  }

  /** @throws GatewayError invalid_media_link, media_link_expired */
  check(id: string, expires: string, signature: string): void {
    const expected = Buffer.from(this.#signature(id, expires));
    const given = Buffer.from(signature);
    // Compared as text: a decoded signature would have more than one valid spelling.
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw wrongLink();
    const left = Number(expires) * 1_000 - this.#clock.now();
    // A link that was made while the clock was ahead does not live until then.
    if (left > 0 && left <= 2 * LINK_LIFE_MS) return;
    throw new GatewayError("media_link_expired", "This link has expired. Ask the media library for a fresh one.");
  }

  #signature(id: string, expires: string): string {
    return createHmac("sha256", this.#secret).update(`${id}\n${expires}`).digest("hex");
  }
}

export function wrongLink(): GatewayError {
  return new GatewayError(
    "invalid_media_link",
    "This link is not signed by this Postern. Take the whole link, with expires and signature, from the media library.",
  );
}
