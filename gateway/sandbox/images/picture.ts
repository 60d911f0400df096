import type { ModelSpec } from "../../core/models/model.ts";
import { type Exchange, findModel, type Route } from "../exchange.ts";
import { Failure, modelNotFound } from "../fields.ts";
import { jpegOf } from "./jpeg.ts";
import { mosaicOf } from "./mosaic.ts";
import { pngOf } from "./png.ts";
import { webpOf } from "./webp.ts";
import { type Seed, seedOf } from "../seed.ts";

export const PICTURE_FORMATS = ["png", "jpeg", "webp"] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/** A picture to draw. */
export interface PicturePlan {
  readonly width: number;
  readonly height: number;
  readonly format: PictureFormat;
  readonly transparent: boolean;
}

/** The most that any provider draws: 4096×4096. */
const MOST_PIXELS = 4_096 * 4_096;
const LONGEST_SIDE = 16_383;

/** Whether the sandbox draws pictures of this size. */
export function isDrawable(width: number, height: number): boolean {
  return width >= 1 && height >= 1 && Math.max(width, height) <= LONGEST_SIDE && width * height <= MOST_PIXELS;
}

/** A picture as a file. The same seed and plan give the same bytes. The largest takes some 30 ms of the event loop. */
export async function drawPicture(seed: Seed, { width, height, format, transparent }: PicturePlan): Promise<Buffer> {
  const mosaic = mosaicOf(seed, width, height, transparent && format !== "jpeg");
  if (format === "png") return pngOf(mosaic);
  return format === "jpeg" ? jpegOf(mosaic) : webpOf(mosaic);
}

/** A model that makes images. @throws Failure (404) for any other. */
export function imageModel(models: readonly ModelSpec[], id: unknown, capability: "image" | "image_edit"): ModelSpec {
  if (typeof id !== "string" || id === "") throw modelNotFound("");
  const model = findModel(models, id);
  if (!model.capabilities.includes(capability)) throw modelNotFound(id.slice(0, 200));
  return model;
}

/** The pictures of a response, each of its own colours. */
export function picturesOf(seed: Seed, plan: PicturePlan, count: number): readonly PlannedPicture[] {
  return Array.from({ length: count }, (_, index) => ({ ...plan, digits: seed.digits(`picture ${index}`, 32) }));
}

const FILES = "/results/images";
/** What a name holds is all that a picture is made from: the sandbox keeps no files. */
const NAME = /^([0-9a-f]{32})-(\d{1,5})x(\d{1,5})(-clear)?\.(png|jpeg|webp)$/;

/** A picture that a response holds: its own digits make its colours, wherever it is drawn. */
export interface PlannedPicture extends PicturePlan {
  readonly digits: string;
}

export function drawn(picture: PlannedPicture): Promise<Buffer> {
  return drawPicture(seedOf(picture.digits), picture);
}

/** The address of a picture, below the provider that the request came to. */
export function addressOf(
  { request }: Exchange,
  { digits, width, height, transparent, format }: PlannedPicture,
): string {
  const provider = (request.url ?? "").split("/", 2)[1] ?? "";
  const name = `${digits}-${width}x${height}${transparent ? "-clear" : ""}.${format}`;
  return `http://${request.headers.host ?? ""}/${provider}${FILES}/${name}`;
}

/** The addresses that answers name; like a provider's, they need no key. */
export const imageFiles: Route = {
  method: "GET",
  path: new RegExp(`^${FILES}/[^/]+$`),
  keyless: true,
  handle: async ({ path, response }) => {
    const picture = pictureAt(path.slice(FILES.length + 1));
    const bytes = await drawn(picture);
    response.writeHead(200, { "content-type": `image/${picture.format}`, "content-length": bytes.length });
    response.end(bytes);
  },
};

/** @throws Failure (404) for addresses that no response has named. */
function pictureAt(name: string): PlannedPicture {
  const [, digits = "", wide, high, clear, format] = NAME.exec(name) ?? [];
  const [width, height] = [Number(wide), Number(high)];
  if (!isDrawable(width, height)) throw new Failure(404, "The specified key does not exist.", { code: "NoSuchKey" });
  return { digits, width, height, transparent: clear !== undefined, format: format as PictureFormat };
}

/** Sides are whole numbers of these pixels, as providers make them. */
const STEP = 16;
const WIDEST = 21;

/**
 * Width and height of a picture of about as many pixels as a square of `side`.
 * @param ratio as `16:9` or `9:19.5`; null is returned for anything else.
 */
export function sidesOfRatio(ratio: string, side: number): readonly [width: number, height: number] | null {
  const [wide = Number.NaN, high = Number.NaN, ...rest] = ratio.split(":").map(Number);
  if (rest.length > 0 || !(wide > 0 && high > 0 && wide <= WIDEST && high <= WIDEST)) return null;
  const stretch = Math.sqrt(wide / high);
  return [rounded(side * stretch), rounded(side / stretch)];
}

function rounded(length: number): number {
  return Math.max(STEP, Math.round(length / STEP) * STEP);
}
