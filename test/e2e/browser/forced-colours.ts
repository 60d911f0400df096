/**
 * What runs in a page in forced colours. Each function goes there alone, so that what they share is put into the page
 * first, by `watchColours`.
 */

/** What the functions below share. */
export interface ColourTools {
  tell(element: Element): string;
  isShown(element: Element): boolean;
  isClear(colour: string): boolean;
  /** The colour behind an element. */
  behind(element: Element): string;
}

export function watchColours(): void {
  const isClear = (colour: string): boolean => /^transparent$|^rgba\(.*, 0\)$|\/ 0\)$/.test(colour);
  window.colourTools = {
    isClear,
    tell: (element) =>
      `${(element.ariaLabel ?? element.textContent ?? "").slice(0, 40)} ${element.outerHTML.slice(0, 140)}`,
    isShown: (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
    behind(element) {
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        const { backgroundColor } = getComputedStyle(at);
        if (!isClear(backgroundColor)) return backgroundColor;
      }
      return "rgb(255, 255, 255)";
    },
  };
}

/**
 * Controls around which nothing is drawn when they have the focus; another element that stands for one may have the
 * ring.
 */
export function withoutRing(): string[] {
  const { isClear, isShown, tell } = window.colourTools;
  const hasRing = (element: Element): boolean => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 1 && !isClear(outlineColor);
  };
  const controls = "a[href], button, input, select, textarea, [tabindex='0']";
  return [...document.querySelectorAll<HTMLInputElement>(controls)].flatMap((control) => {
    if (!isShown(control) || control.disabled || control.type === "file") return [];
    control.focus({ preventScroll: true });
    if (document.activeElement !== control) return [];
    const near = [control, control.closest("label"), control.parentElement, control.nextElementSibling];
    return near.some((element) => element !== null && hasRing(element)) ? [] : [tell(control)];
  });
}

/** Chosen tabs, links, buttons and switches that look exactly like the ones next to them that are not. */
export function looksLikeTheOthers(): string[] {
  const { behind, isShown, tell } = window.colourTools;
  (document.activeElement as HTMLElement).blur();
  const seen = [
    "color",
    "outlineStyle",
    "textDecorationLine",
    "fontWeight",
    "opacity",
    "transform",
    "translate",
  ] as const;
  const look = (element: Element): string =>
    [element, ...element.querySelectorAll("*")]
      .map((part) => {
        const style = getComputedStyle(part);
        const border = (width: string, ...drawn: readonly string[]): string =>
          parseFloat(width) > 0 ? drawn.join("") : "";
        return [
          behind(part),
          border(style.borderTopWidth, style.borderTopStyle, style.borderTopColor),
          border(style.borderBottomWidth, style.borderBottomStyle, style.borderBottomColor),
          ...seen.map((name) => style[name]),
        ].join(" ");
      })
      .join("|");
  const groups = "[role=tablist], [role=radiogroup], [role=group], nav, [role=listbox]";
  return ["aria-selected", "aria-pressed", "aria-checked", "aria-current"].flatMap((state) =>
    [...document.querySelectorAll(`[${state}]`)].flatMap((chosen) => {
      if (!isShown(chosen) || chosen.getAttribute(state) === "false") return [];
      const group = chosen.parentElement?.closest(groups) ?? chosen.parentElement;
      const others = [...(group?.querySelectorAll(chosen.localName) ?? [])].filter(
        (other) => isShown(other) && (other.getAttribute(state) ?? "false") === "false" && other.role === chosen.role,
      );
      return others.some((other) => look(other) === look(chosen)) ? [tell(chosen)] : [];
    }),
  );
}

/** Icons in the colour of what is behind them, or of none. */
export function invisibleIcons(): string[] {
  const { behind, isClear, isShown, tell } = window.colourTools;
  return [...document.querySelectorAll("svg")].flatMap((icon) => {
    if (!isShown(icon) || icon.getBoundingClientRect().width === 0) return [];
    const shapes = [...icon.querySelectorAll("path, line, circle, rect, polyline, polygon, ellipse")];
    const ground = behind(icon);
    const isSeen = (colour: string): boolean => colour !== "none" && !isClear(colour) && colour !== ground;
    const isDrawn = (shape: Element): boolean => {
      const { stroke, fill } = getComputedStyle(shape);
      return isSeen(stroke) || isSeen(fill);
    };
    return shapes.length === 0 || shapes.some(isDrawn) ? [] : [tell(icon)];
  });
}
