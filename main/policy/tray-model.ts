import type { State } from "../../gateway/contract/control.ts";
import type { Words } from "./words.ts";

/** The contents of the tray. */
export interface TrayFacts {
  /** `http://127.0.0.1:6174`. */
  readonly url: string;
  readonly status: State["status"];
  /** Real spend of the local day, 10⁻⁹ USD. */
  readonly todayNano: number;
  /** Monthly budget and its remainder, 10⁻⁹ USD; null for none. */
  readonly budget: { readonly limitNano: number; readonly leftNano: number } | null;
  /** Number of running requests. */
  readonly inFlight: number;
  /** Video tasks that have not ended. */
  readonly videos: number;
  /** Whether system notifications are shown. */
  readonly notifications: boolean;
  /** Whether Postern starts with the session; null if unsupported. */
  readonly autostart: boolean | null;
  /** Version installed by a restart; null for none. */
  readonly update: string | null;
}

/** Reads the gateway's part of it. */
export function getFacts(state: State): Pick<TrayFacts, "url" | "status" | "todayNano" | "budget" | "inFlight"> {
  const limitNano = state.monthly_budget_nano;
  return {
    url: state.url,
    status: state.status,
    todayNano: state.today.nano,
    budget: limitNano === null ? null : { limitNano, leftNano: Math.max(0, limitNano - state.month.nano) },
    inFlight: state.in_flight,
  };
}

export type TrayAction =
  | "open"
  | "copy-base-url"
  | "copy-mcp"
  | "pause"
  | "resume"
  | "toggle-notifications"
  | "toggle-autostart"
  | "install-update"
  | "quit";

export type TrayItem =
  | { readonly kind: "text"; readonly label: string }
  | { readonly kind: "separator" }
  | { readonly kind: "action"; readonly label: string; readonly action: TrayAction }
  | { readonly kind: "check"; readonly label: string; readonly checked: boolean; readonly action: TrayAction };

export interface TrayModel {
  readonly tooltip: string;
  readonly items: readonly TrayItem[];
}

/** The address that clients are pointed at. */
export function getBaseUrl(url: string): string {
  return `${url}/v1`;
}

/** The address of the tool server. */
export function getMcpUrl(url: string): string {
  return `${url}/mcp`;
}

const separator: TrayItem = { kind: "separator" };
const createText = (label: string): TrayItem => ({ kind: "text", label });
const createEntry = (label: string, action: TrayAction): TrayItem => ({ kind: "action", label, action });
const check = (label: string, checked: boolean, action: TrayAction): TrayItem => ({
  kind: "check",
  label,
  checked,
  action,
});

function formatStateLabel(facts: TrayFacts, { status }: Words["tray"]): string {
  return facts.status === "running" ? status.running(URL.parse(facts.url)?.port ?? "") : status[facts.status];
}

/** Pausing has no sense while it stops; and a pause that the disk's trouble hides can be ended as ever. */
function pauseItems({ status }: TrayFacts, words: Words["tray"]): readonly TrayItem[] {
  if (status === "stopping") return [];
  return [status === "paused" ? createEntry(words.resume, "resume") : createEntry(words.pause, "pause")];
}

/**
 * Builds the tray's tooltip and menu. Opening the window is the first entry, because on some Linux desktops a click on
 * the icon only opens the menu.
 */
export function createTrayModel(facts: TrayFacts, { tray: words }: Words): TrayModel {
  const state = formatStateLabel(facts, words);
  const { budget, autostart, update } = facts;
  return {
    tooltip: `Postern: ${state}`,
    items: [
      createEntry(words.open, "open"),
      separator,
      createText(state),
      createText(words.today(facts.todayNano)),
      ...(budget === null ? [] : [createText(words.left(budget.leftNano, budget.limitNano))]),
      createText(words.inFlight(facts.inFlight)),
      ...(facts.videos === 0 ? [] : [createText(words.videos(facts.videos))]),
      separator,
      createEntry(words.copyBaseUrl, "copy-base-url"),
      createEntry(words.copyMcp, "copy-mcp"),
      separator,
      ...pauseItems(facts, words),
      check(words.notifications, facts.notifications, "toggle-notifications"),
      ...(autostart === null ? [] : [check(words.autostart, autostart, "toggle-autostart")]),
      separator,
      ...(update === null ? [] : [createEntry(words.update(update), "install-update")]),
      createEntry(words.quit, "quit"),
    ],
  };
}

/** Whether two models look the same: replacing a menu closes it under the owner's pointer on Linux. */
export function isSameTray(one: TrayModel | null, other: TrayModel): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export type TrayIcon = "template" | "light" | "dark";

/**
 * Chooses the tray icon's colour. macOS tints a template itself; elsewhere it must contrast with the panel, which is
 * dark on most Linux desktops regardless of the applications' theme.
 */
export function createTrayIcon(platform: NodeJS.Platform, isDarkPanel: boolean): TrayIcon {
  if (platform === "darwin") return "template";
  return platform === "linux" || isDarkPanel ? "light" : "dark";
}

/**
 * Tells whether a click on the icon opens the window. On macOS a click opens the menu, so it must not also open the
 * window.
 */
export function opensOnClick(platform: NodeJS.Platform): boolean {
  return platform !== "darwin";
}
