/**
 * State of an update of the desktop app. `unsupported` is final, and its message explains the manual update; `failed`
 * has the reason and can be retried.
 */
export interface UpdateState {
  readonly state: "unsupported" | "idle" | "checking" | "available" | "downloading" | "ready" | "failed";
  /** Newer version, if one is known. */
  readonly version: string | null;
  /** Sentence for the user, if any. */
  readonly message: string | null;
}

/** Language and theme of the pages. */
export interface Appearance {
  /** Null: the system's. */
  readonly language: "en" | "zh" | null;
  readonly theme: "system" | "light" | "dark";
}

/** A file that the window saved, or could not save. */
export interface DownloadedFile {
  readonly id: number;
  readonly name: string;
  /** Absolute path of its folder. */
  readonly folder: string;
  readonly saved: boolean;
}

/** API that Electron's preload puts on the window. Absent in a browser: every use has to work without it. */
export interface DesktopBridge {
  /** `process.platform` of the desktop app. */
  readonly platform: string;
  /** A fresh one-time token, so that a reload of the window opens the pages again by itself. */
  openPages(): Promise<{ token: string }>;
  /**
   * Asks the owner, by the system's own means, whether provider keys may be exported.
   * @returns the consent that the export requires; null if the owner declines
   */
  consentToExport(): Promise<{ token: string } | null>;
  /**
   * Shows a file of the media library in its folder.
   * @param path as the library gives it; any other is refused
   */
  showFile(path: string): Promise<void>;
  /**
   * Takes over a drag of these library results from the page with their files: call it in `dragstart`, after preventing
   * its default. At most 50.
   */
  dragFiles(ids: readonly string[]): Promise<void>;
  /**
   * Tells of each download from now on, when it has ended.
   * @returns the end of it
   */
  onDownload(listener: (file: DownloadedFile) => void): () => void;
  /** Shows a saved file in its folder. */
  showDownload(id: number): Promise<void>;
  /** Opens the data folder in the system's file manager. */
  openDataFolder(): Promise<void>;
  /** Gives tray, menus, notices and boxes the language and theme of the pages. */
  setAppearance(appearance: Appearance): Promise<void>;
  /** Whether Postern starts with the login session; null if unsupported. */
  autostart(): Promise<boolean | null>;
  /** @throws with a sentence when the system refuses it */
  setAutostart(on: boolean): Promise<void>;
  /** Whether closing the window leaves Postern in the tray; otherwise it quits Postern. */
  closeToTray(): Promise<boolean>;
  setCloseToTray(on: boolean): Promise<void>;
  updates(): Promise<UpdateState>;
  /** Checks for a newer version without downloading. Resolves after the check. */
  checkForUpdates(): Promise<UpdateState>;
  /**
   * Performs the next step, with the user's consent: downloads an `available` version; for a `ready` one, Postern
   * drains, installs it and restarts. Does nothing in any other state. Resolves when the step has started.
   */
  installUpdate(): Promise<UpdateState>;
  /** Drains and restarts Postern. */
  restart(): Promise<void>;
}

declare global {
  interface Window {
    readonly desktop?: DesktopBridge;
  }
}
