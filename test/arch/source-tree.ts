import { readFileSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";

/** What the architecture tests know about the sources: paths relative to the project, and who imports what. */

export const projectFolder = join(import.meta.dirname, "../..");

/** All files below a folder of the project, sorted. Empty when there is no such folder. */
export function filesBelow(folder: string, endings: readonly string[]): string[] {
  let entries;
  try {
    entries = readdirSync(join(projectFolder, folder), { withFileTypes: true, recursive: true });
  } catch {
    return [];
  }
  return entries
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(projectFolder.length + 1)
        .replaceAll("\\", "/"),
    )
    .filter((path) => !path.includes("node_modules/"))
    .toSorted();
}

export function readSource(path: string): string {
  return readFileSync(join(projectFolder, path), "utf8");
}

const IMPORT =
  /(?:^|[;{}\s])(?:import|export)(?:\s+type)?\s*(?:[\w*$]+\s*,?\s*)?(?:\{[^}]*\}|\*(?:\s+as\s+[\w$]+)?)?\s*(?:from\s*)?["']([^"'\n]+)["']/g;
const DYNAMIC_IMPORT = /\b(?:import|require)\(\s*["']([^"'\n]+)["']\s*\)/g;

/** Comments blanked, so that an import in an example is not one. Strings with `//` in them are kept. */
function withoutComments(text: string): string {
  return text.replace(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (whole, stored: string | undefined) => (stored === undefined ? " " : whole),
  );
}

/** What a file imports, as written, types included. */
export function importsOf(text: string): string[] {
  return specifiersIn(withoutComments(text));
}

/** What a file imports when it runs: type imports are erased. */
export function runtimeImportsOf(text: string): string[] {
  return specifiersIn(withoutComments(text).replaceAll(/\b(?:import|export) type\b[^;]*;/g, ";"));
}

function specifiersIn(code: string): string[] {
  return [IMPORT, DYNAMIC_IMPORT].flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1] ?? ""));
}

/** Where an import points: a path in the project for a relative one, the package's name as written otherwise. */
export function resolveImport(from: string, specifier: string): string {
  return specifier.startsWith(".") ? posix.normalize(posix.join(posix.dirname(from), specifier)) : specifier;
}
