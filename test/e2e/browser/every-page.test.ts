import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { axeInBothThemes, sidewaysScroll } from "./browser.ts";
import { useEveryPage } from "./every-page.ts";

/** What holds on every page: both themes, wide, narrow and magnified windows, reduced motion, no fault and no request that leaves. */
const pages = useEveryPage();

/** For two dozen places, with axe twice on each, on a machine that does something else next to. */
const WALK_MS = 600_000;

it("walks to all pages that there are", async () => {
  expect((await pages.sidebar()).toSorted()).toEqual(pages.known.toSorted());
});

/**
 * Controls that cannot be brought into sight whole, each as its name and place. What lies in a strip that scrolls by
 * itself can; what the frame keeps above or below the content does not scroll.
 */
function cutOff(): string[] {
  const controls = "main button, main a[href], main input, main select, nav a, nav button";
  return [...document.querySelectorAll(controls)].flatMap((control) => {
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
    // Boxes that stand for a drawn control are a pixel large.
    if (control.matches("input") && control.getBoundingClientRect().width <= 1) return [];
    control.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const { left, right, top, bottom, width } = control.getBoundingClientRect();
    const isCut = left < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5 || top < -0.5;
    const place = [left, right, top, bottom].map(Math.round).join();
    return isCut && width > 0 ? [`${control.ariaLabel ?? control.textContent} ${place}`] : [];
  });
}

/** What moves by itself although less motion was asked for; what is over in a blink is no motion. */
function moving(): string[] {
  return document.getAnimations().flatMap(({ effect, playState }) => {
    const endTime = Number(effect?.getComputedTiming().endTime);
    const { target } = effect as KeyframeEffect;
    return playState === "running" && endTime > 200 ? [target?.outerHTML.slice(0, 120) ?? ""] : [];
  });
}

async function expectToFit(page: Page, place: string): Promise<void> {
  expect.soft(await sidewaysScroll(page), `${place} scrolls sideways`).toBe(0);
  expect.soft(await page.evaluate(cutOff), `${place} cuts off`).toEqual([]);
}

it.each([1280, 360])(
  "axe finds nothing in light and dark at %i px, nothing is cut off, and nothing moves",
  async (width) => {
    await pages.walk({ width, height: 740 }, async (page, place) => {
      expect.soft(await axeInBothThemes(page), place).toEqual([]);
      expect.soft(await page.evaluate(moving), `${place} moves`).toEqual([]);
      await expectToFit(page, place);
    });
  },
  WALK_MS,
);

it(
  "fits a window that is magnified twice",
  async () => {
    // 200 % of a window of 1280 × 800 leaves 640 × 400 CSS pixels.
    await pages.walk({ width: 640, height: 400 }, expectToFit);
  },
  WALK_MS,
);
