import { parsePattern, type PatternNode } from "./pattern-parser.ts";

/** Longer matches are not made. */
const LONGEST = 10_000;

/**
 * A text that matches a regular expression, best effort: assertions (`^`, `\b`, look-around) are not looked at, so
 * the caller must check the match.
 * @param repetitions how often something that may be repeated is repeated, within its own bounds
 * @param variant 0 for the first; higher ones choose other characters and branches
 * @returns undefined when the pattern cannot be read or the match would be too long
 */
export function matchFor(pattern: string, repetitions: number, variant: number): string | undefined {
  const tree = parsePattern(pattern);
  if (!tree) return undefined;
  const writer: Writer = { repetitions, left: variant, length: 0, groups: new Map() };
  return write(tree, writer);
}

interface Writer {
  readonly repetitions: number;
  /** What is left of the variant: each choice takes its share, so that different variants choose differently. */
  left: number;
  length: number;
  readonly groups: Map<string, string>;
}

function choose<T>(options: readonly T[], writer: Writer): T | undefined {
  if (options.length === 0) return undefined;
  const chosen = options[writer.left % options.length];
  writer.left = Math.floor(writer.left / options.length);
  return chosen;
}

function write(node: PatternNode, writer: Writer): string | undefined {
  switch (node.kind) {
    case "text":
      return grown(node.text, writer);
    case "set":
      return grown(choose(node.characters, writer), writer);
    case "sequence":
      return writeAll(node.parts, writer);
    case "either": {
      const option = choose(node.options, writer);
      return option ? write(option, writer) : "";
    }
    case "group": {
      const text = write(node.part, writer);
      for (const name of node.names) writer.groups.set(name, text ?? "");
      return text;
    }
    case "back":
      return grown(writer.groups.get(node.name) ?? "", writer);
    case "repeat": {
      const times = Math.max(node.least, Math.min(node.most, writer.repetitions));
      return times > LONGEST
        ? undefined
        : writeAll(
            Array.from({ length: times }, () => node.part),
            writer,
          );
    }
  }
}

function writeAll(nodes: readonly PatternNode[], writer: Writer): string | undefined {
  let text = "";
  for (const node of nodes) {
    const part = write(node, writer);
    if (part === undefined) return undefined;
    text += part;
  }
  return text;
}

/** Counts empty pieces too: a pattern can nest repetitions of nothing as deep as it likes. */
function grown(text: string | undefined, writer: Writer): string | undefined {
  writer.length += Math.max(1, text?.length ?? 0);
  return writer.length > LONGEST ? undefined : text;
}
