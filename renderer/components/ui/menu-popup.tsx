import { Menu as Base } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { useLayer } from "./layers.ts";
import type { MenuPopupProps } from "./menu-button.tsx";
import {
  MenuPartsContext,
  type MenuCheckProps,
  type MenuChoiceProps,
  type MenuItemProps,
  type MenuParts,
} from "./menu-parts.ts";

const itemClass =
  "flex h-7 items-center gap-2 rounded-sm px-2 outline-none select-none pointer-coarse:h-9 data-highlighted:bg-hover data-disabled:text-faint";

/** The popup of a menu, which its items take their parts from. */
export function MenuPopup({ id, opening, open, onOpen, side, align, children }: MenuPopupProps): ReactNode {
  const popup = useRef<HTMLDivElement>(null);
  const isForOther = useLayer(open, "other");
  const back = (): HTMLElement => (opening.from?.isConnected === true ? opening.from : opening.button);
  return (
    <Base.Root open={open} onOpenChange={(next, details) => (next || !isForOther(details)) && onOpen(next)}>
      <Base.Portal>
        <Base.Positioner anchor={opening.button} side={side} align={align} sideOffset={4} className="z-50 outline-none">
          <Base.Popup
            ref={popup}
            aria-labelledby={id}
            finalFocus={back}
            className="overlay max-h-(--available-height) min-w-44 overflow-y-auto p-1 outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            <MenuPartsContext value={parts}>{children}</MenuPartsContext>
            {opening.by === "key" && <FirstFocused popup={popup} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** Focuses the first item of a menu that was opened by keyboard. */
function FirstFocused({ popup }: { readonly popup: { readonly current: HTMLElement | null } }): ReactNode {
  useEffect(() => popup.current?.querySelector<HTMLElement>("[role^=menuitem]")?.focus(), [popup]);
  return null;
}

function MenuItem({ onSelect, icon, hint, danger = false, children }: MenuItemProps): ReactNode {
  return (
    <Base.Item onClick={onSelect} className={`${itemClass} ${danger ? "text-danger-text" : ""}`}>
      {icon !== undefined && <span className={danger ? "" : "text-muted"}>{icon}</span>}
      <span className="grow">{children}</span>
      {hint !== undefined && <span className="pl-4 text-meta text-faint">{hint}</span>}
    </Base.Item>
  );
}

function MenuCheck(props: MenuCheckProps): ReactNode {
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

function MenuChoice<Value extends string>({
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

function MenuSeparator(): ReactNode {
  return <Base.Separator className="my-1 h-px bg-line" />;
}

const parts: MenuParts = { MenuItem, MenuCheck, MenuChoice, MenuSeparator };
