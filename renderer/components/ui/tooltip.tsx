import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";

/** The name of a control on hover and focus. It repeats what is said elsewhere: nothing is known from it alone. */
export function Tooltip(props: {
  readonly text: string;
  readonly children: ReactElement<Record<string, unknown>>;
}): ReactNode {
  return (
    <Base.Root>
      <Base.Trigger render={props.children} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} className="z-50">
          <Base.Popup className="overlay max-w-72 px-2 py-1 text-meta transition-opacity data-ending-style:opacity-0 data-instant:transition-none data-starting-style:opacity-0">
            {props.text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
