import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Names in addresses that some page reads. */
const PARAMS =
  "q id task media model key kind prompt section client sort order from to since range by status price min tool outcome".split(
    " ",
  );

/** Goes to a place with each text in every parameter, or to the text itself where the place is not one. */
export function goWithEach(page: Page, place: string, texts: readonly string[]): Promise<void> {
  return page.evaluate(
    async ({ all, names, at }) => {
      for (const each of all) {
        const text = encodeURIComponent(each.toWellFormed());
        const query = names.map((name) => `${name}=${text}`).join("&");
        location.hash = `#/${at}${at === "" ? text : `?${query}`}`;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    },
    { all: texts, names: PARAMS, at: place },
  );
}

/** Waits until nothing loads at the place that a page has gone to. */
export async function loaded(page: Page): Promise<void> {
  await page.locator("main h1").waitFor();
  await expect.poll(() => page.locator("main [aria-busy], [role=dialog] [aria-busy]").count()).toBe(0);
}

/** Runs a command with a curl that does nothing, in a folder where whatever else it did would be seen. */
export async function harmlessInShell(command: string, folder: string): Promise<void> {
  // The words go to the stand-in one by one: more than two of them without a flag would be a torn quotation.
  const { stdout } = await promisify(execFile)("/bin/bash", ["-c", `curl() { echo "curl $#"; }\n${command}`], {
    cwd: folder,
  });
  expect(stdout).toMatch(/^curl \d+\n$/);
}

/** What a spreadsheet would take for a formula: cells that begin as one does and are no plain number. */
export function formulas(cells: readonly string[]): string[] {
  return cells.filter(
    (cell) => /^[\s\u200B\uFEFF]*[=+\-@＝＋－＠]|^[\t\r\n]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell),
  );
}

/** The cells of a CSV file (RFC 4180), row by row. */
export function csvRows(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = "", end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === "") break;
    if (end === "\r\n") rows.push([]);
  }
  // After the last line there is an empty one.
  return rows.slice(0, -1);
}

/**
 * What stands in the document that Postern did not put there, one line each: elements that run or load, handlers,
 * addresses that lead elsewhere, and whatever is wider than the window or than the dialog that it is in.
 */
export function intruders(page: Page): Promise<string[]> {
  return page.evaluate(findIntruders);
}

function findIntruders(): string[] {
  const found: string[] = [];
  const strange = /^(iframe|frame|frameset|object|embed|portal|base|applet|template|marquee|math|style|noscript)$/;
  const tell = (what: string, element: Element): unknown => found.push(`${what}: ${element.outerHTML.slice(0, 160)}`);
  const isOwn = (address: string): boolean =>
    URL.canParse(address, location.href) && new URL(address, location.href).origin === location.origin;
  const isOwnScript = ({ src, type }: HTMLScriptElement): boolean => isOwn(src) && src !== "" && type === "module";
  if (window.pwned !== undefined) found.push("a script ran");
  for (const element of document.querySelectorAll("*")) {
    const name = element.localName;
    if (strange.test(name)) tell("element", element);
    if (element instanceof HTMLScriptElement && !isOwnScript(element)) tell("script", element);
    if (element instanceof HTMLLinkElement && !isOwn(element.href)) tell("link", element);
    if (element instanceof HTMLMetaElement && element.httpEquiv.toLowerCase() === "refresh") tell("meta", element);
    for (const attribute of element.attributes) {
      if (/^on/i.test(attribute.name)) tell("handler", element);
      if (/^(srcdoc|formaction|ping)$/.test(attribute.name)) tell(attribute.name, element);
      if (!/^(xlink:)?href$|^(src|poster|action|data|background)$/.test(attribute.name)) continue;
      if (name === "use" || isOwn(attribute.value)) continue;
      // Pages of providers at which keys are made are the only addresses of others.
      const isLink = element instanceof HTMLAnchorElement && element.rel.includes("noreferrer");
      const isEvil = /evil|pwned|%3Cscript|<script/i.test(attribute.value);
      if (!isLink || !attribute.value.startsWith("https:") || isEvil) tell("address", element);
    }
  }
  const widest = (part: Element): string => {
    const edge = part.getBoundingClientRect().left + part.clientWidth + 1;
    const wide = [...part.querySelectorAll("*")].filter((each) => each.getBoundingClientRect().right > edge);
    return wide
      .slice(0, 3)
      .map((each) => each.outerHTML.slice(0, 200))
      .join(" | ");
  };
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`the page scrolls sideways by ${scrollWidth - clientWidth} px`);
  for (const part of document.querySelectorAll("main, [role=dialog], [role=alertdialog]")) {
    const name = `${part.localName} ${part.getAttribute("role") ?? ""}`;
    const over = part.scrollWidth - part.clientWidth;
    if (over > 1) found.push(`${name} is wider by ${over} px: ${widest(part)}`);
    const box = part.getBoundingClientRect();
    if (box.right > innerWidth + 1 || box.left < -1) found.push(`${name} stands outside of the window`);
  }
  return found;
}
