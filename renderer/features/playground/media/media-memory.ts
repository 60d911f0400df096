import type { MediaView } from "../../../../gateway/contract/media.ts";
import { navigate } from "../../../lib/router.ts";
import { mediaKinds, type MediaKind } from "../kinds.ts";
import { createMemory, type Memory } from "../memory.ts";
import { pictureFromLibrary } from "../pictures/from-library.ts";
import type { Picture } from "../pictures/picture.ts";
import type { Sound } from "../transcription/sound.ts";
import type { MaskShape } from "./mask.ts";

/** Typed texts and chosen files of a form. */
export interface MediaState {
  readonly model: string;
  /** Typed texts by the names of their fields. */
  readonly typed: Readonly<Record<string, string>>;
  /** Reference pictures; for an edit, the first one is changed. */
  readonly pictures: readonly Picture[];
  /** Painted shapes over the first picture, in its own pixels, the oldest first. */
  readonly shapes: readonly MaskShape[];
  readonly sound: Sound | null;
  /** Whether the transcript is translated to English. */
  readonly isTranslation: boolean;
  /** Whether a picture could not be taken over. */
  readonly failed: boolean;
}

const EMPTY: MediaState = {
  model: "",
  typed: {},
  pictures: [],
  shapes: [],
  sound: null,
  isTranslation: false,
  failed: false,
};

/** Forms by kind. Each keeps the previous model's values, so that the next model can use them. */
export const mediaMemories = Object.fromEntries(
  mediaKinds.map((kind) => [kind, createMemory<MediaState>(kind, EMPTY)]),
) as Readonly<Record<MediaKind, Memory<MediaState>>>;

/** Takes a result over and shows the form that edits. */
export async function editThis(view: MediaView): Promise<void> {
  navigate("playground", { kind: "edit" });
  try {
    mediaMemories.edit.change({ pictures: [await pictureFromLibrary(view)], shapes: [], failed: false });
  } catch {
    mediaMemories.edit.change({ failed: true });
  }
}
