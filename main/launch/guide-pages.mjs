import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Marked } from "marked";

/** References that the guide links to and that travel with it. */
const REFERENCES = ["errors", "webhooks"];

/**
 * Converts each page of docs/guide to a page of the built app (`guide/budgets.html`), so that help is available offline
 * and matches the running version. The pages have no script; links to documents that are not included become plain
 * text.
 * @param {string} docs Folder of the documents.
 * @returns {import("vite").Plugin}
 */
export function guidePages(docs) {
  return {
    name: "postern:guide",
    apply: "build",
    generateBundle() {
      const names = readdirSync(join(docs, "guide")).map((file) => file.replace(/\.md$/, ""));
      const known = new Set([...names, ...REFERENCES]);
      for (const name of known) {
        const folder = names.includes(name) ? join(docs, "guide") : docs;
        const text = readFileSync(join(folder, `${name}.md`), "utf8");
        this.emitFile({ type: "asset", fileName: `guide/${findFile(name)}`, source: guidePage(text, known) });
      }
      this.emitFile({ type: "asset", fileName: "guide/guide.css", source: STYLE });
    },
  };
}

/**
 * @param {string} markdown
 * @param {ReadonlySet<string>} known Names of the pages that exist; a link to another document is shown without its address.
 */
export function guidePage(markdown, known) {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${makeAnchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const address = makeAddress(href, known);
        return address === null ? words : `<a href="${escape(address)}">${words}</a>`;
      },
      image: ({ text }) => escape(text),
      html: ({ text }) => escape(text),
    },
  });
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? "Guide";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} · Postern</title><link rel="stylesheet" href="guide.css"></head>
<body><nav aria-label="Guide"><a href="index.html">Postern guide</a></nav><main>${marked.parse(markdown, { async: false })}</main></body></html>
`;
}

/** @param {string} name */
const findFile = (name) => (name === "README" ? "index.html" : `${name}.html`);

/**
 * @param {string} href
 * @param {ReadonlySet<string>} known
 * @returns {string | null}
 */
function makeAddress(href, known) {
  if (/^(?:https?:\/\/|#)/.test(href)) return href;
  const [, up, name, fragment = ""] = /^(\.\.\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name === undefined || !known.has(name)) return null;
  // A document outside the guide may have the same name as one of its pages.
  return up !== undefined && !REFERENCES.includes(name) ? null : findFile(name) + fragment;
}

/**
 * Makes an anchor like GitHub's, so that the same links work there.
 * @param {string} heading
 */
function makeAnchor(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.6 system-ui,sans-serif}
body{margin:0 auto;max-width:46rem;padding:1.5rem 1rem 4rem}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}
pre{overflow-x:auto;padding:.75rem 1rem;border-radius:.5rem;background:color-mix(in srgb,currentColor 7%,transparent)}
table{display:block;overflow-x:auto;border-collapse:collapse}
th,td{padding:.25rem .75rem .25rem 0;text-align:left;vertical-align:top;border-bottom:1px solid color-mix(in srgb,currentColor 15%,transparent)}
`;
