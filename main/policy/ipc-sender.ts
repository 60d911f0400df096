import { isSameOrigin } from "./origin.ts";

/** The frame that sent a message. Null when it was gone or had navigated before the message arrived. */
export type Sender = { readonly url: string; readonly isTopFrame: boolean; readonly isWindow: boolean } | null;

/**
 * Tells whether an IPC message is trusted: from the top frame of our window at the gateway's origin. An empty or
 * `about:blank` address is refused, because it belongs to a frame that has loaded nothing yet.
 */
export function isTrustedSender(sender: Sender, origin: string): boolean {
  return sender !== null && sender.isTopFrame && sender.isWindow && isSameOrigin(sender.url, origin);
}
