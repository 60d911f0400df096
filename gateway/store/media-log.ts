import { join } from "node:path";
import { LineLog } from "./line-log.ts";
import type { StoreFs } from "./store-fs.ts";

export type { LinePlace, LogDamage as MediaLogDamage } from "./line-log.ts";

export const MEDIA_LOG = "index.ndjson";

/** The library's log: what came into it, and what became of it. */
export class MediaLog extends LineLog {
  /** @param dir the library's folder */
  constructor(fs: StoreFs, dir: string) {
    super(fs, join(dir, MEDIA_LOG), { name: "media library's index" });
  }
}
