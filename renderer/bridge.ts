/**
 * Where the desktop app stands with a newer version. `unsupported` is final and its message says how to update by hand;
 * `failed` says why, and asking again is allowed.
 */
export interface UpdateState {
  readonly state: "unsupported" | "idle" | "checking" | "available" | "downloading" | "ready" | "failed";
  /** The newer version, where one is known. */
  readonly version: string | null;
  /** A sentence for the owner, where there is something to say. */
  readonly message: string | null;
}

/** A file that the window saved, or could not save. */
export interface DownloadedFile {
  readonly id: number;
  readonly name: string;
  /** Where it lies, absolute. */
  readonly folder: string;
  readonly saved: boolean;
}

/**
 * What Electron's preload puts on the window. Absent in a browser: every use has to do without it.
 */
export interface DesktopBridge {
  /** `process.platform` of the desktop app. */
  readonly platform: string;
  /** A fresh one-time token, so that a reload of the window opens the pages again by itself. */
  openPages(): Promise<{ token: string }>;
  /**
   * Asks the owner, by the system's own means, whether provider keys may be exported.
   * @returns what the export takes as consent; null where the owner declines
   */
  consentToExport(): Promise<{ token: string } | null>;
  /**
   * Shows a file of the media library in its folder.
   * @param path as the library gives it; any other is refused
   */
  showFile(path: string): Promise<void>;
  /**
   * Takes over a drag that began on the page, with the files of these results of the media library: to be called in
   * `dragstart`, whose own drag is prevented. At most 50.
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
  /** Whether Postern starts with the owner's session. */
  autostart(): Promise<boolean>;
  /** @throws with a sentence when the system refuses it */
  setAutostart(on: boolean): Promise<void>;
  /** Whether closing the window leaves Postern in the tray; otherwise it quits Postern. */
  closeToTray(): Promise<boolean>;
  setCloseToTray(on: boolean): Promise<void>;
  updates(): Promise<UpdateState>;
  /** Looks for a newer version; downloads nothing. Resolves when it has looked. */
  checkForUpdates(): Promise<UpdateState>;
  /**
   * The owner's consent to the next step: where a version is `available` it is downloaded, where it is `ready` Postern
   * drains, installs it and starts again. Does nothing in any other state. Resolves when the step has begun.
   */
  installUpdate(): Promise<UpdateState>;
  /** Drains, ends and starts Postern again. */
  restart(): Promise<void>;
}

declare global {
  interface Window {
    readonly desktop?: DesktopBridge;
  }
}
