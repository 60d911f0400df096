import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as WebReadableStream } from "node:stream/web";
import { GatewayError } from "../../core/errors.ts";
import { parseRange } from "../../core/media/media-range.ts";
import type { ByteRange } from "../../core/media/media-range.ts";
import { fileChunks } from "../../services/media/file-chunks.ts";
import { wrongLink } from "../../services/media/media-links.ts";
import type { MediaLibrary } from "../../services/media/media-library.ts";
import { posterPath } from "../../services/media/media-links.ts";
import type { OpenMedia } from "../../services/media/serve-media.ts";
import type { Sessions } from "../control/sessions.ts";
import { methodNotAllowed, requireReading } from "../method-not-allowed.ts";
import type { Context, Next } from "../state.ts";

/**
 * Results must not execute anything: no script, no form, no loading. A browser that opens a video directly builds a
 * page that loads it from the same address, hence `media-src` and `allow-same-origin`.
 */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin";

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
};

/** Cache header of content that never changes: it is named by its hash. */
const CACHE_CONTROL = "private, max-age=86400, immutable";

/**
 * `GET` and `HEAD /media/{id}` and `/media/{id}/poster`: a library result and its preview image, by a signed link or
 * with the control bearer (docs/specification.md#media). Local `sk-` keys are not used, because an `<img>` or a player
 * cannot send one. `GET /media/export/{token}`: a selection as a ZIP, by a single-use link.
 */
export function createMediaRoute(media: MediaLibrary, sessions: Sessions) {
  return async function serveMedia(context: Context, next: Next): Promise<void> {
    const token = /^\/media\/export\/([\w-]{1,100})$/.exec(context.path)?.[1];
    if (token !== undefined) return sendExport(context, media, token);
    const [, id, still] = /^\/media\/(\w{1,100})(\/poster)?$/.exec(context.path) ?? [];
    if (id === undefined) return next();
    requireReading(context);
    await authorize(context, still === undefined ? id : posterPath(id), media, sessions);
    const opened = still === undefined ? await media.open(id) : await media.openPoster(id);
    try {
      await sendMedia(context, opened);
    } finally {
      await opened.file.close();
    }
  };
}

/** @throws GatewayError */
async function authorize(context: Context, path: string, media: MediaLibrary, sessions: Sessions): Promise<void> {
  const { expires, signature } = context.query;
  const { authorization } = context.req.headers;
  if (signature === undefined && authorization !== undefined) return void (await sessions.check(authorization));
  // Duplicate parameters arrive as lists, which our links do not have.
  if (typeof expires !== "string" || typeof signature !== "string") throw wrongLink();
  await media.checkLink(path, expires, signature);
}

/** Answers with an open file of the library, or the range of it that was asked for. The caller closes it. */
export async function sendMedia(context: Context, opened: OpenMedia): Promise<void> {
  const { type, bytes, sha256, name } = opened;
  const etag = `"${sha256}"`;
  context.set(SECURITY_HEADERS);
  context.set({ etag, "cache-control": CACHE_CONTROL, "accept-ranges": "bytes" });
  if (hasCopy(context.req.headers["if-none-match"], etag)) {
    context.status = 304;
    return;
  }
  context.status = 200;
  const range = context.method === "GET" ? readRequestedRange(context, etag, bytes) : null;
  const { first, last } = range ?? { first: 0, last: bytes - 1 };
  if (range !== null) context.status = 206;
  // Koa must not respond too: it would not close a connection whose file fails midway.
  context.respond = false;
  context.res.writeHead(context.status, {
    "content-type": type.type,
    "content-length": last - first + 1,
    "content-disposition": `inline; filename="${name}"`,
    ...(range === null ? {} : { "content-range": `bytes ${first}-${last}/${bytes}` }),
  });
  if (context.method === "HEAD") context.res.end();
  else await send(context, opened, first, last);
}

/** Tells whether the client's copy is current, by its ETag only; other cache headers are ignored. */
function hasCopy(condition: string | undefined, etag: string): boolean {
  const tags = condition?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return tags.includes(etag) || condition === "*";
}

/** @throws GatewayError range_not_satisfiable */
function readRequestedRange(context: Context, etag: string, size: number): ByteRange | null {
  const { range, "if-range": condition } = context.req.headers;
  // A client that resumes another version of the file gets this one completely.
  if (condition !== undefined && condition !== etag) return null;
  const requested = parseRange(range, size);
  if (requested !== "unsatisfiable") return requested;
  throw new GatewayError(
    "range_not_satisfiable",
    `This file has ${size} bytes. Ask for one range of them, as in Range: bytes=0-${Math.min(size, 1_024) - 1}.`,
    { headers: { "content-range": `bytes */${size}` } },
  );
}

/** Sends with back-pressure: only what the client has not yet read is in memory. */
async function send(context: Context, { file }: OpenMedia, first: number, last: number): Promise<void> {
  await pump(context, Readable.from(fileChunks(file, first, last), { objectMode: false, highWaterMark: 0 }));
}

/** @throws GatewayError */
async function sendExport(context: Context, media: MediaLibrary, token: string): Promise<void> {
  if (context.method !== "GET") throw methodNotAllowed(context, ["GET"]);
  const archive = await media.openExport(token);
  try {
    context.set(SECURITY_HEADERS);
    context.respond = false;
    context.res.writeHead(200, {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="${archive.name}"`,
      "cache-control": "no-store",
    });
    await pump(context, Readable.fromWeb(archive.stream as WebReadableStream, { highWaterMark: 0 }));
  } finally {
    await archive.close();
  }
}

async function pump(context: Context, from: Readable): Promise<void> {
  try {
    await pipeline(from, context.res);
  } catch (error) {
    // Players disconnect when they have enough, which is not logged.
    if (!(error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE")) throw error;
  }
}
