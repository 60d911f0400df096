import type { MediaEntry, MediaOriginRecord } from "../../../../gateway/contract/media.ts";
import type { MediaDisk } from "../../../../gateway/store/media/media-disk.ts";
import { MediaStore, type MediaStoreOptions } from "../../../../gateway/store/media/media-store.ts";
import { mediaOrigin } from "../../../support/media-samples.ts";
import { FixedClock, NOON } from "../fixtures.ts";

/** A disk with room. */
export const ROOMY: MediaDisk = { freeBytes: async () => 2 ** 40 };

export const openMedia = (options: Partial<MediaStoreOptions> & { dir: string }): Promise<MediaStore> =>
  MediaStore.open({ clock: new FixedClock(), log: () => undefined, ledger: null, readOnly: false, ...options });

/** Saves bytes and enters them, as the library's service does. */
export async function addMedia(
  store: MediaStore,
  id: string,
  bytes: Buffer,
  origin: Partial<MediaOriginRecord> = {},
  at = NOON,
): Promise<MediaEntry> {
  const file = await store.save(id, [bytes]);
  const { type, sha256, measure, bytes: size } = file;
  const entry: MediaEntry = {
    id,
    at,
    kind: type.kind,
    type: type.type,
    bytes: size,
    sha256,
    width: measure.width,
    height: measure.height,
    duration_ms: measure.durationMs,
    origin: mediaOrigin(origin),
  };
  await store.enter(entry, file);
  return entry;
}

/** Ids, newest first. */
export async function idsOf(store: MediaStore): Promise<string[]> {
  return (await store.list({ limit: 1_000, before: null })).data.map(({ entry }) => entry.id);
}
