import type { Setup } from "../../gateway/contract/setup.ts";
import { checkFile, resolveFile, type ValueProblem } from "../../gateway/core/setup/read-file.ts";

/** The set-up that a parsed file is, without turns of the event loop. */
export function readFile(...file: Parameters<typeof resolveFile>): Setup | readonly ValueProblem[] {
  const resolved = resolveFile(...file);
  return "setup" in resolved ? checkFile(resolved) : resolved;
}
