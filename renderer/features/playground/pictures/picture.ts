/** A picture that the user chose from this machine or from the library. */
export interface Picture {
  readonly id: string;
  readonly name: string;
  readonly file: Blob;
  /** Data URL, `data:image/…;base64,…`: for requests, never for an `src`, which the pages' policy refuses. */
  readonly url: string;
}

/** Max bytes whose base64 in a JSON body still fits the gateway's 32 MiB with some text. */
const LARGEST_BYTES = 20_000_000;

export const PICTURE_TYPES = "image/png,image/jpeg,image/webp,image/gif";

export type Unreadable = "large" | "type" | "broken";

export class PictureError extends Error {
  readonly reason: Unreadable;

  constructor(reason: Unreadable) {
    super(reason);
    this.reason = reason;
  }
}

/** @throws PictureError */
export async function readPicture(name: string, file: Blob): Promise<Picture> {
  if (!PICTURE_TYPES.split(",").includes(file.type)) throw new PictureError("type");
  if (file.size > LARGEST_BYTES) throw new PictureError("large");
  return { id: crypto.randomUUID(), name, file, url: await toDataUrl(file) };
}

function toDataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(typeof reader.result === "string" ? reader.result : ""));
    reader.addEventListener("error", () => reject(new PictureError("broken")));
    reader.readAsDataURL(file);
  });
}
