import { join } from "node:path";
import { expect, it } from "vitest";
import { guidePage, guidePages } from "../../main/launch/guide-pages.mjs";
import { guides } from "../../renderer/components/frame/guides.ts";

/** Files of the guide by their names in the built pages. */
function emitted(): Map<string, string> {
  const files = new Map<string, string>();
  const { generateBundle } = guidePages(join(import.meta.dirname, "../../docs"));
  if (typeof generateBundle !== "function") throw new TypeError("no plugin");
  const context = { emitFile: (file: { fileName: string; source: string }) => files.set(file.fileName, file.source) };
  Reflect.apply(generateBundle, context, []);
  return files;
}

it("links only to pages and headings that are there", () => {
  const files = emitted();
  const dead = [...files].flatMap(([from, html]) =>
    [...html.matchAll(/href="([^"]+)"/g)]
      .map((match) => match[1] ?? "")
      .filter((href) => !href.startsWith("http"))
      .filter((href) => {
        const [file = "", fragment = ""] = href.split("#");
        const page = files.get(file === "" ? from : `guide/${file}`);
        return page === undefined || (fragment !== "" && !page.includes(`id="${fragment}"`));
      })
      .map((href) => `${from}: ${href}`),
  );
  expect(dead).toEqual([]);
});

it.each(Object.entries(guides))("has the page that the help of %s opens: %s", (_page, guide) => {
  expect(emitted().has(`guide/${guide}.html`)).toBe(true);
});

it("shows markup of a document as its words", () => {
  const page = guidePage('# A\n\n<script>x</script>\n\n[b](javascript:alert) ![c<](x.png) "', new Set());
  expect(page).not.toMatch(/<script|javascript:|<img/);
  expect(page).toContain("&lt;script>");
});
