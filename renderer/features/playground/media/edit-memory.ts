import type { MediaView } from "../../../../gateway/contract/media.ts";
import { navigate } from "../../../lib/router.ts";
import { createMemory } from "../memory.ts";
import { pictureFromLibrary } from "../pictures/from-library.ts";
import type { Picture } from "../pictures/picture.ts";
import type { EditWish } from "./bodies.ts";
import type { MaskShape } from "./mask.ts";

export interface EditState extends EditWish {
  /** The first one is changed; the model takes things from the others. */
  readonly pictures: readonly Picture[];
  /** What is painted over the picture, in its own pixels, the oldest first. */
  readonly shapes: readonly MaskShape[];
  /** Why a picture could not be taken over. */
  readonly failed: boolean;
}

export const editMemory = createMemory<EditState>("edit", {
  model: "",
  prompt: "",
  size: "",
  n: "",
  quality: "",
  pictures: [],
  shapes: [],
  failed: false,
});

/** Takes a result over and shows the form. */
export async function editThis(view: MediaView): Promise<void> {
  navigate("playground", { kind: "edit" });
  try {
    editMemory.change({ pictures: [await pictureFromLibrary(view)], shapes: [], failed: false });
  } catch {
    editMemory.change({ failed: true });
  }
}
