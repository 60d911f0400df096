import { isSameOrigin } from "./origin.ts";

/** The frame that sent a message. Null when it was gone or had navigated before the message arrived. */
export type Sender = { readonly url: string; readonly isTopFrame: boolean; readonly isWindow: boolean } | null;

/**
 * Whether a message of a page may be answered: from the top frame of our own window, showing the gateway's origin.
 * An empty or `about:blank` address is refused: it is what a frame has before it has loaded anything.
 */
export function isTrustedSender(sender: Sender, origin: string): boolean {
  return sender !== null && sender.isTopFrame && sender.isWindow && isSameOrigin(sender.url, origin);
}
