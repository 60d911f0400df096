import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What `npm start` runs in that folder, with its options for Node, without npm in between: the program first.
 * @param more further options for Node.
 */
export function startCommand(folder: string, ...more: readonly string[]): string[] {
  const options = startOptions(folder);
  return [process.execPath, ...options, ...more, join(folder, "main/start.mjs")];
}

/** The options for Node alone. */
export function startOptions(folder: string): string[] {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { start } = (manifest as { scripts: { start: string } }).scripts;
  const words = start.split(" ");
  if (words.shift() !== "node" || words.pop() !== "main/start.mjs")
    throw new Error(`npm start is not one call of node any more: ${start}`);
  return words;
}
