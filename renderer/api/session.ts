import { useSyncExternalStore } from "react";
import type { DesktopBridge } from "../bridge.ts";
import { ControlError, createControlClient, type ControlClient } from "./client.ts";
import type { TabBearer } from "./tab-bearer.ts";

/** Why the pages are closed: no token in the address, a wrong or used one, a bearer that ended, or no response. */
export type ClosedReason = "no_token" | "refused" | "ended" | "unreachable";

export type SessionState =
  | { readonly status: "opening" }
  | { readonly status: "open" }
  | { readonly status: "closed"; readonly reason: ClosedReason; readonly message: string | null };

export interface Session {
  state(): SessionState;
  subscribe(listener: () => void): () => void;
  /** The control bearer: in this closure, and in a browser also in the tab's storage. */
  bearer(): string | null;
  readonly client: ControlClient;
  /** Exchanges a one-time token for the bearer. */
  open(token: string): Promise<void>;
  /**
   * Opens with the token of the address, else with one of the desktop app, else with the stored bearer of this or
   * another tab.
   */
  start(): Promise<void>;
  /** Drops the bearer; in the desktop app a new one is fetched immediately. */
  end(): void;
}

export interface SessionDeps {
  readonly desktop: DesktopBridge | undefined;
  /** Removes the token from the address and returns it. */
  takeToken(): string | null;
  /** Not used in the desktop app, which opens its window by itself. */
  readonly tab: TabBearer;
  readonly fetch?: typeof fetch;
}

export function createSession(deps: SessionDeps): Session {
  const listeners = new Set<() => void>();
  let state: SessionState = { status: "opening" };
  let bearer: string | null = null;

  const become = (next: SessionState): void => {
    state = next;
    for (const listener of listeners) listener();
  };
  const hold = (next: string | null): void => {
    bearer = next;
    if (deps.desktop === undefined) deps.tab.write(next);
  };
  const close = (reason: ClosedReason, message: string | null = null): void => {
    bearer = null;
    become({ status: "closed", reason, message });
  };

  const session: Session = {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    bearer: () => bearer,
    client: createControlClient({
      bearer: () => bearer,
      onUnauthorized: () => session.end(),
      ...(deps.fetch === undefined ? {} : { fetch: deps.fetch }),
    }),
    async open(token) {
      hold(null);
      become({ status: "opening" });
      try {
        hold((await session.client.call("openSession", { token })).bearer);
        become({ status: "open" });
        if (deps.desktop === undefined) deps.tab.announce();
      } catch (error) {
        if (error instanceof ControlError) close("refused", error.message);
        else close("unreachable");
      }
    },
    async start() {
      if (deps.desktop === undefined) {
        deps.tab.share(
          () => (state.status === "open" ? bearer : null),
          () => void (state.status === "closed" && join()),
        );
      }
      const token = deps.takeToken();
      if (token !== null) return session.open(token);
      if (deps.desktop !== undefined) return openFromDesktop(deps.desktop);
      bearer = deps.tab.read();
      if (bearer !== null) await resume();
      if (bearer === null) await join();
    },
    end() {
      if (bearer === null) return;
      hold(null);
      close("ended");
      if (deps.desktop !== undefined) void openFromDesktop(deps.desktop);
    },
  };

  /** Takes over the session of another tab of this browser. */
  async function join(): Promise<void> {
    const shared = await deps.tab.ask();
    // A token may have been pasted meanwhile.
    if (bearer !== null) return;
    if (shared === null) {
      if (state.status === "opening") close("no_token");
      return;
    }
    become({ status: "opening" });
    hold(shared);
    await resume();
  }

  /** Checks whether the gateway accepts the bearer, because after a restart all requests of a page would fail. */
  async function resume(): Promise<void> {
    try {
      await session.client.call("state");
    } catch (error) {
      // The tab keeps the bearer for the next reload.
      if (!(error instanceof ControlError)) return close("unreachable");
    }
    // A refused bearer ended the session meanwhile, or a new token has opened another.
    if (bearer !== null && state.status === "opening") become({ status: "open" });
  }

  async function openFromDesktop(desktop: DesktopBridge): Promise<void> {
    try {
      await session.open((await desktop.openPages()).token);
    } catch {
      close("unreachable");
    }
  }

  return session;
}

const TOKEN_FRAGMENT = /^#token=(.+)$/;

/** Extracts the token of an address or a pasted line: `http://…/#token=abc`, `#token=abc`, or the bare token. */
export function tokenFrom(text: string): string | null {
  const trimmed = text.trim();
  const marked = /#token=([^&\s]+)/.exec(trimmed)?.[1];
  if (marked !== undefined) return decodeText(marked);
  return /^[\w-]{8,200}$/.test(trimmed) ? trimmed : null;
}

/** Decodes escapes; null if they are invalid. */
function decodeText(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Removes the one-time token from the address bar without a history entry. */
export function takeTokenFromAddress(): string | null {
  if (!TOKEN_FRAGMENT.test(location.hash)) return null;
  const token = tokenFrom(location.hash);
  history.replaceState(null, "", `${location.pathname}${location.search}`);
  return token;
}

export function useSessionState(session: Session): SessionState {
  return useSyncExternalStore(session.subscribe, session.state);
}
