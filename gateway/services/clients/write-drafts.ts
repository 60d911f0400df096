import { sha256 } from "../../lib/ids.ts";
import type { ClientFiles } from "../../store/clients/client-files.ts";
import type { FileDraft } from "./draft-files.ts";

/** Makes a file what it is to become. @returns the folders that were made for it, outermost first */
export async function writeDraft(files: ClientFiles, draft: FileDraft): Promise<readonly string[]> {
  const { place, found, after, made } = draft;
  await files.tidy(found.target);
  if (after === null) {
    if (found.bytes !== null) await files.remove(place, found, made);
    return [];
  }
  if (found.digest === sha256(after)) return [];
  return files.write(place, found, after);
}

/** Makes files again what they were found as, as far as the disk allows; the last one may not have been written. */
export async function putBack(files: ClientFiles, drafts: readonly FileDraft[]): Promise<void> {
  for (const { place, found, after } of drafts.toReversed()) {
    try {
      const now = await files.read(place.path);
      // Not what we wrote: it never was, or somebody else has been there since.
      if (after === null ? now.bytes !== null : now.digest !== sha256(after)) continue;
      if (found.bytes !== null) await files.write(place, now, found.bytes);
      else if (now.bytes !== null) await files.remove(place, now, []);
    } catch {
      // The first failure is what the owner is told; the record of an earlier connection still knows the file.
    }
  }
}
