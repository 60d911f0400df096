import type { Notice } from "./notice.ts";
import type { Words } from "./words.ts";

export interface CloseFacts {
  /** The application is on its way out: the window closes with it. */
  readonly isQuitting: boolean;
  readonly platform: NodeJS.Platform;
  /** Whether the owner was told before that Postern stays in the tray. */
  readonly wasTold: boolean;
}

export interface CloseDecision {
  /** `hide` keeps the window, `close` lets it go. */
  readonly act: "hide" | "close";
  /** Whether to say, once, that the gateway goes on. */
  readonly tell: boolean;
}

/**
 * What closing the window does: it hides, because clients go on using the gateway. On macOS that is what every
 * application does, so there is nothing to tell.
 */
export function closeDecision(facts: CloseFacts): CloseDecision {
  if (facts.isQuitting) return { act: "close", tell: false };
  return { act: "hide", tell: facts.platform !== "darwin" && !facts.wasTold };
}

/** The one-time notice. */
export function trayNotice(url: string, words: Words): Notice {
  const { title, body } = words.notices.stillRunning;
  return { title, body: body(url), opens: { page: "overview" } };
}
