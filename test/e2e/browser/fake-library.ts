import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { MediaPage, MediaView } from "../../../gateway/contract/media.ts";
import { drawPicture } from "../../../gateway/sandbox/images/picture.ts";
import { type FakeControl, refusal } from "./fake-control.ts";
import { mediaOrigin, wav } from "../../support/media-samples.ts";

/** Real files, small: a browser shows and plays them. */
const FIXTURES = join(import.meta.dirname, "../../fixtures/media");
const video = readFileSync(join(FIXTURES, "faststart.mp4"));
const pictures = Array.from({ length: 8 }, (_, index) =>
  drawPicture({ digits: `picture ${index}`, width: 320 + index * 32, height: 240, format: "jpeg" }),
);
const sound = wav(1_500);

const now = Date.now();
const HOUR = 3_600_000;
const words = ["A lighthouse at dusk", "红色的灯塔", "Two foxes in the snow, oil on canvas", "A calm voice that reads"];

const SHARED = { available: true, link_expires_at: now + 24 * HOUR, poster: null } as const;

/** A result by its number: the higher, the newer. Every tenth is a sound, every seventh a video. */
export function resultOf(number: number, change: Partial<MediaView> = {}): MediaView {
  const kind = change.kind ?? (number % 10 === 0 ? "audio" : number % 7 === 0 ? "video" : "image");
  const facts = {
    image: { type: "image/jpeg", bytes: 24_310, width: 320 + (number % 8) * 32, height: 240, duration_ms: null },
    audio: { type: "audio/wav", bytes: sound.length, width: null, height: null, duration_ms: 1_500 },
    video: { type: "video/mp4", bytes: video.length, width: 320, height: 180, duration_ms: 2_500 },
  }[kind];
  const sha256 = number.toString(16).padStart(64, "ab");
  const endpoint = { image: "images", audio: "speech", video: "videos" }[kind];
  const model = { image: "gpt-image-1", audio: "tts-1", video: "beta-video-1.0" }[kind];
  return {
    id: `med_${number}`,
    at: now - (100_000 - number) * 60_000,
    kind,
    ...facts,
    sha256,
    origin: mediaOrigin({
      request_id: `req_${String(number).padStart(20, "0")}`,
      key: `key_${(number % 3) + 1}`,
      endpoint,
      model,
      prompt: `${words[number % words.length]}, number ${number}`,
      seed: number,
      nano: number % 11 === 0 ? null : 40_000_000 + number,
      sandbox: number % 13 === 0,
    }),
    ...SHARED,
    link: `/media/med_${number}?expires=${now + 24 * HOUR}&signature=${"0".repeat(64)}`,
    path: `/home/ada/.local/share/postern/media/${sha256.slice(0, 2)}/${sha256}.${kind === "audio" ? "wav" : "jpg"}`,
    ...change,
  };
}

/** Results by their number: twelve thousand are not made again for each test. */
const made = new Map<number, readonly MediaView[]>();

function madeViews(count: number): readonly MediaView[] {
  const views = made.get(count) ?? Array.from({ length: count }, (_, index) => resultOf(count - index));
  made.set(count, views);
  return views;
}

export interface FakeLibrary {
  /** Newest first. */
  views: MediaView[];
  pending: number;
  rebuilding: number | null;
  /** Stills that pages have drawn, by the id of their video. */
  readonly posters: Map<string, Buffer>;
  /** Bodies of the exports that were asked for. */
  readonly exported: string[][];
  /** How often each file was asked for, by id. */
  readonly files: Map<string, number>;
}

