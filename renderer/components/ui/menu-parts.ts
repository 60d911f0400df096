import { createContext, type ReactNode } from "react";

export interface MenuItemProps {
  readonly onSelect: () => void;
  readonly icon?: ReactNode;
  readonly hint?: string;
  readonly danger?: boolean;
  readonly children: ReactNode;
}

export interface MenuCheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}

export interface MenuChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly id: Value; readonly label: string }[];
  readonly onChoose: (value: Value) => void;
  /** Whether the menu closes with the choice. */
  readonly closes?: boolean;
}

/** Items of a menu, whose code is loaded with its popup. */
export interface MenuParts {
  MenuItem(props: MenuItemProps): ReactNode;
  MenuCheck(props: MenuCheckProps): ReactNode;
  MenuChoice<Value extends string>(props: MenuChoiceProps<Value>): ReactNode;
  MenuSeparator(): ReactNode;
}

/** Item components of an open menu; null outside of one. */
export const MenuPartsContext = createContext<MenuParts | null>(null);
