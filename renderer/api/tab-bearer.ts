/** Storage of a tab's bearer, which survives a reload, and access to the other tabs of the browser. */
export interface TabBearer {
  read(): string | null;
  write(bearer: string | null): void;
  /** Requests the session's bearer from other tabs of this origin; null if there is no such tab. */
  ask(): Promise<string | null>;
  /**
   * Answers other tabs that ask.
   * @param getBearer returns the bearer of an open session; null without one
   * @param onOther runs when another tab opens a session
   */
  share(getBearer: () => string | null, onOther: () => void): void;
  /** Tells the other tabs that a session was opened here. */
  announce(): void;
}

const NAME = "postern.bearer";
/** Other tabs answer within milliseconds; one that sleeps is not waited for. */
const ANSWERED_WITHIN_MS = 300;

type Message =
  | { readonly ask: string }
  | { readonly reply: string; readonly bearer: string }
  | { readonly opened: true };

/**
 * Stores the bearer in sessionStorage, which no other origin can read and which is never sent. Another tab gets it from
 * an open one over a same-origin broadcast channel.
 * @param channel undefined without browser support, when each tab needs its own link
 */
export function createTabBearer(
  channel: BroadcastChannel | undefined = "BroadcastChannel" in globalThis ? new BroadcastChannel(NAME) : undefined,
  timeoutMs = ANSWERED_WITHIN_MS,
): TabBearer {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  const send = (message: Message): void => channel?.postMessage(message);
  const listen = (take: (message: Partial<Record<string, unknown>>) => void, signal?: AbortSignal): void => {
    channel?.addEventListener(
      "message",
      ({ data }) => {
        if (typeof data === "object" && data !== null) take(data as Partial<Record<string, unknown>>);
      },
      signal && { signal },
    );
  };
  return {
    // Without storage, a reload ends the session.
    read() {
      try {
        return sessionStorage.getItem(NAME);
      } catch {
        return null;
      }
    },
    write(bearer) {
      try {
        if (bearer === null) sessionStorage.removeItem(NAME);
        else sessionStorage.setItem(NAME, bearer);
      } catch {
        // The session then lasts as long as the page.
      }
    },
    ask() {
      if (channel === undefined) return Promise.resolve(null);
      const id = crypto.randomUUID();
      const ended = new AbortController();
      return new Promise<string | null>((resolve) => {
        const timer = setTimeout(() => resolve(null), timeoutMs);
        listen(({ reply, bearer }) => {
          if (reply !== id || typeof bearer !== "string") return;
          clearTimeout(timer);
          resolve(bearer);
        }, ended.signal);
        send({ ask: id });
      }).finally(() => ended.abort());
    },
    share(getBearer, onOther) {
      listen(({ ask, opened }) => {
        const bearer = getBearer();
        if (typeof ask === "string" && bearer !== null) send({ reply: ask, bearer });
        if (opened === true) onOther();
      });
    },
    announce: () => send({ opened: true }),
  };
}
