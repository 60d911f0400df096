import { getFingerprint } from "./fingerprint.ts";

const FINE = /^[\w-]+$/;
const FINGERPRINT = 8;

/**
 * Names of functions as a provider takes them: `[a-zA-Z0-9_-]`, up to 64 characters in the chat dialect and 128 at
 * Anthropic. Names of MCP tools are often longer. A name that does not fit is replaced for the provider, the same way
 * each time, and put back in the response.
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
