/** Reads what texts cite: documents of the repository, their sections, and texts that are not in it. */

/** Names of texts that the project was written from and that are not in the repository. */
const FOREIGN = [
  /\b(?:upstreams|clients|reliability|performance|peers|style|market)\b[\s*/]+references?\b/gi,
  /\breferences\/[\w-]+\.md\b/gi,
  /(?<![\w/.-])(?:upstreams|reliability|performance|peers|style|market-[\d-]+)\.md\b/gi,
  /\bcontract(?:'s)?(?:,|:)?\s+(?:"|`|section\b|§)/gi,
] as const;

/** @returns the citations of such texts as they stand there. */
export function foreignTexts(text: string): string[] {
  return FOREIGN.flatMap((pattern) => text.match(pattern) ?? []);
}

/**
 * @param anchorsOf the anchors of a document; null where there is no such document.
 * @returns those of `path` and `path#anchor` that lead nowhere.
 */
export function deadCitations(
  citations: readonly string[],
  anchorsOf: (path: string) => ReadonlySet<string> | null,
): string[] {
  return citations.filter((citation) => {
    const [path = "", anchor] = citation.split("#");
    const found = anchorsOf(path);
    return found === null || (anchor !== undefined && !found.has(anchor));
  });
}

/** The anchors of a document's headings as GitHub makes them. */
export function slugsOf(markdown: string): ReadonlySet<string> {
  const text = markdown.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, "");
  const slugs = new Set<string>();
  for (const [, heading = ""] of text.matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const slug = slugOf(heading);
    let unique = slug;
    for (let count = 1; slugs.has(unique); count += 1) unique = `${slug}-${count}`;
    slugs.add(unique);
  }
  return slugs;
}

function slugOf(heading: string): string {
  const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
  return words.replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "").replaceAll(" ", "-");
}

const BLOCK = /\/\*[\s\S]*?\*\//g;

/** The comments of a source, each as one line of words; lines of `//` that follow each other are one. */
export function commentsOf(source: string): string[] {
  const found: { readonly at: number; text: string; end: number }[] = [];
  const rest = source.replaceAll(BLOCK, (block, at: number) => {
    if (!/(?:^|\n)[\t ]*$/.test(source.slice(Math.max(0, at - 80), at))) return block;
    const words = block.slice(2, -2).replaceAll(/^\s*\*+ ?/gm, " ");
    found.push({ at, text: words.replaceAll(/\s+/g, " ").trim(), end: -1 });
    return block.replaceAll(/[^\n]/g, " ");
  });
  let line = 0;
  for (const match of rest.matchAll(/^(.*)$/gm)) {
    const [whole] = match;
    const comment = /^\s*\/\/ ?(.*)$/.exec(whole)?.[1];
    const trailing = comment === undefined ? /[;,{})\]] \/\/ (.*)$/.exec(whole)?.[1] : undefined;
    const last = found.at(-1);
    if (comment !== undefined && last?.end === line - 1) {
      last.text += ` ${comment}`;
      last.end = line;
    } else if (comment !== undefined || trailing !== undefined) {
      found.push({ at: match.index, text: comment ?? trailing ?? "", end: comment === undefined ? -1 : line });
    }
    line += 1;
  }
  return found.toSorted((one, other) => one.at - other.at).map(({ text }) => text);
}
