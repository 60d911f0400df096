/**
 * What Electron's preload puts on the window. Absent in a browser: every use has to do without it.
 */
export interface DesktopBridge {
  /** `process.platform` of the desktop app. */
  readonly platform: string;
  /** A fresh one-time token, so that a reload of the window opens the pages again by itself. */
  openPages(): Promise<{ token: string }>;
  /**
   * Shows a file of the media library in its folder.
   * @param path as the library gives it; any other is refused
   */
  showFile(path: string): Promise<void>;
}

declare global {
  interface Window {
    readonly desktop?: DesktopBridge;
  }
}
