import { getFingerprint } from "./fingerprint.ts";

const FINE = /^[\w-]+$/;
const FINGERPRINT = 8;

/**
 * Maps function names to what providers accept: `[a-zA-Z0-9_-]`, up to 64 characters in the chat dialect and 128 at
 * Anthropic. Names of MCP tools are often longer. An invalid name is replaced deterministically for the provider, and
 * restored in the response.
 */
export class ToolNames {
  readonly #longest: number;
  readonly #originals = new Map<string, string>();

  constructor(longest: number) {
    this.#longest = longest;
  }

  toProvider(name: string): string {
    if (name.length <= this.#longest && FINE.test(name)) return name;
    const start = name.replaceAll(/[^\w-]/g, "_").slice(0, this.#longest - FINGERPRINT);
    const replaced = `${start}_${getFingerprint(name)}`;
    this.#originals.set(replaced, name);
    return replaced;
  }

  toClient(name: string): string {
    return this.#originals.get(name) ?? name;
  }
}

export const LONGEST_CHAT_NAME = 64;
export const LONGEST_ANTHROPIC_NAME = 128;
