import { app } from "electron";
import { LINK_SCHEME, getLinkAmong } from "../policy/deep-link.ts";

/** Links that come in, also before there is anything to show them in. */
export interface Links {
  /** Follows a link, or keeps it until there is something to show it in. */
  take(link: string): void;
  /** Passes links to `follow` from now on, starting with the last one that came before. */
  setFollower(follow: (link: string) => void): void;
}

/**
 * Takes links of our scheme: as an argument of this start, by macOS's own event, which comes before Electron is ready,
 * and of a second start, which brings its link over the control API. Of those that came before anybody could follow them, only the last is kept.
 */
export function collectLinks(argv: readonly string[]): Links {
  let waiting = getLinkAmong(argv);
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
  return {
    take,
    setFollower(next) {
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
