// oxlint-disable-next-line no-restricted-imports -- the updater replaces the image within one call, before the process ends: gateway/store answers later.
import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { getMessage } from "../gateway/lib/message-of.ts";
import { environmentAgain } from "./policy/relaunch.ts";

/** The version that is restored if an update fails. */
export interface PreviousVersion {
  /** Restores the current version to its place. */
  putBack(): void;
  /** The update has taken its place. */
  forget(): void;
}

/**
 * Makes the update of an AppImage safe: the updater removes the old image before it moves the new one into place, and
 * starts it without our options. Otherwise the platform's installer handles it.
 * @param env environment of this process, which the new version inherits
 * @param own Postern's own options of this start
 * @throws Error with a sentence if the image cannot be kept; it could then not be replaced either.
 */
export function keepVersion(env: NodeJS.ProcessEnv, own: readonly string[]): PreviousVersion {
  const image = env["APPIMAGE"] ?? "";
  if (image === "") return { putBack: () => undefined, forget: () => undefined };
  const previous = `${image}.old`;
  try {
    keep(image, previous);
  } catch (error) {
    throw new Error(`The AppImage cannot be replaced: ${getMessage(error)}`, { cause: error });
  }
  Object.assign(env, environmentAgain(own));
  const forget = (): void => rmSync(previous, { force: true });
  return {
    putBack() {
      // Also restores over a partial file, left by a move that ran out of space.
      if (existsSync(previous)) renameSync(previous, image);
      // Two names of one file stay two names when one is renamed to the other.
      forget();
    },
    forget,
  };
}

function keep(image: string, previous: string): void {
  rmSync(previous, { force: true });
  try {
    linkSync(image, previous);
  } catch {
    // Some file systems know no second name for a file.
    copyFileSync(image, previous);
  }
}
