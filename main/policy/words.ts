import type { ScopeKind } from "../../gateway/contract/budgets.ts";
import { moneyLabel } from "./money-label.ts";

/** Texts of the desktop shell: tray, menus, dialogs, system notifications. The gateway has its own texts. */
export interface Words {
  readonly tray: {
    readonly open: string;
    readonly status: {
      readonly running: (port: string) => string;
      readonly stopping: string;
      readonly paused: string;
      readonly storage: string;
    };
    readonly today: (nano: number) => string;
    readonly left: (leftNano: number, budgetNano: number) => string;
    readonly inFlight: (count: number) => string;
    readonly videos: (count: number) => string;
    readonly copyBaseUrl: string;
    readonly copyMcp: string;
    readonly pause: string;
    readonly resume: string;
    readonly notifications: string;
    readonly autostart: string;
    readonly update: (version: string) => string;
    readonly quit: string;
  };
  readonly menu: {
    readonly file: string;
    readonly edit: string;
    readonly view: string;
    readonly window: string;
    readonly openWindow: string;
    readonly closeWindow: string;
    readonly back: string;
    readonly forward: string;
    readonly reload: string;
    readonly find: string;
    readonly findNext: string;
    readonly findPrevious: string;
    readonly settings: string;
    readonly checkForUpdates: string;
    readonly help: string;
    readonly guide: string;
    readonly report: string;
    readonly about: string;
    readonly showLog: string;
    readonly diagnostics: string;
    readonly roles: Readonly<Record<MenuRole, string>>;
  };
  readonly notices: {
    readonly stillRunning: {
      readonly title: string;
      readonly body: (url: string) => string;
      readonly bodyWithoutTray: (url: string) => string;
    };
    readonly videoDone: string;
    readonly videoFailed: string;
    readonly videoUnclear: string;
    readonly videoUnclearBody: (model: string) => string;
    readonly cost: (nano: number) => string;
    readonly unpriced: string;
    readonly sandbox: string;
    readonly videosEnded: (count: number) => string;
    readonly videosEndedBody: (done: number, failed: number) => string;
    readonly budgetNear: (percent: number) => string;
    readonly budgetSpent: string;
    readonly wholeBudget: string;
    readonly budgetOf: Readonly<Record<"key" | ScopeKind, (name: string) => string>>;
    readonly budgetBody: (title: string, spentNano: number, limitNano: number) => string;
    readonly refusedFromNow: string;
    readonly outage: (name: string) => string;
    readonly outages: (count: number) => string;
    readonly noCredit: string;
    readonly refusedKey: string;
    readonly failing: string;
    readonly worksAgain: (name: string) => string;
    readonly workAgain: (count: number) => string;
    readonly locked: string;
    readonly lockedBody: (names: string) => string;
    readonly noKeychain: string;
    readonly linkRefused: string;
    readonly updateReady: (version: string) => string;
    readonly updateReadyBody: string;
    readonly autostartFailed: string;
  };
  readonly links: Readonly<Record<LinkProblem, string>>;
  readonly cancel: string;
  readonly boxes: {
    readonly notStarted: Readonly<Record<"running" | "usage" | "port" | "store" | "config", string>>;
    readonly portInUse: (port: number, by: string | null, freePort: number) => string;
    readonly usePort: (port: number) => string;
    readonly tryAgain: string;
    readonly exportKeys: string;
    readonly exportKeysDetail: string;
    readonly exportNow: string;
    /** The words after the name of the app, as macOS writes them: "Postern is trying to …". */
    readonly exportReason: string;
    readonly crashed: string;
    readonly crashedDetail: (url: string, reason: string) => string;
    readonly reloadWindow: string;
    readonly keepHidden: string;
    readonly stopped: string;
    readonly stoppedDetail: (reason: string) => string;
  };
}

/** Menu entries implemented by the operating system. */
export type MenuRole =
  | "services"
  | "hide"
  | "hideOthers"
  | "unhide"
  | "undo"
  | "redo"
  | "cut"
  | "copy"
  | "paste"
  | "selectAll"
  | "resetZoom"
  | "zoomIn"
  | "zoomOut"
  | "togglefullscreen"
  | "toggleDevTools"
  | "minimize"
  | "front";

/** Why a link is refused. Its content is never repeated, because it is untrusted. */
export type LinkProblem = "unknown" | "tooLong" | "secret" | "value" | "address" | "notItsHome";

