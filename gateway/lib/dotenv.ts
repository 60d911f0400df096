import { parseEnv } from "node:util";

/** Max characters of a file: larger ones take too long to parse. */
export const MAX_DOTENV = 256 * 1024;

/** Parses the variables of a `.env` file, by Node's rules; empty if unreadable. */
export function parseDotenv(text: string): Readonly<Record<string, string>> {
  if (text.length > MAX_DOTENV) return {};
  try {
    const parsed = Object.entries(parseEnv(text));
    // Node 24 leaves the word before a name without a value: `export X=`.
    const named = ([name, value]: (typeof parsed)[number]) => [name.replace(/^export\s+/, ""), value ?? ""] as const;
    return Object.fromEntries(parsed.map(named));
  } catch {
    return {};
  }
}
