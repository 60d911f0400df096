import { setupFileSchema, setupSchema } from "../../contract/setup.ts";
import type { Setup } from "../../contract/setup.ts";
import { redact } from "../../lib/redact.ts";
import { MOST_PROBLEMS } from "./parse-file.ts";
import type { ParsedFile } from "./parse-file.ts";
import { FILE, SECRET, resolveReferences } from "./references.ts";

/** A problem with a value of a file. */
export interface ValueProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A file whose references are resolved. */
export interface ResolvedFile {
  readonly tree: Readonly<Record<string, unknown>>;
  readonly setup: object;
}

/**
 * Replaces references in the sections of a file by their values.
 * @param values values by the text between the braces
 * @param secrets the file's decrypted secrets; null if not decrypted
 */
export function resolveFile(
  { tree }: Pick<ParsedFile, "tree">,
  values: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>> | null,
): ResolvedFile | readonly ValueProblem[] {
  const problems: ValueProblem[] = [];
  const valueOf = (name: string, path: readonly PropertyKey[]): string => {
    const value = name.startsWith(SECRET) ? own(secrets ?? {}, name.slice(SECRET.length)) : own(values, name);
    if (value === undefined) problems.push({ path, message: unknownReference(name, secrets === null) });
    return value ?? "";
  };
  const { secrets: _encrypted, version: _version, ...sections } = tree;
  const setup = resolveReferences(sections, valueOf) as object;
  return problems.length > 0 ? problems.slice(0, MOST_PROBLEMS) : { tree, setup };
}

/** The set-up that a file is. */
export function checkFile({ tree, setup }: ResolvedFile): Setup | readonly ValueProblem[] {
  const whole = setupFileSchema.safeParse({ ...tree, ...setup });
  if (whole.success) return setupSchema.parse(setup);
  return whole.error.issues.slice(0, MOST_PROBLEMS).map(({ path, message }) => {
    const place = path.length === 0 ? "" : `${pathText(path)}: `;
    return { path, message: redact(`${place}${message}`) };
  });
}

const own = (values: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

function unknownReference(name: string, isLocked: boolean): string {
  if (name.startsWith(SECRET) && isLocked)
    return `\${${name}} is encrypted in the file's 'secrets': give the passphrase.`;
  if (name.startsWith(SECRET)) return `\${${name}} is not among the file's 'secrets'.`;
  if (name.startsWith(FILE))
    return `\${${name}} cannot be read here: name a regular file of at most 64 KiB with one name, outside the data folder of Postern.`;
  return `\${${name}} stands for nothing here. Set that variable, or write $\${ where the characters themselves are meant.`;
}

/** `connections[0].base_url` */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`))
    .join("");
}
