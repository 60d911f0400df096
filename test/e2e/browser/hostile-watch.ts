import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { listening, watchedPage, type Watched, type WatchOptions } from "./browser.ts";
import type { RunningGateway } from "./gateway.ts";

/** A page whose every way out is watched: dialogs, windows, downloads and other addresses are faults too. */
export async function suspicious(browser: Browser, gateway: RunningGateway, options?: WatchOptions): Promise<Watched> {
  const watched = await watchedPage(browser, gateway.url, options);
  const { page, context, faults } = watched;
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("framenavigated", (frame) => {
    if (frame !== page.mainFrame()) faults.push(`frame: ${frame.url().slice(0, 200)}`);
    else if (!frame.url().startsWith(`${gateway.url}/`)) faults.push(`navigated to ${frame.url().slice(0, 200)}`);
  });
  await page.goto(await gateway.freshAddress());
  await listening(page);
  context.on("page", (opened) => faults.push(`opened ${opened.url().slice(0, 200)}`));
  page.on("download", (download) => faults.push(`downloaded ${download.suggestedFilename()}`));
  return watched;
}

/** Goes to a place of the pages and waits until nothing loads there. */
export async function visit(page: Page, gateway: RunningGateway, hash: string): Promise<void> {
  await page.goto(`${gateway.url}/${hash}`);
  await page.locator("main h1").waitFor();
  await expect.poll(() => page.locator("main [aria-busy], [role=dialog] [aria-busy]").count()).toBe(0);
}

/**
 * What stands in the document that Postern did not put there, one line each: elements that run or load, handlers,
 * addresses that lead elsewhere, and whatever is wider than the window or than the dialog that it is in.
 */
export function intruders(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(INTRUDERS);
}

const INTRUDERS = `(() => {
  const found = [];
  const tell = (what, element) => found.push(what + ": " + element.outerHTML.slice(0, 160));
  if (window.pwned !== undefined) found.push("a script ran");
  const own = (address) => { try { return new URL(address, location.href).origin === location.origin; } catch { return false; } };
  for (const element of document.querySelectorAll("*")) {
    const name = element.localName;
    if (/^(iframe|frame|frameset|object|embed|portal|base|applet|template|marquee|math|style|noscript)$/.test(name)) tell("element", element);
    if (name === "script" && (!own(element.src) || element.src === "" || element.type !== "module")) tell("script", element);
    if (name === "link" && !own(element.href)) tell("link", element);
    if (name === "meta" && element.httpEquiv.toLowerCase() === "refresh") tell("meta", element);
    for (const attribute of element.attributes) {
      if (/^on/i.test(attribute.name)) tell("handler", element);
      if (attribute.name === "srcdoc" || attribute.name === "formaction" || attribute.name === "ping") tell(attribute.name, element);
      if (!/^(xlink:)?href$|^(src|poster|action|data|background)$/.test(attribute.name)) continue;
      if (name === "use" || own(attribute.value)) continue;
      // Pages of vendors at which keys are made are the only addresses of others.
      const away = name === "a" && /^https:/.test(attribute.value) && element.rel.includes("noreferrer");
      const evil = /evil|pwned|%3Cscript|<script/i.test(attribute.value);
      if (!away || evil) tell("address", element);
    }
  }
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) found.push("the page scrolls sideways by " + (root.scrollWidth - root.clientWidth) + " px");
  for (const part of document.querySelectorAll("main, [role=dialog], [role=alertdialog]")) {
    if (part.scrollWidth > part.clientWidth + 1) found.push(part.localName + " " + (part.getAttribute("role") ?? "") + " is wider by " + (part.scrollWidth - part.clientWidth) + " px: " + widest(part));
    const box = part.getBoundingClientRect();
    if (box.right > innerWidth + 1 || box.left < -1) found.push(part.localName + " stands outside of the window");
  }
  function widest(part) {
    const edge = part.getBoundingClientRect().left + part.clientWidth + 1;
    const wide = [...part.querySelectorAll("*")].filter((each) => each.getBoundingClientRect().right > edge);
    return wide.slice(0, 3).map((each) => each.outerHTML.slice(0, 200)).join(" | ");
  }
  return found;
})()`;
