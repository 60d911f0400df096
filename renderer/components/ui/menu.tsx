import { createContext, use, type ReactNode } from "react";
import { createPart, usePart } from "../../lib/part.ts";
import { MenuButton, type MenuPopupProps, type MenuProps } from "./menu-button.tsx";
import type { MenuParts } from "./menu-popup.tsx";

/** The code of menus is fetched while the browser is idle, or by the first menu that is opened. */
export const menuPart = createPart(async () => (await import("./menu-popup.tsx")).MenuPopup, { hasPageWords: false });
/** The items of an open menu; null outside of one. */
export const MenuPartsContext = createContext<MenuParts | null>(null);

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

export interface MenuItemProps {
  readonly onSelect: () => void;
  readonly icon?: ReactNode;
  readonly hint?: string;
  readonly danger?: boolean;
  readonly children: ReactNode;
}

export function MenuItem(props: MenuItemProps): ReactNode {
  const { MenuItem: Item } = useParts();
  return <Item {...props} />;
}

export interface MenuCheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}

export function MenuCheck(props: MenuCheckProps): ReactNode {
  const { MenuCheck: Item } = useParts();
  return <Item {...props} />;
}

export interface MenuChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly id: Value; readonly label: string }[];
  readonly onChoose: (value: Value) => void;
  /** Whether the menu closes with the choice. */
  readonly closes?: boolean;
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
