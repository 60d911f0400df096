import type { ColourTools } from "./forced-colours.ts";

/** What tests put into the pages' windows to find again there. */
declare global {
  interface Window {
    /** Whether the pages left a key to the browser. */
    isFree?: boolean;
    /** Texts that were drawn on a canvas. */
    drawn: string[];
    /** The desktop app's side, as a test plays it. */
    desktop?: Record<string, unknown>;
    /** Rows that were drawn again, by name. */
    touched: Set<string>;
    /** How many rows were added and touched. */
    changes: { added: number; touched: number };
    /** Files that were to be shown in their folder. */
    shown: string[];
    /** The form that was sent last. */
    sentForm?: FormData;
    /** Set by a script that must not run. */
    pwned?: unknown;
    colourTools: ColourTools;
  }
}
