/**
 * What Electron's preload puts on the window. Absent in a browser: every use has to do without it.
 */
export interface DesktopBridge {
  /** `process.platform` of the desktop app. */
  readonly platform: string;
  /** A fresh one-time token, so that a reload of the window opens the pages again by itself. */
  openPages(): Promise<{ token: string }>;
}

declare global {
  interface Window {
    readonly desktop?: DesktopBridge;
  }
}
