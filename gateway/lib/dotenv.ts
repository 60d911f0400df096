import { parseEnv } from "node:util";

/** The variables of a `.env` file, by Node's own rules; none where they cannot be read. */
export function parseDotenv(text: string): Readonly<Record<string, string>> {
  try {
    const parsed = Object.entries(parseEnv(text));
    return Object.fromEntries(parsed.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  } catch {
    return {};
  }
}
