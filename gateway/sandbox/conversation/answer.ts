import type { CountDirective } from "../directives.ts";
import { instanceOf } from "../json-schema/instance.ts";
import { seedOf } from "../seed.ts";
import { excerpt } from "../tokens.ts";
import type { Conversation, Message } from "./conversation.ts";
import { bringsResults, lastOfUser, promptOf, withoutSections } from "./prompt.ts";

/** How much of what it was told an answer repeats, in tokens. */
const QUOTED_TOKENS = 80;

/**
 * The text of one choice, before `stop` and the token limit. It always says that the sandbox speaks (JSON answers
 * say so in their strings) and repeats what was asked; free texts differ from choice to choice and from seed to seed.
 * @param choice index of the choice
 */
export function answerText(request: Conversation, count: CountDirective | null, choice: number): string {
  const { format } = request;
  if (format.kind === "json_schema") return JSON.stringify(instanceOf(format.schema, "answer"));
  const text = count ? counted(count) : spoken(request, choice);
  return format.kind === "json_object"
    ? JSON.stringify({ source: "sandbox", model: request.model, answer: text })
    : text;
}

function counted(count: CountDirective): string {
  const numbers = Array.from({ length: count.to }, (_, index) => index + 1);
  return `Sandbox counting: ${numbers.join(" ")}`;
}

function spoken(request: Conversation, choice: number): string {
  const results = toolResults(request.messages);
  const last = lastOfUser(request.messages);
  const opening = openingOf(request, promptOf(request.messages), choice);
  const body = results.length > 0 ? results : repeated(last);
  const which = request.choices > 1 ? [`This is choice ${choice + 1} of ${request.choices}.`] : [];
  return [opening, ...body, ...which, `Connect a provider that serves ${request.model} for a real answer.`].join(" ");
}

function openingOf(request: Conversation, prompt: string, choice: number): string {
  const openings = [
    `This is the Postern sandbox answering in place of ${request.model}.`,
    `The Postern sandbox stands in for ${request.model} here.`,
    `You are talking to the Postern sandbox, not to ${request.model}.`,
  ];
  const start = seedOf(`${request.samplingSeed ?? ""} ${prompt}`).number("opening", openings.length);
  return openings[(start + choice) % openings.length] ?? "";
}

function repeated(message: Message | undefined): string[] {
  if (!message) return [];
  const sentences: string[] = [];
  const text = withoutSections(message.text);
  if (text !== "") sentences.push(`You wrote: “${excerpt(text, QUOTED_TOKENS)}”.`);
  const attached = message.attachments.map((attachment) => attachment.description);
  if (attached.length > 0) sentences.push(`You attached ${inWords(attached)}.`);
  return sentences;
}

/** What the tools said, when the conversation ends with their results. */
function toolResults(messages: readonly Message[]): string[] {
  const lastOther = messages.findLastIndex(
    ({ role }, index) => role !== "tool" && role !== "system" && !bringsResults(messages, index),
  );
  const names = new Map(messages.flatMap((message) => message.calls.map((call) => [call.id, call.name] as const)));
  const since = messages.slice(lastOther + 1);
  const brought = since.flatMap(({ role, attachments }) => (role === "user" ? attachments : []));
  const results = since.filter((message) => message.role === "tool");
  const sentences = results.map((message) => {
    const name = names.get(message.answers ?? "") ?? "the tool";
    const attached = message.attachments.map((attachment) => attachment.description);
    const text = excerpt(message.text.trim(), QUOTED_TOKENS);
    const said = [text, ...attached].filter((part) => part !== "");
    return `The result of ${name} is: ${said.length > 0 ? said.join(", ") : "(empty)"}.`;
  });
  if (brought.length === 0) return sentences;
  return [...sentences, `With it came ${inWords(brought.map((attachment) => attachment.description))}.`];
}

function inWords(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
