import type { ScopeKind } from "../../../gateway/contract/budgets.ts";
import { createContext, use } from "react";

/** Overlays that can be opened from anywhere: by a button, the palette, a key. */
export type OverlayName = "palette" | "shortcuts" | "createKey" | "addConnection" | "limit";

/** The subject of a limit: an app or a project by name, a local key by id. */
export interface LimitTarget {
  readonly kind: ScopeKind | "key";
  readonly name: string;
}

export interface Overlays {
  open(name: OverlayName): void;
  /** Opens the dialog in which the target gets a limit, or another amount. */
  limit(target: LimitTarget): void;
}

export const OverlaysContext = createContext<Overlays>({ open: () => undefined, limit: () => undefined });

export function useOverlays(): Overlays {
  return use(OverlaysContext);
}
