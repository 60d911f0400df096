import type { State } from "../../gateway/contract/control.ts";
import { moneyLabel } from "./money-label.ts";

/** What the tray shows of the gateway. */
export interface TrayFacts {
  /** `http://127.0.0.1:6174`. */
  readonly url: string;
  readonly status: State["status"];
  /** Real spend of the current UTC day, 10⁻⁹ USD. */
  readonly todayNano: number;
  /** Requests that are being answered now. */
  readonly inFlight: number;
}

/** What the tray shows of the gateway's state. */
export function factsOf(state: State): TrayFacts {
  return { url: state.url, status: state.status, todayNano: state.today.nano, inFlight: state.in_flight };
}

export type TrayAction = "open" | "copy-base-url" | "quit";

export type TrayItem =
  | { readonly kind: "text"; readonly label: string }
  | { readonly kind: "separator" }
  | { readonly kind: "action"; readonly label: string; readonly action: TrayAction };

export interface TrayModel {
  readonly tooltip: string;
  readonly items: readonly TrayItem[];
}

/** The address that clients are pointed at. */
export function baseUrl(url: string): string {
  return `${url}/v1`;
}

function stateLabel(facts: TrayFacts): string {
  const port = URL.parse(facts.url)?.port ?? "";
  const labels: Record<TrayFacts["status"], string> = {
    running: `Running on ${port}`,
    stopping: "Stopping",
    paused: "Paused",
    storage: "The disk refuses writes: paid calls are refused",
  };
  return labels[facts.status];
}

function inFlightLabel(count: number): string {
  if (count === 0) return "Nothing in flight";
  return count === 1 ? "1 request in flight" : `${count} requests in flight`;
}

/**
 * The tray's tooltip and menu. Opening the window is the first entry, because on some Linux desktops a click on the
 * icon reaches only the menu.
 */
export function trayModel(facts: TrayFacts): TrayModel {
  const state = stateLabel(facts);
  return {
    tooltip: `Postern: ${state}`,
    items: [
      { kind: "action", label: "Open Postern", action: "open" },
      { kind: "separator" },
      { kind: "text", label: state },
      { kind: "text", label: `Today ${moneyLabel(facts.todayNano)}` },
      { kind: "text", label: inFlightLabel(facts.inFlight) },
      { kind: "separator" },
      { kind: "action", label: "Copy base URL", action: "copy-base-url" },
      { kind: "separator" },
      { kind: "action", label: "Quit Postern", action: "quit" },
    ],
  };
}

/** Whether two models look the same: replacing a menu closes it under the owner's pointer on Linux. */
export function isSameTray(one: TrayModel | null, other: TrayModel): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export type TrayIcon = "template" | "light" | "dark";

/**
 * The colour of the mark in the tray. macOS tints a template itself; elsewhere it must stand out from the panel, which
 * on Linux is dark on most desktops whatever the applications' theme is.
 */
export function trayIcon(platform: NodeJS.Platform, isDarkPanel: boolean): TrayIcon {
  if (platform === "darwin") return "template";
  return platform === "linux" || isDarkPanel ? "light" : "dark";
}

/** Whether a click on the icon opens the window. On macOS it opens the menu, and doing both would be one too many. */
export function opensOnClick(platform: NodeJS.Platform): boolean {
  return platform !== "darwin";
}
