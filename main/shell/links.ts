import { app } from "electron";
import { LINK_SCHEME, getLinkAmong } from "../policy/deep-link.ts";

/** Links that come in, also before there is anything to show them in. */
export interface Links {
  /** Opens a link, or keeps it until there is a window. */
  take(link: string): void;
  /** Passes links to `follow` from now on, starting with the last earlier one. */
  setFollower(follow: (link: string) => void): void;
}

/**
 * Collects links of our scheme: from the arguments, from macOS's event, which comes before Electron is ready, and from
 * a second start over the control API. Of early links only the last is kept.
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
 * Registers this app for our links. A working copy does not, because it would register a bare Electron. `--` ends the
 * options, whatever a link contains.
 */
export function claimLinks(): void {
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, ["--"]);
}
