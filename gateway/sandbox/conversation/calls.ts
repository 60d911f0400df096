import type { ToolDirective } from "../directives.ts";
import { isRecord } from "../../lib/records.ts";
import { instanceOf } from "../json-schema/instance.ts";
import type { Tool, ToolChoice } from "./conversation.ts";

/** A tool call to make: the tool and what it is given (JSON text; free text for custom tools). */
export interface PlannedCall {
  readonly tool: Tool;
  readonly input: string;
}

export interface CallSituation {
  readonly tools: readonly Tool[];
  readonly choice: ToolChoice;
  readonly parallel: boolean;
  /** The last user message; null when the last message is not the user's: then tools were already called. */
  readonly prompt: string | null;
  /** The names of the tools that were called since the user spoke. */
  readonly called: readonly string[];
  readonly directives: readonly ToolDirective[];
  /** The prompt asks for something that needs no tool (counting). */
  readonly textWanted: boolean;
}

/**
 * Beyond this many tools the client is an agent with a toolbox, which runs what it is told to: it must not write files or
 * run commands because a prompt happens to hold a word like "write", or says not to.
 */
const TOOLBOX = 8;
const MOST_CALLS = 4;
/** Words of tool names that say nothing about the subject. */
const VERBS = new Set(["get", "set", "list", "find", "fetch", "make", "create", "tool", "call", "run", "the", "and"]);

/**
 * The tools that the answer calls; none for an answer in text. A call is made whenever the user spoke last and tools
 * may be called: those that a directive names, else those whose name shares a word with the prompt, else the first.
 * Only in a toolbox of more than eight, with `tool_choice` auto, nothing is called without a directive. After a tool's
 * result a call is made only where one is required.
 */
export function callsFor(situation: CallSituation): PlannedCall[] {
  const { choice, prompt } = situation;
  if (choice.mode === "none") return [];
  const allowed = situation.tools.filter((tool) => choice.only === null || choice.only.includes(tool.name));
  if (prompt === null) return choice.mode === "required" ? nextCall(allowed, situation.called) : [];
  const directed = situation.directives.flatMap((directive) => directedCalls(directive, allowed));
  const most = situation.parallel ? MOST_CALLS : 1;
  if (directed.length > 0) return directed.slice(0, most);
  if (choice.mode === "auto" && situation.textWanted) return [];
  return fittingTools(allowed, prompt, choice)
    .slice(0, most)
    .map((tool) => ({ tool, input: inputFor(tool) }));
}

/**
 * Where clients require a call after each result, the last tool takes the answer: theirs come before it. None when all
 * were called, so that a loop without such a tool ends.
 */
function nextCall(tools: readonly Tool[], called: readonly string[]): PlannedCall[] {
  const next = tools.findLast((tool) => !called.includes(tool.name));
  return next === undefined ? [] : [{ tool: next, input: inputFor(next) }];
}

function directedCalls(directive: ToolDirective, tools: readonly Tool[]): PlannedCall[] {
  return tools
    .filter((tool) => tool.name === directive.name || flatName(tool) === directive.name)
    .slice(0, 1)
    .map((tool) => ({ tool, input: JSON.stringify(directive.input) }));
}

/** As agents write the name of a tool in a namespace elsewhere. */
function flatName({ name, namespace }: Tool): string {
  return namespace === null ? name : `${namespace}__${name}`;
}

function fittingTools(tools: readonly Tool[], prompt: string, choice: ToolChoice): readonly Tool[] {
  const isToolbox = tools.length > TOOLBOX;
  if (isToolbox && choice.mode !== "required") return [];
  const words = wordsOf(prompt);
  const named = tools.filter((tool) => wordsOf(tool.name).some((word) => words.includes(word)));
  if (isToolbox) return [...named, ...tools].slice(0, 1);
  if (named.length > 0) return named;
  const described = tools.find((tool) =>
    wordsOf(tool.description).some((word) => word.length > 3 && words.includes(word)),
  );
  return described ? [described] : tools.slice(0, 1);
}

/** The words of a text or of a name in any case style, in lower case. Only the beginning of a long text is read. */
function wordsOf(text: string): string[] {
  const spaced = text.slice(0, 4_000).replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
  const words = spaced.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  return words.filter((word) => !VERBS.has(word));
}

function inputFor(tool: Tool): string {
  if (tool.kind === "custom") return `sandbox input for ${tool.name}`;
  const instance = instanceOf(tool.parameters, "value");
  return JSON.stringify(isRecord(instance) ? instance : {});
}
