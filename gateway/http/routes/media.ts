import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { GatewayError } from "../../core/errors.ts";
import { rangeOf } from "../../core/media-range.ts";
import type { ByteRange } from "../../core/media-range.ts";
import { utcDay } from "../../lib/clock.ts";
import { wrongLink } from "../../services/media/media-links.ts";
import type { MediaLibrary, OpenMedia } from "../../services/media/media-library.ts";
import type { Sessions } from "../control/sessions.ts";
import type { Context, Next } from "../state.ts";

/**
 * Nothing in a result may act: no script, no form, nothing loaded from anywhere. A browser that opens a video by itself
 * makes a page around it that loads the video from the same address, hence `media-src` and `allow-same-origin`.
 */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin";

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
};

/** Its content never changes: it is named by its hash. */
const CACHE_CONTROL = "private, max-age=86400, immutable";
const CHUNK_BYTES = 256 * 1024;

/**
 * `GET` and `HEAD /media/{id}`: a result of the library, by a signed link or with the control bearer (contract,
 * "Media"). Local `sk-` keys are not asked for: an `<img>` or a player cannot send one.
 */
export function mediaRoute(media: MediaLibrary, sessions: Sessions) {
  return async function serveMedia(context: Context, next: Next): Promise<void> {
    const id = /^\/media\/(\w{1,100})$/.exec(context.path)?.[1];
    if (id === undefined) return next();
    if (context.method !== "GET" && context.method !== "HEAD") throw otherMethod(context.method);
    await authorize(context, id, media, sessions);
    const opened = await media.open(id);
    try {
      await answer(context, opened);
    } finally {
      await opened.file.close();
    }
  };
}

/** @throws GatewayError */
async function authorize(context: Context, id: string, media: MediaLibrary, sessions: Sessions): Promise<void> {
  const { expires, signature } = context.query;
  const { authorization } = context.req.headers;
  if (signature === undefined && authorization !== undefined) return sessions.check(authorization);
  // Doubled parameters come as lists, and are no link of ours.
  if (typeof expires !== "string" || typeof signature !== "string") throw wrongLink();
  await media.checkLink(id, expires, signature);
}

async function answer(context: Context, opened: OpenMedia): Promise<void> {
  const { row, type } = opened;
  const etag = `"${row.sha256}"`;
  context.set(SECURITY_HEADERS);
  context.set({ etag, "cache-control": CACHE_CONTROL, "accept-ranges": "bytes" });
  if (hasCopy(context.req.headers["if-none-match"], etag)) {
    context.status = 304;
    return;
  }
  context.status = 200;
  const range = context.method === "GET" ? askedRange(context, etag, row.bytes) : null;
  const { first, last } = range ?? { first: 0, last: row.bytes - 1 };
  if (range !== null) context.status = 206;
  const name = `postern-${utcDay(row.at)}-${row.id.slice(-8)}.${row.extension}`;
  // Koa must not answer too: it would not end a connection whose file breaks off in the middle.
  context.respond = false;
  context.res.writeHead(context.status, {
    "content-type": type.type,
    "content-length": last - first + 1,
    "content-disposition": `inline; filename="${name}"`,
    ...(range === null ? {} : { "content-range": `bytes ${first}-${last}/${row.bytes}` }),
  });
  if (context.method === "HEAD") context.res.end();
  else await send(context, opened, first, last);
}

/** Whether the client's copy is this file: by the tag alone, whatever it says about caches. */
function hasCopy(condition: string | undefined, etag: string): boolean {
  const tags = condition?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return tags.includes(etag) || condition === "*";
}

/** @throws GatewayError range_not_satisfiable */
function askedRange(context: Context, etag: string, size: number): ByteRange | null {
  const { range, "if-range": condition } = context.req.headers;
  // Somebody who goes on with another file gets this one whole.
  if (condition !== undefined && condition !== etag) return null;
  const asked = rangeOf(range, size);
  if (asked !== "unsatisfiable") return asked;
  throw new GatewayError(
    "range_not_satisfiable",
    `This file has ${size} bytes. Ask for one range of them, as in Range: bytes=0-${Math.min(size, 1_024) - 1}.`,
    { headers: { "content-range": `bytes */${size}` } },
  );
}

/** With back-pressure: no more of the file is in memory than the client has still to take. */
async function send(context: Context, { file }: OpenMedia, first: number, last: number): Promise<void> {
  const chunks = Readable.from(chunksOf(file, first, last), { objectMode: false, highWaterMark: 0 });
  try {
    await pipeline(chunks, context.res);
  } catch (error) {
    // A player leaves whenever it has enough; that is no news.
    if (!(error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE")) throw error;
  }
}

async function* chunksOf(file: OpenMedia["file"], first: number, last: number): AsyncGenerator<Buffer> {
  for (let position = first; position <= last;) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, last - position + 1));
    const read = await file.read(chunk, position);
    if (read < chunk.length) throw new Error("The file was cut while it was sent.");
    yield chunk;
    position += read;
  }
}

function otherMethod(method: string): GatewayError {
  return new GatewayError("method_not_allowed", `${method} is not for results of the library. They take GET, HEAD.`, {
    headers: { allow: "GET, HEAD" },
  });
}
