import { expect, it } from "vitest";
import { useEveryPage } from "./every-page.ts";

/** Every page where the system replaces all colours by a few of its own: what colours said must be said otherwise. */
const pages = useEveryPage();

it("shows where the focus is, what is chosen, and every icon, on each page", async () => {
  await pages.walk({}, async (page, place) => {
    await page.emulateMedia({ forcedColors: "active" });
    // From a key on, the focus is one of the keyboard, and is drawn.
    await page.keyboard.press("Tab");
    expect.soft(await page.evaluate<string[]>(WITHOUT_RING), `${place}: no ring`).toEqual([]);
    expect.soft(await page.evaluate<string[]>(LIKE_THE_OTHERS), `${place}: looks as if not chosen`).toEqual([]);
    expect.soft(await page.evaluate<string[]>(INVISIBLE_ICONS), `${place}: no icon seen`).toEqual([]);
    await page.emulateMedia({ forcedColors: "none" });
  });
});

const TELL = `const tell = (element) => (element.ariaLabel ?? element.textContent).slice(0, 40) + " " + element.outerHTML.slice(0, 140);
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const isClear = (colour) => /^transparent$|^rgba\\(.*, 0\\)$|\\/ 0\\)$/.test(colour);
  const behind = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (!isClear(backgroundColor)) return backgroundColor;
    }
    return "rgb(255, 255, 255)";
  };`;

/** Controls around which nothing is drawn when they have the focus; another element that stands for one may have the ring. */
const WITHOUT_RING = `(() => {
  ${TELL}
  const hasRing = (element) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 1 && !isClear(outlineColor);
  };
  return [...document.querySelectorAll("a[href], button, input, select, textarea, [tabindex='0']")].flatMap((control) => {
    if (!isShown(control) || control.disabled || control.type === "file") return [];
    control.focus({ preventScroll: true });
    if (document.activeElement !== control) return [];
    const drawn = [control, control.closest("label"), control.parentElement, control.nextElementSibling].filter(Boolean);
    return drawn.some(hasRing) ? [] : [tell(control)];
  });
})()`;

/** Chosen tabs, links, buttons and switches that look exactly like the ones beside them that are not. */
const LIKE_THE_OTHERS = `(() => {
  ${TELL}
  document.activeElement.blur();
  const look = (element) => [element, ...element.querySelectorAll("*")].map((part) => {
    const style = getComputedStyle(part);
    const borders = ["Top", "Bottom"].map((side) => parseFloat(style["border" + side + "Width"]) > 0 ? style["border" + side + "Style"] + style["border" + side + "Color"] : "");
    return [behind(part), ...borders, ...["color", "outlineStyle", "textDecorationLine", "fontWeight", "opacity", "transform", "translate"].map((name) => style[name])].join(" ");
  }).join("|");
  const states = ["aria-selected", "aria-pressed", "aria-checked", "aria-current"];
  return states.flatMap((state) => [...document.querySelectorAll("[" + state + "]")].flatMap((chosen) => {
    const value = chosen.getAttribute(state);
    if (!isShown(chosen) || value === "false") return [];
    const others = [...(chosen.parentElement.closest("[role=tablist], [role=radiogroup], [role=group], nav, [role=listbox]") ?? chosen.parentElement)
      .querySelectorAll(chosen.localName)].filter((other) => isShown(other) && (other.getAttribute(state) ?? "false") === "false" && (other.role === chosen.role));
    return others.some((other) => look(other) === look(chosen)) ? [tell(chosen)] : [];
  }));
})()`;

/** Icons in the colour of what is behind them, or of none. */
const INVISIBLE_ICONS = `(() => {
  ${TELL}
  return [...document.querySelectorAll("svg")].flatMap((icon) => {
    if (!isShown(icon) || icon.getBoundingClientRect().width === 0) return [];
    const shapes = [...icon.querySelectorAll("path, line, circle, rect, polyline, polygon, ellipse")];
    const ground = behind(icon);
    const isSeen = (colour) => colour !== "none" && !isClear(colour) && colour !== ground;
    return shapes.length === 0 || shapes.some((shape) => isSeen(getComputedStyle(shape).stroke) || isSeen(getComputedStyle(shape).fill)) ? [] : [tell(icon)];
  });
})()`;
