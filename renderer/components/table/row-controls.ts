const CONTROL = "button, a[href], input, select";

/** The buttons, links and fields of a row, in their order. */
function getControls(row: HTMLElement): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>(CONTROL)];
}

/** Controls of the active row are in the tab order; those of other rows are not. */
export function letTabReach(row: HTMLElement, reached: boolean): void {
  for (const control of getControls(row)) control.tabIndex = reached ? 0 : -1;
}

/** Returns the stop next to the focus in a row: the row itself precedes its first control. Null beyond the last. */
export function findNeighbor(row: HTMLElement, focused: Element, step: 1 | -1): HTMLElement | null {
  const stops = [row, ...getControls(row)];
  const at = stops.findIndex((stop) => stop === focused);
  return at === -1 ? null : (stops[at + step] ?? null);
}
