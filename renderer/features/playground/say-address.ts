import { replaceParams } from "../../lib/router.ts";
import type { Kind } from "./kinds.ts";

/** Max characters of a prompt in an address, so that it stays readable. */
const LONGEST_PROMPT = 200;

/** Writes the current kind and model to the address, so that it can be shared; long prompts are omitted. */
export function sayAddress(kind: Kind, model: string, prompt: string): void {
  replaceParams({ kind, model, prompt: prompt.length <= LONGEST_PROMPT ? prompt.trim() : null });
}
