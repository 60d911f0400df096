import { useEffect, useState, type ReactNode } from "react";

/** How long a pointer rests on a control before its name shows. */
const REST_MS = 400;
const GAP_PX = 6;
/** There is room for a name above a control that is this far from the window's upper edge. */
const ROOM_PX = 40;

interface Shown {
  readonly text: string;
  /** Centre of the control, and the edge of the tooltip. */
  readonly x: number;
  readonly y: number;
  readonly below: boolean;
}

/** Controls that show their accessible name on hover and focus. */
export const NAMED = "data-named";

function findNamed(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(`[${NAMED}]`) : null;
}

function getPlace(control: HTMLElement): Shown | null {
  const text = control.ariaLabel ?? "";
  // An open menu is more informative than its button's tooltip.
  if (text === "" || !control.isConnected || control.ariaExpanded === "true") return null;
  const { left, width, top, bottom } = control.getBoundingClientRect();
  const below = top < ROOM_PX;
  return { text, x: left + width / 2, y: below ? bottom + GAP_PX : top - GAP_PX, below };
}

/**
 * Shared tooltip of the pages: it follows pointer and focus to any control marked by `NAMED`, so that tooltips add no
 * cost per control. It only repeats accessible names, and is hidden from assistive technology.
 */
export function TooltipLayer(): ReactNode {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = (): void => {
      clearTimeout(timer);
      setShown(null);
    };
    const onOver = (event: PointerEvent): void => {
      const control = findNamed(event.target);
      if (control !== null && control === findNamed(event.relatedTarget)) return;
      hide();
      if (control === null || event.pointerType === "touch") return;
      timer = setTimeout(() => setShown(getPlace(control)), REST_MS);
    };
    const onFocus = (event: FocusEvent): void => {
      hide();
      const control = findNamed(event.target);
      if (control?.matches(":focus-visible") === true) setShown(getPlace(control));
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Tab") hide();
    };
    const stopped = new AbortController();
    const { signal } = stopped;
    document.addEventListener("pointerover", onOver, { signal });
    document.addEventListener("pointerdown", hide, { signal });
    document.addEventListener("focusin", onFocus, { signal });
    document.addEventListener("focusout", hide, { signal });
    document.addEventListener("keydown", onKey, { signal, capture: true });
    document.addEventListener("scroll", hide, { signal, capture: true, passive: true });
    document.documentElement.addEventListener("pointerleave", hide, { signal });
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, []);
  if (shown === null) return null;
  return (
    <div
      aria-hidden
      data-tooltip
      ref={keepInside}
      className={`overlay pointer-events-none fixed z-50 w-max max-w-72 px-2 py-1 text-meta ${shown.below ? "" : "-translate-y-full"}`}
      style={{ left: shown.x, top: shown.y }}
      key={`${shown.x} ${shown.y} ${shown.text}`}
    >
      {shown.text}
    </div>
  );
}

const EDGE_PX = 8;

/** Centres the tooltip on its control, as far as it fits into the window. */
function keepInside(element: HTMLElement | null): void {
  if (element === null) return;
  const { offsetLeft: middle, offsetWidth: width } = element;
  const most = document.documentElement.clientWidth - width - EDGE_PX;
  element.style.left = `${Math.max(EDGE_PX, Math.min(most, middle - width / 2))}px`;
}
