import type { MediaView } from "../../../../gateway/contract/media.ts";
import { ownLink } from "../../../components/media/media-links.ts";
import { PictureError, readPicture, type Picture } from "./picture.ts";

/** A result of the library as a picture to send. @throws PictureError */
export async function pictureFromLibrary(view: MediaView): Promise<Picture> {
  const link = view.available ? ownLink(view.link) : null;
  if (link === null) throw new PictureError("broken");
  const response = await fetch(link).catch(() => null);
  if (response?.ok !== true) throw new PictureError("broken");
  const bytes = await response.blob();
  const name = (view.origin?.prompt ?? "").trim().slice(0, 60);
  return readPicture(name === "" ? view.id : name, new Blob([bytes], { type: view.type }));
}