const plural = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`);

export const english: Words = {
  tray: {
    open: "Open Postern",
    status: {
      running: (port) => `Running on ${port}`,
      stopping: "Stopping",
      paused: "Paused",
      storage: "The disk refuses writes: paid calls are refused",
    },
    today: (nano) => `Today ${moneyLabel(nano)}`,
    left: (left, budget) => `${moneyLabel(left)} of ${moneyLabel(budget)} left this month`,
    inFlight: (count) => (count === 0 ? "Nothing in flight" : `${plural(count, "request", "requests")} in flight`),
    videos: (count) => `${plural(count, "video", "videos")} being made`,
    copyBaseUrl: "Copy base URL",
    copyMcp: "Copy MCP address",
    pause: "Pause",
    resume: "Resume",
    notifications: "Notifications",
    autostart: "Start at login",
    update: (version) => `Restart to update to ${version}`,
    quit: "Quit Postern",
  },
  menu: {
    file: "File",
    edit: "Edit",
    view: "View",
    window: "Window",
    openWindow: "Open window",
    closeWindow: "Close window",
    back: "Back",
    forward: "Forward",
    reload: "Reload",
    find: "Find…",
    findNext: "Find next",
    findPrevious: "Find previous",
    settings: "Settings…",
    checkForUpdates: "Check for updates",
    help: "Help",
    guide: "Guide",
    report: "Report a problem",
    about: "About Postern",
    showLog: "Show log",
    diagnostics: "Download diagnostics…",
    roles: {
      services: "Services",
      hide: "Hide Postern",
      hideOthers: "Hide others",
      unhide: "Show all",
      undo: "Undo",
      redo: "Redo",
      cut: "Cut",
      copy: "Copy",
      paste: "Paste",
      selectAll: "Select all",
      resetZoom: "Actual size",
      zoomIn: "Zoom in",
      zoomOut: "Zoom out",
      togglefullscreen: "Full screen",
      toggleDevTools: "Developer tools",
      minimize: "Minimize",
      front: "Bring all to front",
    },
  },
  notices: {
    stillRunning: {
      title: "Postern is still running",
      body: (url) => `Apps can go on using ${url}. Open it again or quit it from the tray.`,
      bodyWithoutTray: (url) => `Apps can go on using ${url}. To open or quit it, start Postern again.`,
    },
    videoDone: "Video ready",
    videoFailed: "Video failed",
    videoUnclear: "A video needs you",
    videoUnclearBody: (model) => `${model}: it is not known whether the provider took the order.`,
    cost: (nano) => `Cost ${moneyLabel(nano)}`,
    unpriced: "Cost unknown: the model has no price",
    sandbox: "Sandbox: no real cost",
    videosEnded: (count) => `${count} videos ended`,
    videosEndedBody: (done, failed) => `${done} ready, ${failed} failed`,
    budgetNear: (percent) => `${percent} % of a budget is spent`,
    budgetSpent: "A budget is spent",
    wholeBudget: "This month's budget",
    budgetOf: {
      key: (name) => `The budget of the key ${name}`,
      client: (name) => `The budget of the app ${name}`,
      project: (name) => `The budget of the project ${name}`,
    },
    budgetBody: (title, spent, limit) => `${title}: ${moneyLabel(spent)} of ${moneyLabel(limit)}.`,
    refusedFromNow: "Further paid calls are refused.",
    outage: (name) => `${name} does not respond`,
    outages: (count) => `${count} providers do not respond`,
    noCredit: "The provider says that the account is out of credit.",
    refusedKey: "The provider refuses its key.",
    failing: "All recent requests failed. Postern keeps retrying.",
    worksAgain: (name) => `${name} can be used again`,
    workAgain: (count) => `${count} providers can be used again`,
    locked: "Provider keys are locked",
    lockedBody: (names) => `The keychain that encrypted them does not decrypt them: ${names}. They are kept unharmed.`,
    noKeychain: "The keychain cannot be used",
    linkRefused: "A link to Postern was refused",
    updateReady: (version) => `Postern ${version} is ready`,
    updateReadyBody: "Restart to update when it suits you.",
    autostartFailed: "Starting at login could not be changed",
  },
  links: {
    unknown: "It asks for something that links cannot do.",
    tooLong: "It is too long.",
    secret: "It carries something like a key. Keys never travel in links: paste them yourself.",
    value: "One of its values is not what it should be.",
    address: "Its address is not one that a link may suggest: https, or http on this machine.",
    notItsHome: "It names a provider and leads to somebody else's address. Keys for that provider must not go there.",
  },
  cancel: "Cancel",
  boxes: {
    notStarted: {
      running: "Postern is already running",
      usage: "Postern was started with a wrong argument",
      port: "Postern cannot listen on its address",
      store: "Postern cannot use its data folder",
      config: "Postern cannot apply its configuration file",
    },
    portInUse: (port, by, freePort) =>
      `Port ${port} is taken by ${by ?? "another program"}. Stop that program and try again, or let Postern use port ${freePort} this time: apps then need http://127.0.0.1:${freePort}.`,
    usePort: (port) => `Use port ${port}`,
    tryAgain: "Try again",
    exportKeys: "Export the provider keys?",
    exportKeysDetail:
      "The file holds every provider key, encrypted with the passphrase that you typed. Who has both can use your keys.",
    exportNow: "Export",
    exportReason: "export the provider keys",
    crashed: "The window stopped working",
    crashedDetail: (url, reason) => `The gateway at ${url} is not affected and keeps serving apps. Reason: ${reason}.`,
    reloadWindow: "Reload the window",
    keepHidden: "Keep it hidden",
    stopped: "Postern stopped because of an internal error",
    stoppedDetail: (reason) =>
      `${reason}\n\nNothing that was saved is lost. "postern doctor" says what is wrong with the data folder.`,
  },
};
