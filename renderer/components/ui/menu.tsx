import { Menu as Base } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import {
  cloneElement,
  useEffect,
  useId,
  useRef,
  useState,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
} from "react";

const itemClass =
  "flex h-7 items-center gap-2 rounded-sm px-2 outline-none select-none pointer-coarse:h-9 data-highlighted:bg-hover data-disabled:text-faint";

export interface MenuProps {
  /** A button that passes on what it is given. */
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly children: ReactNode;
  readonly side?: "top" | "bottom" | "right";
  readonly align?: "start" | "end";
}

/** How a menu came to be open: which control had the focus, and whether a key did it. */
interface Opening {
  readonly by: "key" | "pointer";
  readonly from: HTMLElement | null;
  readonly button: HTMLElement;
}

/**
 * A button and its menu. Until it is opened it is a button and nothing else: a table of rows with a menu each costs as
 * much as one without.
 */
export function Menu({ trigger, children, side = "bottom", align = "end" }: MenuProps): ReactNode {
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
        <MenuPopup opening={opening} open={open} onOpen={setOpen} {...{ id, side, align }}>
          {children}
        </MenuPopup>
      )}
    </>
  );
}

interface MenuPopupProps extends Required<Omit<MenuProps, "trigger">> {
  /** Of its button, whose name it has. */
  readonly id: string;
  readonly opening: Opening;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
}

function MenuPopup({ id, opening, open, onOpen, side, align, children }: MenuPopupProps): ReactNode {
  const popup = useRef<HTMLDivElement>(null);
  const back = (): HTMLElement => (opening.from?.isConnected === true ? opening.from : opening.button);
  return (
    <Base.Root open={open} onOpenChange={onOpen}>
      <Base.Portal>
        <Base.Positioner anchor={opening.button} side={side} align={align} sideOffset={4} className="z-50 outline-none">
          <Base.Popup
            ref={popup}
            aria-labelledby={id}
            finalFocus={back}
            className="overlay max-h-(--available-height) min-w-44 overflow-y-auto p-1 outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            {children}
            {opening.by === "key" && <FirstFocused popup={popup} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** Who opens a menu with a key goes on with keys: they begin at its first item. */
function FirstFocused({ popup }: { readonly popup: { readonly current: HTMLElement | null } }): ReactNode {
  useEffect(() => popup.current?.querySelector<HTMLElement>("[role^=menuitem]")?.focus(), [popup]);
  return null;
}

export interface MenuItemProps {
  readonly onSelect: () => void;
  readonly icon?: ReactNode;
  readonly hint?: string;
  readonly danger?: boolean;
  readonly children: ReactNode;
}

export function MenuItem({ onSelect, icon, hint, danger = false, children }: MenuItemProps): ReactNode {
  return (
    <Base.Item onClick={onSelect} className={`${itemClass} ${danger ? "text-danger-text" : ""}`}>
      {icon !== undefined && <span className={danger ? "" : "text-muted"}>{icon}</span>}
      <span className="grow">{children}</span>
      {hint !== undefined && <span className="pl-4 text-meta text-faint">{hint}</span>}
    </Base.Item>
  );
}

export function MenuCheck(props: {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Base.CheckboxItem
      checked={props.checked}
      onCheckedChange={props.onChange}
      closeOnClick={false}
      className={itemClass}
    >
      <span className="flex w-4 text-accent-text">{props.checked && <Check size={14} aria-hidden />}</span>
      {props.children}
    </Base.CheckboxItem>
  );
}

export interface MenuChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly id: Value; readonly label: string }[];
  readonly onChoose: (value: Value) => void;
  /** Whether the menu closes with the choice. */
  readonly closes?: boolean;
}

/** One of several, under a heading. */
export function MenuChoice<Value extends string>({
  label,
  value,
  choices,
  onChoose,
  closes = false,
}: MenuChoiceProps<Value>): ReactNode {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 pt-1.5 pb-1 text-meta text-faint">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={onChoose}>
        {choices.map((choice) => (
          <Base.RadioItem key={choice.id} value={choice.id} closeOnClick={closes} className={itemClass}>
            <span className="flex w-4 text-accent-text">
              <Base.RadioItemIndicator>
                <Check size={14} aria-hidden />
              </Base.RadioItemIndicator>
            </span>
            {choice.label}
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}

export function MenuSeparator(): ReactNode {
  return <Base.Separator className="my-1 h-px bg-line" />;
}
