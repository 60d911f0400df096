import type { ModelFacts } from "../../../../gateway/contract/playground.ts";
import type { Messages } from "../../../locales/messages.ts";
import type { MediaKind } from "../kinds.ts";
import { looksAtPictures } from "./media-requests.ts";

/** How many pictures a form takes, and what for. */
export interface PictureWords {
  readonly label: string;
  readonly help?: string;
  readonly most: number;
}

/** Default max pictures of an edit for models without known rules. */
const MAX_EDITED = 16;

/** @param facts undefined while they are not known */
export function describePictures(
  kind: MediaKind,
  facts: ModelFacts | undefined,
  t: Messages["playground"],
): PictureWords {
  switch (kind) {
    case "image": {
      const { least, most } = facts?.image?.references ?? { least: 0, most: 0 };
      return { label: t.lookAt, most, help: least > 0 ? t.needsPicture : t.lookAtHelp(most) };
    }
    case "edit": {
      const most = facts?.edit?.pictures ?? MAX_EDITED;
      const help = most > 1 ? t.editPicturesHelp(most) : t.pictureHelp;
      return {
        label: most > 1 ? t.editPictures : t.picture,
        most,
        help: facts?.edit?.square_png === true ? t.squarePng : help,
      };
    }
    case "video": {
      if (facts === undefined) return { label: "", most: 0 };
      const { kind: takes, with_image: sibling } = facts.video;
      const label = looksAtPictures(takes) ? t.lookAt : t.firstFrame;
      return {
        label,
        most: takes === "t2v" && sibling === null ? 0 : 1,
        ...(takes === "i2v" && { help: t.needsPicture }),
      };
    }
    default:
      return { label: "", most: 0 };
  }
}
