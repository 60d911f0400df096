/** A model's words in parts: what stands between code fences is code, the rest is text. Nothing is interpreted. */
export type TextBlock =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly language: string; readonly text: string };

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^`\s]*)[^`]*$/;

/** A fence that is not closed holds all that follows: the response may still be coming. */
export function blocksOf(words: string): readonly TextBlock[] {
  const blocks: TextBlock[] = [];
  let lines: string[] = [];
  let open: { readonly fence: string; readonly language: string } | null = null;
  const end = (): void => {
    const text = lines.join("\n");
    lines = [];
    if (open !== null) blocks.push({ kind: "code", language: open.language, text });
    else if (text.trim() !== "") blocks.push({ kind: "text", text: text.replace(/^\n+|\n+$/g, "") });
  };
  for (const line of words.split("\n")) {
    const found = FENCE.exec(line);
    const fence = found?.[1] ?? "";
    if (open === null && fence !== "") {
      end();
      open = { fence, language: found?.[2] ?? "" };
    } else if (open !== null && fence.startsWith(open.fence) && found?.[2] === "") {
      end();
      open = null;
    } else lines.push(line);
  }
  if (open !== null || lines.length > 0) end();
  return blocks;
}
