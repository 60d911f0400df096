import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { focused } from "./browser.ts";

/** Moving through the pages as someone does who has no mouse. */

/** More controls than any page has before the one that is looked for. */
const MOST = 120;

/** Presses Tab until the control has the focus; it is in sight then, and one sees that it has it. */
export async function tabTo(control: Locator): Promise<void> {
  await control.waitFor();
  const { keyboard } = control.page();
  const isHere = (): Promise<boolean> => control.evaluate((element) => element === element.ownerDocument.activeElement);
  for (let presses = 0; presses < MOST && !(await isHere()); presses += 1) await keyboard.press("Tab");
  await seen(control);
}

/** Brings the focus to the control and presses Enter. */
export async function press(control: Locator): Promise<void> {
  await tabTo(control);
  await control.page().keyboard.press("Enter");
}

/** Brings the focus to the field and types. */
export async function write(field: Locator, text: string): Promise<void> {
  await tabTo(field);
  await field.page().keyboard.type(text);
}

/** Waits until the control has the focus, and checks that a person sees both. */
export async function seen(control: Locator): Promise<void> {
  await focused(control);
  await expect.poll(() => control.page().evaluate(unseen)).toBe("");
}

/** What one cannot leave by Tab; a note that has come up is a dialog by its role, but none of these. */
const MODAL = "[role=dialog]:not([aria-modal=false]), [role=alertdialog]";

/** Tab leads round within the dialog, and nowhere else. */
export async function holdsFocus(page: Page): Promise<void> {
  const isInside = (): Promise<boolean> =>
    page.evaluate((modal) => (document.activeElement?.closest(modal) ?? null) !== null, MODAL);
  await expect.poll(isInside).toBe(true);
  const inside = page.locator(MODAL).locator("button, a[href], input, select, textarea, [tabindex='0']");
  for (let presses = await inside.count(); presses >= 0; presses -= 1) {
    await page.keyboard.press("Tab");
    await expect.poll(isInside).toBe(true);
  }
}

/**
 * What keeps a person from seeing the focus; empty where nothing does. A control that is drawn by another element, such
 * as the box of a checkbox, may leave its ring to that.
 */
function unseen(): string {
  const control = document.activeElement ?? document.body;
  const near = [control, control.closest("label"), control.parentElement, control.nextElementSibling];
  const drawn = near.filter((element) => element !== null);
  const isClear = (colour: string): boolean => /^transparent$|^rgba\(.*, 0\)$|\/ 0\)$/.test(colour);
  const hasRing = drawn.some((element) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 1 && !isClear(outlineColor);
  });
  if (!hasRing) return `no ring around ${control.outerHTML.slice(0, 200)}`;
  const box = (drawn.find((element) => element.getBoundingClientRect().width > 1) ?? control).getBoundingClientRect();
  const isWithin = box.left >= -1 && box.right <= innerWidth + 1 && box.bottom > 0 && box.top < innerHeight;
  if (!isWithin) return `out of sight: ${[box.left, box.top, box.right, box.bottom].map(Math.round).join()}`;
  const x = (Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2;
  const y = (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2;
  const top = document.elementFromPoint(x, y);
  const isOnTop = top !== null && drawn.some((element) => element.contains(top) || top.contains(element));
  return isOnTop ? "" : `covered by ${top?.outerHTML.slice(0, 200) ?? "nothing"}`;
}
