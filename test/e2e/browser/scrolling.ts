import type { Page } from "playwright-core";

/** How much work a scroll made, as counts of elements. */
export interface ScrollWork {
  /** Max elements that were put into the page between two frames. */
  readonly drawn: number;
  /** Max elements in the page at a time. */
  readonly present: number;
}

/**
 * Scrolls the page's main part, one step in each frame, and counts the elements of a selector that it draws.
 * @param pixels of each step
 */
export function scrollCounting(page: Page, selector: string, steps: number, pixels: number): Promise<ScrollWork> {
  return page.locator("main").evaluate(
    async (main, scroll) => {
      const added = (records: readonly MutationRecord[]): number =>
        records
          .flatMap(({ addedNodes }) => [...addedNodes])
          .filter((node) => node instanceof Element)
          .reduce(
            (sum, element) =>
              sum + (element.matches(scroll.selector) ? 1 : 0) + element.querySelectorAll(scroll.selector).length,
            0,
          );
      let waiting = 0;
      const observer = new MutationObserver((records) => (waiting += added(records)));
      observer.observe(main, { childList: true, subtree: true });
      const work = { drawn: 0, present: 0 };
      for (let step = 0; step < scroll.steps; step += 1) {
        main.scrollBy({ top: scroll.pixels, behavior: "instant" });
        await new Promise(requestAnimationFrame);
        work.drawn = Math.max(work.drawn, waiting + added(observer.takeRecords()));
        waiting = 0;
        work.present = Math.max(work.present, document.querySelectorAll(scroll.selector).length);
      }
      observer.disconnect();
      return work;
    },
    { selector, steps, pixels },
  );
}
