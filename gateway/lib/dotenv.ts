import { parseEnv } from "node:util";

/** Max characters: a file of more takes too long to parse. */
export const MAX_DOTENV = 256 * 1024;

/** The variables of a `.env` file, by Node's own rules; none where they cannot be read. */
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
