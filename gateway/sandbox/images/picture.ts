import { type Exchange, type Route, send } from "../exchange.ts";
import { invalidValue, noSuchFile } from "../failure.ts";
import { type Seed, createSeed } from "../seed.ts";
import { writePicture, type Colour, type PictureFormat } from "./flat-picture.ts";

export type { PictureFormat } from "./flat-picture.ts";

/** A picture to draw. */
interface PicturePlan {
  readonly width: number;
  readonly height: number;
  readonly format: PictureFormat;
  readonly transparent?: boolean;
}

/** A picture of a response: its own digits make its colours, wherever it is drawn. */
export interface PlannedPicture extends PicturePlan {
  readonly digits: string;
}

/** Max pixels of any provider: 4096×4096. */
const MOST_PIXELS = 4_096 * 4_096;
const LONGEST_SIDE = 16_383;

/** Whether the sandbox draws pictures of this size. */
export function isDrawable(width: number, height: number): boolean {
  return width >= 1 && height >= 1 && Math.max(width, height) <= LONGEST_SIDE && width * height <= MOST_PIXELS;
}

/** A picture as a file, in one colour. The same digits and plan give the same bytes. */
export function drawPicture({ digits, width, height, format, transparent = false }: PlannedPicture): Buffer {
  const seed = createSeed(digits);
  const channel = (name: string): number => 64 + seed.number(name, 128);
  const alpha = transparent && format !== "jpeg" ? 0 : 255;
  const colour: Colour = [channel("red"), channel("green"), channel("blue"), alpha];
  return writePicture({ colour, width, height }, format);
}

/**
 * Plans the pictures of a response, each in different colours.
 * @throws Failure (400) for a size that cannot be drawn
 */
export function planPictures(seed: Seed, plan: PicturePlan, count: number): readonly PlannedPicture[] {
  if (!isDrawable(plan.width, plan.height)) throw invalidValue("size", "expected a size that can be drawn.");
  return Array.from({ length: count }, (_, index) => ({ ...plan, digits: seed.digits(`picture ${index}`, 32) }));
}

const FILES = "/results/images";
/** File name that encodes a picture's whole plan, because the sandbox stores no files. */
const NAME = /^([0-9a-f]{32})-(\d{1,5})x(\d{1,5})(-clear)?\.(png|jpeg|webp)$/;

/** A picture as `{url}`, or as `{b64_json}`. */
export function shown(exchange: Exchange, picture: PlannedPicture, asUrl: boolean): object {
  if (asUrl) return { url: buildAddress(exchange, picture) };
  return { b64_json: drawPicture(picture).toString("base64") };
}

/** Returns the URL of a picture, below the requested provider. */
export function buildAddress(
  { base }: Exchange,
  { digits, width, height, transparent, format }: PlannedPicture,
): string {
  return `${base}${FILES}/${digits}-${width}x${height}${transparent === true ? "-clear" : ""}.${format}`;
}

/** The addresses that responses name; like a provider's, they need no key. */
export const imageFiles: Route = {
  method: "GET",
  path: `${FILES}/:id`,
  keyless: true,
  handle: async (exchange) => {
    const [, digits = "", wide, high, clear, format] = NAME.exec(exchange.id) ?? [];
    const [width, height] = [Number(wide), Number(high)];
    if (!isDrawable(width, height)) throw noSuchFile();
    const picture = { digits, width, height, transparent: clear !== undefined, format: format as PictureFormat };
    send(exchange, 200, { "content-type": `image/${format}` }, drawPicture(picture));
  },
};

/** Sides are whole numbers of these pixels, as providers make them. */
const STEP = 16;
const WIDEST = 21;

/**
 * Returns width and height of a picture of about as many pixels as a square of `side`.
 * @param ratio as `16:9` or `9:19.5`
 * @throws Failure (400) for any other value
 */
export function sidesOfRatio(ratio: string, side: number): Pick<PicturePlan, "width" | "height"> {
  const [wide = Number.NaN, high = Number.NaN] = ratio.split(":").map(Number);
  if (!(wide > 0 && high > 0 && wide <= WIDEST && high <= WIDEST))
    throw invalidValue("ratio", "expected WIDTH:HEIGHT.");
  const stretch = Math.sqrt(wide / high);
  return { width: roundLength(side * stretch), height: roundLength(side / stretch) };
}

function roundLength(length: number): number {
  return Math.max(STEP, Math.round(length / STEP) * STEP);
}
