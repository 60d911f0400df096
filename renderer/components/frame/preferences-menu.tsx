import type { ReactElement, ReactNode } from "react";
import { createPart, usePart } from "../../lib/part.ts";
import { MenuButton, type MenuPopupProps } from "../ui/menu-button.tsx";

/** Menus are a tenth of the initial code, and rarely opened immediately. */
export const preferencesPart = createPart(async () => (await import("./preferences-popup.tsx")).PreferencesPopup, {
  hasPageWords: false,
});

export interface PreferencesMenuProps {
  readonly trigger: ReactElement<Record<string, unknown>>;
  /** Whether to include search and unplaced entries, if there is no sidebar. */
  readonly complete?: boolean;
}

export function PreferencesMenu({ trigger, complete = false }: PreferencesMenuProps): ReactNode {
  return (
    <MenuButton trigger={trigger} side="top" align="end" popup={complete ? CompletePopup : Popup}>
      {null}
    </MenuButton>
  );
}

function Popup(props: MenuPopupProps): ReactNode {
  const part = usePart(preferencesPart);
  return part.status === "here" ? <part.component {...props} complete={false} /> : null;
}

function CompletePopup(props: MenuPopupProps): ReactNode {
  const part = usePart(preferencesPart);
  return part.status === "here" ? <part.component {...props} complete /> : null;
}