/** The media library of a fake control server: the operations of the contract over a list in memory. */
export function addLibrary(fake: FakeControl, count: number): FakeLibrary {
  const gone = new Map<string, MediaView>();
  const library: FakeLibrary = {
    views: [...madeViews(count)],
    pending: 0,
    rebuilding: null,
    posters: new Map(),
    exported: [],
    files: new Map(),
  };
  const find = (id: string): MediaView | undefined => library.views.find((view) => view.id === id);

  const response = (route: string, id: string, query: URLSearchParams, body: Record<string, unknown>): unknown => {
    const ids = (body["ids"] ?? []) as string[];
    switch (route) {
      case "GET /control/media":
        return pageOf(library, query);
      case "GET /control/media/:id":
        return find(id);
      case "POST /control/media/delete":
        for (const view of library.views.filter((each) => ids.includes(each.id))) gone.set(view.id, view);
        library.views = library.views.filter((view) => !ids.includes(view.id));
        fake.emit({ type: "media.changed" });
        return { deleted: ids, undo_until: Date.now() + 10_000 };
      case "POST /control/media/restore":
        library.views = [...library.views, ...ids.flatMap((each) => gone.get(each) ?? [])].toSorted(
          (a, b) => numberOf(b) - numberOf(a),
        );
        fake.emit({ type: "media.changed" });
        return { restored: ids };
      case "POST /control/media/export":
        library.exported.push(ids);
        return { link: "/media-export/e1?signature=abc" };
      case "POST /control/media/:id/poster":
        library.posters.set(id, Buffer.from(String(body["image"]), "base64"));
        library.views = library.views.map((view) =>
          view.id === id ? { ...view, poster: `/media/poster_${id}?expires=1&signature=b` } : view,
        );
        return { ok: true };
      default:
        return undefined;
    }
  };

  fake.serve = async (incoming, outgoing, { pathname, searchParams }) => {
    if (pathname.startsWith("/media")) {
      serveFile(library, pathname, incoming, outgoing);
      return true;
    }
    const [, id = "", more = ""] = /^\/control\/media\/(med_\w+)(\/poster)?$/.exec(pathname) ?? [];
    const route = `${incoming.method} ${id === "" ? pathname : `/control/media/:id${more}`}`;
    if (!pathname.startsWith("/control/media")) return false;
    const found = response(route, id, searchParams, await bodyOf(incoming));
    const missing = refusal(404, `There is no ${id} in the media library.`, "not_found");
    outgoing.writeHead(found === undefined ? missing.status : 200, { "content-type": "application/json" });
    outgoing.end(JSON.stringify(found ?? missing.body));
    return true;
  };
  return library;
}

const numberOf = ({ id }: MediaView): number => Number(id.slice(4));

function pageOf(library: FakeLibrary, query: URLSearchParams): MediaPage {
  const number = (name: string, otherwise: number): number => Number(query.get(name) ?? otherwise);
  const expected = (query.get("q") ?? "").toLowerCase().split(/\s+/);
  const isFiltered = [...query.keys()].some((name) => !["limit", "before", "offset"].includes(name));
  const matching = !isFiltered
    ? library.views
    : library.views.filter(
        (view) =>
          expected.every((word) => (view.origin?.prompt ?? "").toLowerCase().includes(word)) &&
          [view.kind, null].includes(query.get("kind") as MediaView["kind"] | null) &&
          [view.origin?.model, null].includes(query.get("model")) &&
          [view.origin?.key, null].includes(query.get("key")) &&
          view.at >= number("since", 0) &&
          view.at < number("until", Number.POSITIVE_INFINITY) &&
          (view.origin?.nano ?? -1) >= number("min_nano", -1),
      );
  const before = number("before", Number.POSITIVE_INFINITY);
  const start = matching.findIndex((view) => numberOf(view) < before);
  const from = start === -1 ? matching.length : start + number("offset", 0);
  const data = matching.slice(from, from + number("limit", 50));
  const last = data.at(-1);
  const ends = from + data.length >= matching.length || last === undefined;
  return {
    data,
    cursor: ends ? null : String(numberOf(last)),
    pending: library.pending,
    total: matching.length,
    rebuilding: library.rebuilding,
  };
}

/** As the gateway serves them, ranges too: without them a browser cannot move about in a video. */
function serveFile(library: FakeLibrary, path: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (path.startsWith("/media-export/")) {
    const headers = { "content-type": "application/zip", "content-disposition": 'attachment; filename="postern.zip"' };
    return void outgoing.writeHead(200, headers).end("PK\u0005\u0006".padEnd(22, "\0"));
  }
  const id = path.slice("/media/".length);
  library.files.set(id, (library.files.get(id) ?? 0) + 1);
  const poster = library.posters.get(id.replace("poster_", ""));
  const view = library.views.find((each) => each.id === id);
  const [type, bytes] =
    id.startsWith("poster_") && poster !== undefined
      ? ["image/webp", poster]
      : view === undefined || !view.available
        ? ["", null]
        : [view.type, view.kind === "video" ? video : view.kind === "audio" ? sound : pictureOf(view)];
  if (bytes === null || bytes === undefined) return void outgoing.writeHead(404).end();
  const range = /^bytes=(\d+)-(\d*)$/.exec(incoming.headers.range ?? "");
  const first = Number(range?.[1] ?? 0);
  const last = Math.min(bytes.length - 1, range?.[2] ? Number(range[2]) : bytes.length - 1);
  outgoing.writeHead(range === null ? 200 : 206, {
    "content-type": type,
    "content-length": last - first + 1,
    "accept-ranges": "bytes",
    "cache-control": "private, max-age=86400, immutable",
    ...(range !== null && { "content-range": `bytes ${first}-${last}/${bytes.length}` }),
  });
  outgoing.end(bytes.subarray(first, last + 1));
}

function pictureOf(view: MediaView): Buffer | undefined {
  return pictures[numberOf(view) % pictures.length];
}

async function bodyOf(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const part of incoming) text += String(part);
  return text === "" ? {} : JSON.parse(text);
}
