import { useState, type ReactNode } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { TextField } from "../../../components/ui/field.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { parseRectangle, type MaskShape, type Size } from "./mask.ts";

export interface MaskRectangleProps {
  readonly size: Size;
  readonly onAdd: (shape: MaskShape) => void;
}

const sides = ["x", "y", "width", "height"] as const;
type Typed = Readonly<Record<(typeof sides)[number], string>>;
const nothing: Typed = { x: "", y: "", width: "", height: "" };

/** Paints or erases a rectangle that is given in pixels: painting without a pointer. */
export function MaskRectangle({ size, onAdd }: MaskRectangleProps): ReactNode {
  const t = useMessages();
  const [typed, setTyped] = useState(nothing);
  const add = (erase: boolean): void => {
    const shape = parseRectangle(typed, size, erase);
    if (shape !== null) onAdd(shape);
  };
  const possible = parseRectangle(typed, size, false) !== null;
  return (
    <details>
      <summary className="w-fit rounded-sm py-1 text-muted hover:text-text">
        {t.playground.rectangle(size.width, size.height)}
      </summary>
      <div className="mt-1.5 flex flex-wrap items-end gap-2">
        {sides.map((side) => (
          <TextField
            key={side}
            label={t.playground.sides[side]}
            value={typed[side]}
            inputMode="numeric"
            className="w-20"
            onChange={(event) => setTyped((before) => ({ ...before, [side]: event.target.value }))}
          />
        ))}
        <Button disabled={!possible} onClick={() => add(false)} className="mb-0.5">
          {t.playground.paintRectangle}
        </Button>
        <Button disabled={!possible} onClick={() => add(true)} className="mb-0.5">
          {t.playground.eraseRectangle}
        </Button>
      </div>
    </details>
  );
}
