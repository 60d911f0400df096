import {
  cloneElement,
  useId,
  useState,
  type ComponentType,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
} from "react";

export interface MenuProps {
  /** A button that accepts the passed props. */
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly children: ReactNode;
  readonly side?: "top" | "bottom" | "right";
  readonly align?: "start" | "end";
}

/** How a menu was opened: the focused control, and whether by a key. */
interface Opening {
  readonly by: "key" | "pointer";
  readonly from: HTMLElement | null;
  readonly button: HTMLElement;
}

/** Props of a menu that is mounted on first open. */
export interface MenuPopupProps extends Required<Omit<MenuProps, "trigger">> {
  /** Id of its button, whose name it has. */
  readonly id: string;
  readonly opening: Opening;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
}

export interface MenuButtonProps extends MenuProps {
  readonly popup: ComponentType<MenuPopupProps>;
}

/**
 * A button and its menu. Until opened only the button is rendered, so that a table with a menu per row stays cheap.
 */
export function MenuButton(props: MenuButtonProps): ReactNode {
  const { trigger, popup: Popup, children, side = "bottom", align = "end" } = props;
  const id = useId();
  const [opening, setOpening] = useState<Opening | null>(null);
  const [open, setOpen] = useState(false);
  const onClick = (event: MouseEvent<HTMLElement>): void => {
    const { activeElement } = document;
    const from = activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : null;
    setOpening({ by: event.detail === 0 ? "key" : "pointer", from, button: event.currentTarget });
    setOpen(true);
  };
  return (
    <>
      {cloneElement(trigger, { id, "aria-haspopup": "menu", "aria-expanded": open, onClick })}
      {opening !== null && (
        <Popup opening={opening} open={open} onOpen={setOpen} {...{ id, side, align }}>
          {children}
        </Popup>
      )}
    </>
  );
}
