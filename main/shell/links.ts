import { app } from "electron";
import { LINK_SCHEME, linkAmong } from "../policy/deep-link.ts";

/** Links that come in, also before there is anything to show them in. */
export interface Links {
  /** From now on each link goes to `follow`, the one that came last first. */
  followBy(follow: (link: string) => void): void;
}

/**
 * Takes links of our scheme: as an argument of this start or of a second one, and by macOS's own event, which comes
 * before Electron is ready. Of those that came before anybody could follow them, only the last is kept.
 */
export function collectLinks(argv: readonly string[]): Links {
  let waiting = linkAmong(argv);
  let follow: ((link: string) => void) | null = null;
  const take = (link: string | null): void => {
    if (link === null) return;
    if (follow === null) waiting = link;
    else follow(link);
  };
  app.on("open-url", (event, link) => {
    event.preventDefault();
    take(link);
  });
  app.on("second-instance", (_event, words) => take(linkAmong(words)));
  return {
    followBy(next) {
      follow = next;
      take(waiting);
      waiting = null;
    },
  };
}

/**
 * Makes the system hand our links to this app. A working copy does not: it would register a bare Electron. `--` ends
 * the options, whatever a link contains.
 */
export function claimLinks(): void {
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, ["--"]);
}
