import { isRecord } from "../../lib/records.ts";
import type { ChatRequest, Message, Tool, ToolChoice } from "./request.ts";
import { bringsResults, lastOfUser, getPrompt, withoutSections } from "./prompt.ts";
import type { CountDirective, ToolDirective } from "../directives.ts";
import { getInstance } from "../json-schema/instance.ts";
import { createSeed } from "../seed.ts";
import { excerpt } from "../tokens.ts";

/** Max tokens of the input that a response repeats. */
const QUOTED_TOKENS = 80;

/** Returns the text of all choices if a schema determines it; else null. */
export async function structuredText({ format }: ChatRequest): Promise<string | null> {
  return typeof format === "object" ? JSON.stringify(await getInstance(format.schema, "answer")) : null;
}

/**
 * Builds the text of one choice, before `stop` and the token limit. It always identifies the sandbox (in JSON by its
 * strings) and repeats the question; free texts differ by choice and seed.
 * @param choice index of the choice
 */
export function responseText(request: ChatRequest, count: CountDirective | null, choice: number): string {
  const { format } = request;
  const text = count ? writeCount(count) : spoken(request, choice);
  return format === "json_object" ? JSON.stringify({ source: "sandbox", model: request.model, response: text }) : text;
}

function writeCount(count: CountDirective): string {
  const numbers = Array.from({ length: count.to }, (_, index) => index + 1);
  return `Sandbox counting: ${numbers.join(" ")}`;
}

function spoken(request: ChatRequest, choice: number): string {
  const results = toolResults(request.messages);
  const last = lastOfUser(request.messages);
  const opening = getOpening(request, getPrompt(request.messages), choice);
  const body = results.length > 0 ? results : repeatPrompt(last);
  const which = request.choices > 1 ? [`This is choice ${choice + 1} of ${request.choices}.`] : [];
  return [opening, ...body, ...which, `Connect a provider that serves ${request.model} for a real answer.`].join(" ");
}

function getOpening(request: ChatRequest, prompt: string, choice: number): string {
  const openings = [
    `This is the Postern sandbox answering in place of ${request.model}.`,
    `The Postern sandbox stands in for ${request.model} here.`,
    `You are talking to the Postern sandbox, not to ${request.model}.`,
  ];
  const start = createSeed(`${request.samplingSeed ?? ""} ${prompt}`).number("opening", openings.length);
  return openings[(start + choice) % openings.length] ?? "";
}

function repeatPrompt(message: Message | undefined): string[] {
  if (!message) return [];
  const sentences: string[] = [];
  const text = withoutSections(message.text);
  if (text !== "") sentences.push(`You wrote: “${excerpt(text, QUOTED_TOKENS)}”.`);
  if (message.attachments.length > 0) sentences.push(`You attached ${inWords(message.attachments)}.`);
  return sentences;
}

/** Quotes the tools' results, when the conversation ends with them. */
function toolResults(messages: readonly Message[]): string[] {
  const lastOther = messages.findLastIndex(
    ({ role }, index) => role !== "tool" && role !== "system" && !bringsResults(messages, index),
  );
  const names = new Map(messages.flatMap((message) => message.calls.map((call) => [call.id, call.name] as const)));
  const since = messages.slice(lastOther + 1);
  const brought = since.flatMap(({ role, attachments }) => (role === "user" ? attachments : []));
  const results = since.filter((message) => message.role === "tool");
  const sentences = results.map((message) => {
    const name = names.get(message.callId ?? "") ?? "the tool";
    const quotes = [excerpt(message.text.trim(), QUOTED_TOKENS), ...message.attachments].filter((part) => part !== "");
    return `The result of ${name} is: ${quotes.length > 0 ? quotes.join(", ") : "(empty)"}.`;
  });
  if (brought.length === 0) return sentences;
  return [...sentences, `With it came ${inWords(brought)}.`];
}

