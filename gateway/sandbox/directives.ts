import { isRecord } from "../lib/records.ts";
import { invalidValue } from "./failure.ts";
import type { Fields } from "./fields.ts";

/**
 * Behaviour that a prompt can request, to test clients against provider failures. Anywhere in the last user message:
 *
 * - `sandbox:error=STATUS` an error of that status (400 to 599); 429 carries `Retry-After: 1`
 * - `sandbox:fail` status 500; a video's task fails instead, after it was accepted
 * - `sandbox:slow=MS` the whole response takes about that long (one hour at most)
 * - `sandbox:cut` the connection breaks after the first events, or before a response that is not streamed
 * - `[[tool:NAME {json}]]` calls that tool with these arguments, if it is among the request's tools
 * - `count to N`, `count slowly` the response counts; slowly: to 100 at most, 50 ms apart
 */
export interface Directives {
  readonly errorStatus: number | null;
  /** `sandbox:fail` without a status next to it. */
  readonly fails: boolean;
  readonly slowMs: number | null;
  readonly cut: boolean;
  readonly tools: readonly ToolDirective[];
  readonly count: CountDirective | null;
}

export interface ToolDirective {
  readonly name: string;
  readonly input: Fields;
}

export interface CountDirective {
  readonly to: number;
  readonly slowly: boolean;
}

const SLOWEST_MS = 3_600_000;
const HIGHEST_COUNT = 10_000;
const HIGHEST_SLOW_COUNT = 100;

/**
 * Reads the directives in `text`.
 * @throws Failure (400) for `sandbox:error` with a status that is no error.
 */
export function getDirectives(text: string): Directives {
  const slow = /\bsandbox:slow=(\d{1,9})/.exec(text)?.[1];
  return {
    errorStatus: getErrorStatus(text) ?? (shouldFail(text) ? 500 : null),
    fails: shouldFail(text),
    slowMs: slow === undefined ? null : Math.min(Number(slow), SLOWEST_MS),
    cut: /\bsandbox:cut\b/.test(text),
    tools: toolDirectives(text),
    count: countDirective(text),
  };
}

const ERROR = /\bsandbox:error=(\d{1,9})/;

function shouldFail(text: string): boolean {
  return /\bsandbox:fail\b/.test(text) && !ERROR.test(text);
}

function getErrorStatus(text: string): number | null {
  const written = ERROR.exec(text)?.[1];
  if (written === undefined) return null;
  const status = Number(written);
  if (status < 400 || status > 599) {
    throw invalidValue("messages", `sandbox:error takes a status from 400 to 599, not ${written}.`);
  }
  return status;
}

const TOOL_START = "[[tool:";
const TOOL_END = "}]]";
/** Bounds that keep a text full of beginnings, or of endings, from taking quadratic time. */
const STARTS_TRIED = 32;
const ENDS_TRIED = 8;
const LONGEST_INPUT = 65_536;

function toolDirectives(text: string): ToolDirective[] {
  const found: ToolDirective[] = [];
  let start = text.indexOf(TOOL_START);
  for (let tries = 0; start !== -1 && tries < STARTS_TRIED; tries += 1) {
    const from = start + TOOL_START.length;
    const directive = findToolDirective(text.slice(from, from + LONGEST_INPUT));
    if (directive) found.push(directive);
    start = text.indexOf(TOOL_START, from);
  }
  return found;
}

/** Parses `NAME {json}]]` at the start of `text`. The JSON may contain `}]]`, so several ends are tried. */
function findToolDirective(text: string): ToolDirective | undefined {
  const head = /^([\w.-]{1,128})\s{1,8}(?=\{)/.exec(text);
  const name = head?.[1];
  if (!head || name === undefined) return undefined;
  let end = text.indexOf(TOOL_END);
  for (let tries = 0; end !== -1 && tries < ENDS_TRIED; tries += 1) {
    const input = parsedObject(text.slice(head[0].length, end + 1));
    if (input) return { name, input };
    end = text.indexOf(TOOL_END, end + 1);
  }
  return undefined;
}

function parsedObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const NUMBER_WORDS: Readonly<Record<string, number>> = {
  three: 3,
  five: 5,
  ten: 10,
  twenty: 20,
  fifty: 50,
  hundred: 100,
  "one hundred": 100,
  "a hundred": 100,
  thousand: 1_000,
  "one thousand": 1_000,
  "a thousand": 1_000,
};
const COUNT_TO =
  /\bcount\b[^.\n]{0,40}?\bto\s(\d{1,9}|(?:one |a )?(?:hundred|thousand)|three|five|ten|twenty|fifty)\b/i;

function countDirective(text: string): CountDirective | null {
  const slowly = /\bcount slowly\b/i.test(text);
  const written = COUNT_TO.exec(text)?.[1]?.toLowerCase();
  if (written === undefined) return slowly ? { to: HIGHEST_SLOW_COUNT, slowly } : null;
  const to = NUMBER_WORDS[written] ?? Number(written);
  return { to: Math.max(1, Math.min(to, slowly ? HIGHEST_SLOW_COUNT : HIGHEST_COUNT)), slowly };
}
