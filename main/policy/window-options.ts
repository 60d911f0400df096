import { SMALLEST, type Bounds } from "./window-bounds.ts";

export interface WindowFacts {
  /** Absolute path of the bundled preload. */
  readonly preload: string;
  /** Absolute path of the window's icon, which only Linux does not take from the program. */
  readonly icon: string;
  /** Size and, if known and visible, position in display-independent pixels. */
  readonly bounds: Bounds;
  /** True in an installed app: developer tools are then off. */
  readonly packaged: boolean;
  readonly dark: boolean;
}

/** Background before the first paint, the canvas colour of renderer/styles/tokens.css in light and dark, so that nothing flashes. */
const BACKGROUND = { light: "#f5f8f8", dark: "#0d1111" } as const;

/**
 * The main window. All options of Electron's security checklist are explicit, so that a changed default cannot affect
 * the window, and a test compares the whole object.
 */
export function createWindowOptions(facts: WindowFacts) {
  return {
    ...facts.bounds,
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
    title: "Postern",
    icon: facts.icon,
    show: false,
    autoHideMenuBar: true,
    backgroundColor: facts.dark ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: {
      preload: facts.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      navigateOnDragDrop: false,
      plugins: false,
      // A middle click on a link would ask for a new window, which is denied: it does nothing instead.
      disableBlinkFeatures: "Auxclick",
      // On Windows and Linux the spell checker fetches dictionaries from a provider's servers.
      spellcheck: false,
      devTools: !facts.packaged,
    },
  };
}
