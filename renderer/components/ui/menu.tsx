import { use, type ReactNode } from "react";
import { createPart, usePart } from "../../lib/part.ts";
import { MenuButton, type MenuPopupProps, type MenuProps } from "./menu-button.tsx";
import {
  MenuPartsContext,
  type MenuCheckProps,
  type MenuChoiceProps,
  type MenuItemProps,
  type MenuParts,
} from "./menu-parts.ts";

/** The code of menus is fetched while the browser is idle, or by the first menu that is opened. */
export const menuPart = createPart(async () => (await import("./menu-popup.tsx")).MenuPopup, { hasPageWords: false });
/** A button and its menu, which is made when it is first opened. */
export function Menu(props: MenuProps): ReactNode {
  return <MenuButton {...props} popup={Popup} />;
}

function Popup(props: MenuPopupProps): ReactNode {
  const part = usePart(menuPart);
  return part.status === "here" ? <part.component {...props} /> : null;
}

function useParts(): MenuParts {
  const parts = use(MenuPartsContext);
  if (parts === null) throw new Error("An item stands outside of a menu");
  return parts;
}

export function MenuItem(props: MenuItemProps): ReactNode {
  const { MenuItem: Item } = useParts();
  return <Item {...props} />;
}

export function MenuCheck(props: MenuCheckProps): ReactNode {
  const { MenuCheck: Item } = useParts();
  return <Item {...props} />;
}

/** Radio group of a menu, under a heading. */
export function MenuChoice<Value extends string>(props: MenuChoiceProps<Value>): ReactNode {
  const { MenuChoice: Choice } = useParts();
  return <Choice {...props} />;
}

export function MenuSeparator(): ReactNode {
  const { MenuSeparator: Separator } = useParts();
  return <Separator />;
}
