import { createContext, use } from "react";

/** Overlays that can be opened from anywhere: by a button, the palette, a key. */
export type OverlayName = "palette" | "shortcuts" | "createKey" | "addConnection";

export interface Overlays {
  open(name: OverlayName): void;
}

export const OverlaysContext = createContext<Overlays>({ open: () => undefined });

export function useOverlays(): Overlays {
  return use(OverlaysContext);
}
