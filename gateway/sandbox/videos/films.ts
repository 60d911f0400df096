import { type Exchange, type Route, send } from "../exchange.ts";
import { noSuchFile } from "../failure.ts";
import { FILM_SIZES, type FilmPlan } from "./sizes.ts";

const FILES = "/results/videos";
/** File name that encodes a film's whole plan. */
const NAME = /^([0-9a-f]{7})-(\d{2,4})x(\d{2,4})-(\d{1,4})\.mp4$/;
/** Two minutes. */
const MOST_FRAMES = 2_880;

/** Returns the URL of a film, below the requested provider. */
export function filmAddress({ base }: Exchange, { digits, width, height, frames }: FilmPlan): string {
  return `${base}${FILES}/${digits}-${width}x${height}-${frames}.mp4`;
}

/** The addresses that responses name; like a provider's, they need no key. */
export const filmFiles: Route = {
  method: "GET",
  path: `${FILES}/:id`,
  keyless: true,
  handle: async (exchange) => {
    const [, digits = "", wide, high, count] = NAME.exec(exchange.id) ?? [];
    const [width, height, frames] = [Number(wide), Number(high), Number(count)];
    const known = FILM_SIZES.some((size) => size.width === width && size.height === height);
    if (!known || frames < 1 || frames > MOST_FRAMES) throw noSuchFile();
    await sendFilm(exchange, { width, height, frames, digits });
  },
};

/** A film, or the part of it that is asked for: players seek by parts (RFC 9110, 14). */
export async function sendFilm(exchange: Exchange, plan: FilmPlan): Promise<void> {
  // The film writer is loaded with the first film.
  const { getFilm: filmOf } = await import("./film.ts");
  const film = await filmOf(plan);
  const { length } = film;
  const head = { "content-type": "video/mp4", "accept-ranges": "bytes" };
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(exchange.headers.range ?? "") ?? [];
  if (first === "" && last === "") return send(exchange, 200, head, film);
  const from = first === "" ? Math.max(0, length - Number(last)) : Number(first);
  const to = first === "" || last === "" ? length - 1 : Math.min(length - 1, Number(last));
  if (from > to) return send(exchange, 416, { "content-range": `bytes */${length}` }, "");
  send(exchange, 206, { ...head, "content-range": `bytes ${from}-${to}/${length}` }, film.subarray(from, to + 1));
}
