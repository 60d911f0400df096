import type { Exchange, Route } from "../exchange.ts";
import { Failure } from "../fields.ts";
import { drawPicture, type PictureFormat } from "../images/picture.ts";
import { seedOf } from "../seed.ts";
import { FILM_SIZES, type FilmPlan, RATE } from "./sizes.ts";

const FILES = "/results/videos";
/** What a name holds is all that a file is made from. */
const NAME = /^([0-9a-f]{7})-(\d{2,4})x(\d{2,4})-(\d{1,4})\.(mp4|png)$/;
const LONGEST_FRAMES = 120 * RATE;

/** The address of a film, or of its last frame, below the provider that the request came to. */
export function filmAddress({ request }: Exchange, plan: FilmPlan, type: "mp4" | "png"): string {
  const provider = (request.url ?? "").split("/", 2)[1] ?? "";
  return `http://${request.headers.host ?? ""}/${provider}${FILES}/${plan.digits}-${plan.width}x${plan.height}-${plan.frames}.${type}`;
}

/** The addresses that answers name; like a provider's, they need no key. */
export const filmFiles: Route = {
  method: "GET",
  path: new RegExp(`^${FILES}/[^/]+$`),
  keyless: true,
  handle: async (exchange) => {
    const { plan, type } = fileAt(exchange.path.slice(FILES.length + 1));
    if (type === "mp4") return sendFilm(exchange, plan);
    await sendPicture(exchange, plan, "png");
  },
};

/** A film; what writes it is loaded when the first one is asked for. */
export async function sendFilm(exchange: Exchange, plan: FilmPlan): Promise<void> {
  const { filmOf } = await import("./film.ts");
  sendFile(exchange, await filmOf(plan), "video/mp4");
}

/** A picture for a film: of its size, and in the colours of its request. */
export async function sendPicture(exchange: Exchange, plan: FilmPlan, format: PictureFormat): Promise<void> {
  const { width, height, digits } = plan;
  sendFile(
    exchange,
    await drawPicture(seedOf(digits), { width, height, format, transparent: false }),
    `image/${format}`,
  );
}

/** Answers with a file, or with the part of it that is asked for: players seek by parts (RFC 9110, 14). */
function sendFile({ request, response }: Exchange, bytes: Buffer, type: string): void {
  const headers = { "content-type": type, "accept-ranges": "bytes" };
  const part = partOf(request.headers.range, bytes.length);
  if (part === "none") {
    response.writeHead(416, { "content-range": `bytes */${bytes.length}`, "content-length": 0 }).end();
    return;
  }
  if (part === null) {
    response.writeHead(200, { ...headers, "content-length": bytes.length }).end(bytes);
    return;
  }
  const [from, to] = part;
  const content = bytes.subarray(from, to + 1);
  const range = `bytes ${from}-${to}/${bytes.length}`;
  response.writeHead(206, { ...headers, "content-length": content.length, "content-range": range }).end(content);
}

/** First and last byte; null for the whole, which is also the response to what is not understood. */
function partOf(range: string | undefined, length: number): readonly [number, number] | "none" | null {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? "") ?? [];
  if (first === "" && last === "") return null;
  const from = first === "" ? Math.max(0, length - Number(last)) : Number(first);
  const to = first === "" || last === "" ? length - 1 : Math.min(length - 1, Number(last));
  return from <= to ? [from, to] : "none";
}

/** @throws Failure (404) for addresses that no response has named. */
function fileAt(name: string): { plan: FilmPlan; type: string } {
  const [, digits = "", wide, high, count, type = ""] = NAME.exec(name) ?? [];
  const [width, height, frames] = [Number(wide), Number(high), Number(count)];
  const known = FILM_SIZES.some((size) => size.width === width && size.height === height);
  if (known && frames >= 1 && frames <= LONGEST_FRAMES) return { plan: { width, height, frames, digits }, type };
  throw new Failure(404, "The specified key does not exist.", { code: "NoSuchKey" });
}
