import type { Notice } from "./notice.ts";
import type { Words } from "./words.ts";

/**
 * How long a hidden window is kept, ms: a user who closed it by mistake has it back immediately, and one who has closed it
 * for the day gets its 150 MB.
 */
export const REST_AFTER_MS = 60_000;

export interface CloseFacts {
  /** Whether the application is quitting: the window then closes. */
  readonly isQuitting: boolean;
  readonly platform: NodeJS.Platform;
  /** Whether the notice that Postern stays in the tray was shown. */
  readonly isNoticeShown: boolean;
  /** Setting: whether Postern stays in the tray without its window. */
  readonly closeToTray: boolean;
}

export interface CloseDecision {
  /** `hide` keeps the window, `close` destroys it, `quit` asks the application to drain and exit. */
  readonly act: "hide" | "close" | "quit";
  /** Whether to notify, once, that the gateway keeps running. */
  readonly tell: boolean;
}

/**
 * Decides what closing the window does: it hides, because clients keep using the gateway, unless the setting is to
 * quit. On macOS all applications do this, so no notice is needed.
 */
export function closeDecision(facts: CloseFacts): CloseDecision {
  if (facts.isQuitting) return { act: "close", tell: false };
  if (!facts.closeToTray) return { act: "quit", tell: false };
  return { act: "hide", tell: facts.platform !== "darwin" && !facts.isNoticeShown };
}

/**
 * Builds the one-time notice on how to reopen the window.
 * @param hasTray whether the desktop has a tray: some Linux desktops have none.
 */
export function createTrayNotice(url: string, hasTray: boolean, words: Words): Notice {
  const { title, body, bodyWithoutTray } = words.notices.stillRunning;
  return { title, body: (hasTray ? body : bodyWithoutTray)(url), opens: { page: "overview" } };
}
