import { GatewayError } from "../../core/errors.ts";
import type { RingKey } from "../../services/keys/key-ring.ts";
import { getMediaBytes, getMediaId, formatMediaName, getOwnMedia } from "./own-media.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";

/** Words for schemas: how a picture is named in arguments. */
export const PICTURE_WORDS =
  "postern://media/{id} of an image that this key made, data:image/png;base64,… (or jpeg, webp), or an https URL that the provider can fetch. Paths of files are not read.";

/** Bytes of library pictures in one call, all together: as much as one uploaded file may have. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A picture out of arguments: read from the library, or as the caller wrote it. */
export type NamedPicture =
  | { readonly kind: "saved"; readonly bytes: Buffer; readonly type: string; readonly fileName: string }
  | { readonly kind: "given"; readonly text: string };

/** Reads the pictures of a call. Create one per call, because its pictures share a size limit. */
export class Pictures {
  readonly #media: ToolDeps["media"];
  readonly #key: RingKey;
  #left = MOST_BYTES;

  constructor({ media }: Pick<ToolDeps, "media">, key: RingKey) {
    this.#media = media;
    this.#key = key;
  }

  /**
   * @param field the argument that names it, as `images[0]`
   * @throws GatewayError not_found for what this key did not make; invalid_value for what is no picture, and for file
   * paths and plain http; request_too_large
   */
  async read(text: string, field: string): Promise<NamedPicture> {
    const id = getMediaId(text);
    if (id === null) {
      if (/^data:/i.test(text) || (/^https:\/\//i.test(text) && URL.canParse(text))) return { kind: "given", text };
      throw new GatewayError("invalid_value", `Invalid value for '${field}': expected ${PICTURE_WORDS}`, {
        param: field,
      });
    }
    const view = await getOwnMedia(this.#media, this.#key, id);
    if (view.kind !== "image") {
      throw new GatewayError("invalid_value", `Invalid value for '${field}': ${id} is ${view.type}, no image.`, {
        param: field,
      });
    }
    this.#left -= view.bytes;
    if (this.#left < 0) {
      throw new GatewayError(
        "request_too_large",
        `The images of this call have more than ${MOST_BYTES / 1024 / 1024} MiB together. Name fewer or smaller ones.`,
        { param: field },
      );
    }
    return {
      kind: "saved",
      bytes: await getMediaBytes(this.#media, id),
      type: view.type,
      fileName: formatMediaName(view),
    };
  }

  /** Several, in their order. @param name of the argument */
  async readAll(texts: readonly string[], name: string): Promise<readonly NamedPicture[]> {
    const pictures: NamedPicture[] = [];
    // Pictures are read one at a time: together they would fill memory before their size is known.
    for (const [index, text] of texts.entries()) pictures.push(await this.read(text, `${name}[${index}]`));
    return pictures;
  }
}

/** Returns the URL of a picture for JSON bodies. */
export function pictureUrl(picture: NamedPicture): string {
  return picture.kind === "given" ? picture.text : `data:${picture.type};base64,${picture.bytes.toString("base64")}`;
}
