import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";

/** A remark on hover and focus. It only repeats or explains: nothing may be known from it alone. */
export function Tooltip(props: { readonly text: ReactNode; readonly children: ReactElement }): ReactNode {
  return (
    <Base.Root>
      <Base.Trigger render={props.children as ReactElement<Record<string, unknown>>} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} className="z-50">
          <Base.Popup className="overlay max-w-72 px-2 py-1 text-meta text-text transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0">
            {props.text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
