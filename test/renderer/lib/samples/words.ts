import { execFileSync } from "node:child_process";

/** What a shell hands to curl, word by word, for each command. */
export function wordsOf(...commands: readonly string[]): readonly (readonly string[])[] {
  const script = [`curl() { for word in "$@"; do printf '%s\\0' "$word"; done; printf '\\1\\0'; }`, ...commands];
  const printed = execFileSync("sh", [], {
    input: script.join("\n"),
    encoding: "utf8",
    env: { POSTERN_API_KEY: "sk-of-the-shell" },
  });
  return printed
    .split("\u0001\0")
    .slice(0, -1)
    .map((words) => words.split("\0").slice(0, -1));
}
