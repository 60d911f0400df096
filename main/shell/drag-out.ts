// oxlint-disable-next-line no-restricted-imports -- Copies for other programs lie outside of the data folder.
import { constants, copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nativeImage, type NativeImage, type WebContents } from "electron";
import type { MediaFile } from "../../gateway/services/media/serve-media.ts";
import { markBitmap } from "../policy/mark.ts";

/** px */
const ICON = 96;

export interface DragOutDeps {
  /** Returns the files of results by their ids. */
  files(ids: readonly string[]): Promise<readonly MediaFile[]>;
  /** Folder for copies; by default the system's temporary one. */
  readonly folder?: string;
}

export interface DragOut {
  /**
   * Continues a drag from the page with the files of these results.
   * @throws with a sentence if none of them has a file
   */
  start(contents: Pick<WebContents, "startDrag">, ids: readonly string[]): Promise<void>;
}

/**
 * Drags library files to other programs as copies with readable names, because library files are named by id and must
 * not be modified.
 */
export function createDragOut({ files, folder = tmpdir() }: DragOutDeps): DragOut {
  const made: string[] = [];
  return {
    async start(contents, ids) {
      const found = await files(ids);
      const into = await mkdtemp(join(folder, "postern-drag-"));
      made.push(into);
      // Anyone who took the last ones may still be reading them.
      for (const old of made.splice(0, made.length - 2)) await rm(old, { recursive: true, force: true });
      const copied = await Promise.all(found.map((file) => copyInto(into, file)));
      const paths = copied.filter((path) => path !== null);
      const [first] = paths;
      if (first === undefined) throw new Error("The file is not in the data folder any more.");
      const icon = makeIcon(found.find(({ still }) => still !== null)?.still ?? null);
      contents.startDrag({ file: first, files: paths, icon });
    },
  };
}

async function copyInto(folder: string, { path, name }: MediaFile): Promise<string | null> {
  const copy = join(folder, name);
  try {
    // Without taking room on a disk that can share it.
    await copyFile(path, copy, constants.COPYFILE_FICLONE);
    return copy;
  } catch {
    return null;
  }
}

/** Returns the drag icon: the picture, or Postern's mark if Electron cannot read it. It must not be empty. */
function makeIcon(still: string | null): NativeImage {
  const picture = still === null ? null : nativeImage.createFromPath(still);
  if (picture !== null && !picture.isEmpty()) {
    const { width, height } = picture.getSize();
    return picture.resize(width > height ? { width: ICON } : { height: ICON });
  }
  const mark = nativeImage.createEmpty();
  mark.addRepresentation({ width: ICON, height: ICON, buffer: Buffer.from(markBitmap(ICON, 0)) });
  return mark;
}
