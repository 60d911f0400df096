import { Script } from "node:vm";

/** Whether a text matches a regular expression. */
export type PatternTest = (pattern: string, value: string) => boolean;

/**
 * A client's pattern may take forever; the gateway shares this process and waits no longer than this, which even a busy
 * machine does not take for a pattern that ends: the same request has to give the same bytes,
 */
const PATTERN_MS = 200;
/** and no more often than this for one document. */
const MOST_TIMEOUTS = 2;

/**
 * A test for the patterns of one document. What is no regular expression, or takes too long, does not match. After
 * the second pattern that takes too long nothing matches any more.
 */
export function createPatternTest(): PatternTest {
  const known = new Map<string, boolean>();
  let timeouts = 0;
  return (pattern, value) => {
    const question = `${JSON.stringify(pattern)}, ${JSON.stringify(value)}`;
    const answer = known.get(question);
    if (answer !== undefined) return answer;
    const matched = timeouts < MOST_TIMEOUTS ? matches(pattern, value) : false;
    if (matched === undefined) timeouts += 1;
    known.set(question, matched === true);
    return matched === true;
  };
}

/** Undefined when it took too long. */
function matches(pattern: string, value: string): boolean | undefined {
  const [source, text] = [JSON.stringify(pattern), JSON.stringify(value)];
  // Schemas are to be read with the u flag, under which some patterns that people write are errors.
  const compiled = `(() => { try { return new RegExp(${source}, "u"); } catch { return new RegExp(${source}); } })()`;
  try {
    return new Script(`${compiled}.test(${text})`).runInThisContext({ timeout: PATTERN_MS }) === true;
  } catch (error) {
    const late = error instanceof Error && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    return late ? undefined : false;
  }
}
