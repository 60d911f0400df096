import { Popover as Base } from "@base-ui/react/popover";
import { useState, type ReactElement, type ReactNode } from "react";
import { useLayer } from "./layers.ts";

export interface PopoverProps {
  readonly trigger: ReactElement<Record<string, unknown>>;
  /** Accessible name, shown above the content. */
  readonly title: string;
  readonly children: ReactNode;
}

/** A few controls next to the button that opens them. */
export function Popover({ trigger, title, children }: PopoverProps): ReactNode {
  const [open, setOpen] = useState(false);
  const isForOther = useLayer(open, "other");
  return (
    <Base.Root open={open} onOpenChange={(next, details) => (next || !isForOther(details)) && setOpen(next)}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner side="bottom" align="end" sideOffset={4} collisionPadding={8} className="z-30 outline-none">
          <Base.Popup className="overlay max-h-(--available-height) w-[min(320px,calc(100vw-16px))] overflow-y-auto p-3 outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0">
            <Base.Title className="sr-only">{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
