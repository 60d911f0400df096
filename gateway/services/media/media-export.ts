import { randomBytes } from "node:crypto";
import type { MediaOriginRecord } from "../../contract/media.ts";
import { GatewayError } from "../../core/errors.ts";
import { utcDay } from "../../lib/clock.ts";
import type { Clock } from "../../lib/clock.ts";
import { usdFromNano } from "../../lib/money.ts";
import type { MediaStore } from "../../store/media/media-store.ts";
import type { Sidecar } from "../../store/media/sidecar.ts";
import type { StoreFile } from "../../store/disk/store-fs.ts";
import { fileChunks } from "./file-chunks.ts";

/** Contract of `exportMedia`: "it works for ten minutes". */
const LINK_LIFE_MS = 10 * 60_000;
/** Max unused links; the oldest one is evicted. */
const MOST_LINKS = 50;

/** A ZIP being downloaded. Its receiver closes it, however it ended. */
export interface MediaArchive {
  readonly name: string;
  readonly stream: ReadableStream<Uint8Array>;
  close(): Promise<void>;
}

interface Part {
  readonly name: string;
  readonly lastModified: Date;
  readonly input: string | AsyncGenerator<Buffer>;
}

/** Entry of `index.json`. */
interface Listed {
  readonly id: string;
  /** Null if the file or its record is gone. */
  readonly file: string | null;
  readonly provenance: string | null;
  readonly sha256: string | null;
}

/** Exports results as a ZIP with their origin, by single-use links. */
export class MediaExport {
  readonly #clock: Clock;
  readonly #store: () => Promise<MediaStore>;
  readonly #links = new Map<string, { readonly ids: readonly string[]; readonly expiresAt: number }>();

  constructor(clock: Clock, store: () => Promise<MediaStore>) {
    this.#clock = clock;
    this.#store = store;
  }

  /** @returns path of the link. @throws GatewayError not_found when none of them is in the library */
  async offer(ids: readonly string[]): Promise<{ link: string }> {
    const store = await this.#store();
    const uniqueIds = [...new Set(ids)];
    const found = await Promise.all(uniqueIds.map((id) => store.find(id)));
    if (found.every((one) => one === null)) {
      throw new GatewayError("not_found", "None of these results is in the media library any more.");
    }
    const token = randomBytes(32).toString("base64url");
    this.#links.set(token, { ids: uniqueIds, expiresAt: this.#clock.monotonic() + LINK_LIFE_MS });
    for (const oldest of this.#links.keys()) {
      if (this.#links.size <= MOST_LINKS) break;
      this.#links.delete(oldest);
    }
    return { link: `/media/export/${token}` };
  }

  /** Takes a link, which works no second time. @throws GatewayError invalid_media_link, media_link_expired */
  async open(token: string): Promise<MediaArchive> {
    const offered = this.#links.get(token);
    this.#links.delete(token);
    if (offered === undefined) {
      throw new GatewayError("invalid_media_link", "This link was used already, or is none. Export the results again.");
    }
    if (this.#clock.monotonic() >= offered.expiresAt) {
      throw new GatewayError("media_link_expired", "This link has expired. Export the results again.");
    }
    const [store, { makeZip }] = await Promise.all([this.#store(), import("client-zip")]);
    const opened = { file: null as StoreFile | null };
    const parts = listParts(store, offered.ids, new Date(this.#clock.now()), opened);
    return {
      name: `postern-media-${utcDay(this.#clock.now())}.zip`,
      stream: makeZip(parts),
      close: async () => {
        await opened.file?.close();
        opened.file = null;
      },
    };
  }
}

/** @param opened receives the file that is being read: one at a time, and a receiver that stops early closes it */
async function* listParts(
  store: MediaStore,
  ids: readonly string[],
  now: Date,
  opened: { file: StoreFile | null },
): AsyncGenerator<Part> {
  const listed: Listed[] = [];
  for (const id of ids) {
    const found = await store.find(id);
    if (found === null) {
      listed.push({ id, file: null, provenance: null, sha256: null });
      continue;
    }
    const name = buildName(found);
    const lastModified = new Date(found.entry.at);
    opened.file = await store.files.open(found);
    const there = opened.file !== null;
    listed.push({ id, file: there ? name : null, provenance: `${name}.json`, sha256: found.entry.sha256 });
    if (opened.file !== null) yield { name, lastModified, input: fileChunks(opened.file, 0, found.entry.bytes - 1) };
    await opened.file?.close();
    opened.file = null;
    yield { name: `${name}.json`, lastModified, input: json(buildProvenance(found)) };
  }
  yield { name: "index.json", lastModified: now, input: json({ exported_at: now.toISOString(), results: listed }) };
}

/** Builds a name from our own data only: day, model, id. */
function buildName({ entry, extension }: Sidecar): string {
  const model = (entry.origin?.model ?? "unknown").replace(/[^A-Za-z0-9-]+/g, "-").slice(0, 60);
  return `${utcDay(entry.at)}-${model}-${entry.id.replace(/\W/g, "").slice(0, 40)}.${extension}`;
}

function buildProvenance({ entry }: Sidecar): Record<string, unknown> {
  const { id, at, kind, type, bytes, sha256, width, height, duration_ms, origin } = entry;
  return {
    id,
    created: new Date(at).toISOString(),
    kind,
    type,
    bytes,
    sha256,
    width,
    height,
    duration_ms,
    ...(origin === null ? { origin: "unknown" } : buildOrigin(origin)),
  };
}

function buildOrigin(origin: MediaOriginRecord): Record<string, unknown> {
  const { request_id, key, endpoint, model, provider, prompt, parameters, seed, nano, sandbox } = origin;
  const cost_usd = nano === null ? null : usdFromNano(nano);
  return { prompt, model, provider, parameters, seed, cost_usd, key, request_id, endpoint, sandbox };
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
