import { expect, it } from "vitest";
import { invisibleIcons, looksLikeTheOthers, watchColours, withoutRing } from "./forced-colours.ts";
import { useEveryPage } from "./every-page.ts";

/** Every page where the system replaces all colours by a few of its own: what colours said must be said otherwise. */
const pages = useEveryPage();

it("shows where the focus is, what is chosen, and every icon, on each page", async () => {
  await pages.walk({}, async (page, place) => {
    await page.emulateMedia({ forcedColors: "active" });
    await page.evaluate(watchColours);
    // From a key on, the focus is one of the keyboard, and is drawn.
    await page.keyboard.press("Tab");
    expect.soft(await page.evaluate(withoutRing), `${place}: no ring`).toEqual([]);
    expect.soft(await page.evaluate(looksLikeTheOthers), `${place}: looks as if not chosen`).toEqual([]);
    expect.soft(await page.evaluate(invisibleIcons), `${place}: no icon seen`).toEqual([]);
    await page.emulateMedia({ forcedColors: "none" });
  });
});
