import type { Exchange, Route } from "../exchange.ts";
import { Failure } from "../failure.ts";
import { seedOf } from "../seed.ts";
import { drawPicture, isDrawable } from "./picture.ts";
import type { PictureFormat, PicturePlan } from "./picture.ts";

const FILES = "/results/images";
/** What a name holds is all that a picture is made from: the sandbox keeps no files. */
const NAME = /^([0-9a-f]{32})-(\d{1,5})x(\d{1,5})(-clear)?\.(png|jpeg|webp)$/;

/** A picture that an answer holds: its own digits make its colours, wherever it is drawn. */
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

/** @throws Failure (404) for addresses that no answer has named. */
function pictureAt(name: string): PlannedPicture {
  const [, digits = "", wide, high, clear, format] = NAME.exec(name) ?? [];
  const [width, height] = [Number(wide), Number(high)];
  if (!isDrawable(width, height)) throw new Failure(404, "The specified key does not exist.", { code: "NoSuchKey" });
  return { digits, width, height, transparent: clear !== undefined, format: format as PictureFormat };
}
