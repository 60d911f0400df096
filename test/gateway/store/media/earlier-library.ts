import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { MediaEntry, MediaOriginRecord } from "../../../../gateway/contract/media.ts";
import { findMediaType } from "../../../../gateway/core/media/media-type.ts";
import { frame } from "../../../../gateway/store/disk/line.ts";
import type { EarlierLine } from "../../../../gateway/store/media/earlier-lines.ts";
import { mediaOrigin } from "../../../support/media-samples.ts";
import { NOON } from "../fixtures.ts";
import type { Disk } from "../sim-fs.ts";

export const textOf = (lines: readonly unknown[]): string => lines.map((line) => frame(JSON.stringify(line))).join("");

/** A library as earlier versions kept it: files by their hashes, a log, and its second copy. */
export class EarlierFolder {
  readonly lines: EarlierLine[] = [{ op: "begun" }];
  readonly files = new Map<string, Buffer>();

  add(id: string, bytes: Buffer, origin: Partial<MediaOriginRecord> = {}, at = NOON): MediaEntry {
    const { sha256, extension, kind, type } = this.#save(bytes);
    const measures = { bytes: bytes.length, sha256, width: 4, height: 4, duration_ms: null };
    const entry: MediaEntry = { id, at, kind, type, ...measures, origin: mediaOrigin(origin) };
    this.lines.push({ op: "add", entry, extension });
    return entry;
  }

  setPoster(id: string, bytes: Buffer): void {
    const { sha256, extension } = this.#save(bytes);
    this.lines.push({ op: "poster", id, poster: { sha256, extension } });
  }

  /** All files by their paths in the library's folder. */
  all(): Map<string, Buffer> {
    const log = Buffer.from(textOf(this.lines));
    return new Map([...this.files, ["index.ndjson", log], ["index.copy.ndjson", log]]);
  }

  async write(dir: string): Promise<void> {
    for (const [path, bytes] of this.all()) {
      await mkdir(dirname(join(dir, "media", path)), { recursive: true });
      await writeFile(join(dir, "media", path), bytes);
    }
  }

  disk(dir: string): Disk {
    const all = [...this.all()].map(([path, bytes]) => [`${dir}/media/${path}`, bytes] as const);
    const folders = new Set([dir, `${dir}/media`, ...all.map(([path]) => dirname(path))]);
    return { files: new Map(all), folders };
  }

  #save(bytes: Buffer) {
    const type = findMediaType(bytes);
    if (type === null) throw new Error("no media");
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    this.files.set(`${sha256.slice(0, 2)}/${sha256}.${type.extension}`, bytes);
    return { ...type, sha256 };
  }
}