function inWords(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** A tool call to make: the tool and what it is given (JSON text; free text for custom tools). */
export interface PlannedCall {
  readonly tool: Tool;
  readonly input: string;
}

interface CallSituation {
  readonly tools: readonly Tool[];
  readonly choice: ToolChoice;
  readonly parallel: boolean;
  /** The last user message; null when the last message is not the user's: then tools were already called. */
  readonly prompt: string | null;
  /** The names of the tools that were called since the user spoke. */
  readonly called: readonly string[];
  readonly directives: readonly ToolDirective[];
  /** Whether the prompt requests something that needs no tool (counting). */
  readonly isTextRequested: boolean;
}

/**
 * Max tools of a simple client; with more it is an agent that executes every call, and must not write files or run
 * commands because a prompt happens to contain a word like "write".
 */
const TOOLBOX = 8;
const MOST_CALLS = 4;
/** Words of tool names that do not describe the subject. */
const VERBS = new Set(["get", "set", "list", "find", "fetch", "make", "create", "tool", "call", "run", "the", "and"]);

/**
 * Returns the tools to call; none for a text response. Tools are called after a user message if allowed: those named by
 * a directive, else those whose name shares a word with the prompt, else the first. With more than eight tools and
 * `tool_choice` auto, nothing is called without a directive. After a tool result a call is only made if required.
 */
export async function getCalls(situation: CallSituation): Promise<PlannedCall[]> {
  const { choice, prompt } = situation;
  if (choice.mode === "none") return [];
  const allowed = situation.tools.filter((tool) => choice.only === null || choice.only.includes(tool.name));
  if (prompt === null) return choice.mode === "required" ? nextCall(allowed, situation.called) : [];
  const directed = situation.directives.flatMap((directive) => directedCalls(directive, allowed));
  const most = situation.parallel ? MOST_CALLS : 1;
  if (directed.length > 0) return directed.slice(0, most);
  if (choice.mode === "auto" && situation.isTextRequested) return [];
  const fitting = fittingTools(allowed, prompt, choice).slice(0, most);
  return Promise.all(fitting.map(async (tool) => ({ tool, input: await getInput(tool) })));
}

/**
 * Calls the last uncalled tool: if a client requires a call after each result, that tool usually takes the response.
 * Empty once all were called, so that a loop without such a tool ends.
 */
async function nextCall(tools: readonly Tool[], called: readonly string[]): Promise<PlannedCall[]> {
  const next = tools.findLast((tool) => !called.includes(tool.name));
  return next === undefined ? [] : [{ tool: next, input: await getInput(next) }];
}

function directedCalls({ name, input }: ToolDirective, tools: readonly Tool[]): PlannedCall[] {
  // Tools of a namespace are called `NAMESPACE__NAME` in this dialect.
  const tool = tools.find((candidate) => candidate.name === name || candidate.name.endsWith(`__${name}`));
  return tool === undefined ? [] : [{ tool, input: JSON.stringify(input) }];
}

function fittingTools(tools: readonly Tool[], prompt: string, choice: ToolChoice): readonly Tool[] {
  const isToolbox = tools.length > TOOLBOX;
  if (isToolbox && choice.mode !== "required") return [];
  const words = getWords(prompt);
  const named = tools.filter((tool) => getWords(tool.name).some((word) => words.includes(word)));
  if (isToolbox) return [...named, ...tools].slice(0, 1);
  if (named.length > 0) return named;
  const described = tools.find((tool) =>
    getWords(tool.description).some((word) => word.length > 3 && words.includes(word)),
  );
  return described ? [described] : tools.slice(0, 1);
}

/**
 * Returns the words of a text, or of a name in any case style, in lower case. Only the start of a long text is read.
 */
function getWords(text: string): string[] {
  const spaced = text.slice(0, 4_000).replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
  const words = spaced.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  return words.filter((word) => !VERBS.has(word));
}

async function getInput(tool: Tool): Promise<string> {
  if (tool.kind === "custom") return `sandbox input for ${tool.name}`;
  const instance = await getInstance(tool.parameters, "value");
  return JSON.stringify(isRecord(instance) ? instance : {});
}
