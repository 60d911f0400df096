import { app, shell, type WebContents } from "electron";
import { isFollowedByHand, isPress } from "../policy/gesture.ts";
import { externalAddress, mayNavigate } from "../policy/navigation.ts";

/**
 * The one place that hands an address to the operating system, after a press that is used up by it.
 * @returns whether it was handed over.
 */
function createExternalOpener(contents: WebContents, origin: string): (address: string) => boolean {
  let pressedAt: number | null = null;
  contents.on("input-event", (_event, input) => {
    if (isPress(input.type)) pressedAt = performance.now();
  });
  return (address) => {
    const outside = externalAddress(address, origin);
    if (outside === null || !isFollowedByHand(pressedAt, performance.now())) return false;
    pressedAt = null;
    // The call fails if no browser is installed; then nothing can be done for the link.
    shell.openExternal(outside).catch(() => undefined);
    return true;
  };
}

/** Keeps a page within the gateway: no foreign navigation, no windows of its own, no webviews. */
export function guardContents(contents: WebContents, origin: string): void {
  const openOutside = createExternalOpener(contents, origin);
  contents.setWindowOpenHandler(({ url }) => {
    openOutside(url);
    return { action: "deny" };
  });
  contents.on("will-navigate", (details) => {
    if (mayNavigate(details.url, origin)) return;
    details.preventDefault();
    if (details.isMainFrame) openOutside(details.url);
  });
  contents.on("will-frame-navigate", (details) => {
    if (!mayNavigate(details.url, origin)) details.preventDefault();
  });
  contents.on("will-redirect", (details) => {
    if (!mayNavigate(details.url, origin)) details.preventDefault();
  });
  contents.on("will-attach-webview", (event) => event.preventDefault());
}

/** Guards every page that this process will ever make. Call before the first window. */
export function guardAllContents(origin: string): void {
  app.on("web-contents-created", (_event, contents) => guardContents(contents, origin));
}
