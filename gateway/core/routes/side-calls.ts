import { isRecord } from "../../lib/records.ts";

/**
 * Side calls of clients, recognized by the start of their instructions. Clients send no other mark, and wording changes
 * between versions: unrecognized requests count as turns of the conversation, which is never far off.
 */

type Fields = Readonly<Record<string, unknown>>;

/** Max characters of an instruction that are matched: its purpose is at its start. */
const HEAD = 600;
/** Max instructions that are matched: Claude Code sends its billing line and its name first. */
const INSTRUCTIONS = 4;

const MAKING =
  "(?:generat|writ|creat|craft|summari[sz]|suggest|provid|return|extract|produc|com(?:e|ing) up with|reply with)";
/** Matches chat apps and title-from-list tasks, which are not titles of this conversation. */
const TALK =
  "(?:conversation|chat|session|thread)s?\\b(?![ -](?:app|bot|box|page|room|screen|ui|widget|window|with)s?\\b)";
/** Matches references to the current conversation; others are not side calls of it. */
const THIS_TALK = `(?:(?:(?:this|the|our|following|chatbot)\\s+(?:[\\w'’-]+\\s+){0,2}|for an?\\s+)${TALK}|begins a conversation)`;
const TITLE_OF_TALK = `${MAKING}\\w*\\b[^.\\n]{0,80}\\btitles?\\b(?! (?:page|screen)\\b)[^.;\\n]{0,120}\\b${THIS_TALK}`;
const CHINESE_TALK = "(?:对话|会话|聊天|这句话)(?!窗|框|室|应用|软件|程序|界面|页|机器)";

/**
 * Instructions that ask for the title of a conversation. Their senders, in this order: Claude Code ("Generate a concise,
 * sentence-case title … of this coding session"), crush, GitHub Copilot Chat, LibreChat; opencode ("You output ONLY a thread
 * title"); Claude Code 0.2 ("Summarize this coding conversation in under 50 characters"), Cherry Studio; Claude Code 1 and
 * 2.0 (`isNewTopic`) and its `/rename`; clients in Chinese.
 */
const TITLE_INSTRUCTIONS: readonly RegExp[] = [
  new RegExp(`\\b${TITLE_OF_TALK}`, "i"),
  new RegExp(`\\b(?:conversation|chat|session|thread) titles?\\b(?!\\s*[:=])`, "i"),
  new RegExp(`\\bsummari[sz]\\w*\\b[^.]{0,60}\\b${TALK}\\b[^.]{0,60}\\b(?:title|in under \\d+ characters)\\b`, "i"),
  /\bisNewTopic\b|\bkebab-case name\b/,
  new RegExp(`(?:生成|总结|概括|返回|起)[^]{0,60}(?:标题|主题)[^]{0,80}${CHINESE_TALK}`),
  new RegExp(`${CHINESE_TALK}[^]{0,60}(?:标题|主题)`),
];

/**
 * Title instructions at the start of a user message: opencode, Zed, Open WebUI ("### Task:"), NextChat, Claude Code 0.2
 * ("Please write a 5-10 word title the following conversation").
 */
const TITLE_TURN = new RegExp(`^\\s*(?:#+ *Task:?\\s*)?(?:please\\s+)?${TITLE_OF_TALK}`, "i");
const TITLE_TURN_CHINESE = /^[^]{0,40}(?:生成|总结|概括|返回|起)[^]{0,60}(?:标题|主题)/;
const OF_CHINESE_TALK = new RegExp(CHINESE_TALK);

/** Fields that a response with a title has in a schema: Claude Code's `{title}`, `{isNewTopic, title}`, `{title, branch}`. */
const TITLE_FIELDS: ReadonlySet<string> = new Set(["title", "isNewTopic", "branch", "name"]);

/**
 * User turns of other side calls: prompt suggestions and progress summaries (Claude Code), and next-speaker checks
 * (Gemini CLI and Qwen Code).
 */
const BACKGROUND_TURN =
  /^(?:\[SUGGESTION MODE|The user stepped away|Analyze \*only\* the content and structure of your immediately preceding response)/;
/** Open WebUI's tasks: tags, follow-ups, queries; the chat is quoted in them. */
const OPEN_WEBUI = ["### Task:", "<chat_history>"] as const;

/**
 * Compaction instructions of agents. The conversation continues with their result, so compaction is a turn, not a side
 * call. In order: Claude Code and earlier opencode; opencode 1.18; Qwen Code 0.24; Gemini CLI and earlier Qwen Code
 * (read in the programs of 2026-11-24; of Gemini CLI in https://github.com/google-gemini/gemini-cli
 * `getCompressionPrompt`).
 */
const COMPACTION_INSTRUCTION =
  /tasked with summarizing conversations|context summarization agent|component that summarizes (?:a conversation|internal chat)|distilling chat history/;
/** opencode also asks this way without instructions, after a context overflow. */
const COMPACTION_TURN =
  /^\s*(?:CRITICAL: Respond with TEXT|Your task is to create a detailed summary|Here is the conversation so far:\s+<conversation>)/;

/** The only tool of Qwen Code's side calls: titles, command explanations, memory selection. */
const SCHEMA_TOOL = "respond_in_schema";

/** Whether that is the one tool there is, in any dialect. */
export function respondsInSchema({ tools }: Fields): boolean {
  const only: unknown = Array.isArray(tools) && tools.length === 1 ? tools[0] : null;
  if (!isRecord(only)) return false;
  return (isRecord(only["function"]) ? only["function"]["name"] : only["name"]) === SCHEMA_TOOL;
}

/** Tells whether a response schema is exactly one of Claude Code's title schemas. */
export function hasTitleSchema(schema: unknown): boolean {
  const properties = isRecord(schema) ? schema["properties"] : null;
  if (!isRecord(properties)) return false;
  const names = Object.keys(properties);
  return names.length > 0 && names.every((name) => TITLE_FIELDS.has(name));
}

/** The texts of a request that reveal its purpose. */
export interface RequestTexts {
  /** The beginnings of its instructions. */
  readonly instructions: readonly string[];
  /** Last text of the final user turn; empty if the last turn is not the user's. */
  readonly turn: string;
}

export function isTitle({ instructions, turn }: RequestTexts): boolean {
  if (instructions.some(asksForTitle)) return true;
  const head = turn.slice(0, HEAD);
  // Both match only the start, where nearly all turns differ.
  const isTitle = TITLE_TURN.test(head) || (TITLE_TURN_CHINESE.test(head) && OF_CHINESE_TALK.test(head));
  return isTitle && mayBeTitle(head);
}

const asksForTitle = (text: string): boolean =>
  mayBeTitle(text) && TITLE_INSTRUCTIONS.some((pattern) => pattern.test(text));

/** A cheap check first: every text that the patterns match contains one of these strings. */
const mayBeTitle = (text: string): boolean => /itle|题|isNewTopic|kebab-case|in under/.test(text);

export function isBackground({ turn }: RequestTexts): boolean {
  return BACKGROUND_TURN.test(turn) || (turn.startsWith(OPEN_WEBUI[0]) && turn.includes(OPEN_WEBUI[1]));
}

export function isCompaction({ instructions, turn }: RequestTexts): boolean {
  return COMPACTION_TURN.test(turn) || instructions.some(isOfCompaction);
}

const isOfCompaction = (text: string): boolean => COMPACTION_INSTRUCTION.test(text);

/** Reads a request's own statement of its purpose, in any dialect. */
export function findRequestTexts(body: Fields): RequestTexts {
  const turns = body["messages"] ?? body["input"];
  const instructions: string[] = [];
  addText(instructions, body["system"] ?? body["instructions"]);
  if (typeof turns === "string") return { instructions, turn: turns };
  if (!Array.isArray(turns)) return { instructions, turn: "" };
  for (let index = 0; index < turns.length; index += 1) {
    const turn: unknown = turns[index];
    if (!isRecord(turn) || !isInstruction(turn) || instructions.length >= INSTRUCTIONS) break;
    addText(instructions, turn["content"]);
  }
  return { instructions, turn: findLastWords(turns) };
}

function addText(texts: string[], content: unknown): void {
  if (typeof content === "string") {
    texts.push(content.slice(0, HEAD));
    return;
  }
  if (!Array.isArray(content)) return;
  for (const block of content as readonly unknown[]) {
    if (texts.length >= INSTRUCTIONS) return;
    if (isRecord(block) && typeof block["text"] === "string") texts.push(block["text"].slice(0, HEAD));
  }
}

function findLastWords(turns: readonly unknown[]): string {
  for (let index = turns.length - 1; index >= 0; index--) {
    const turn = turns[index];
    if (!isRecord(turn)) return "";
    // Claude Code sends system messages after the user's.
    if (isInstruction(turn)) continue;
    return turn["role"] === "user" ? findLastText(turn["content"]) : "";
  }
  return "";
}

function findLastText(content: unknown): string {
  if (typeof content === "string") return content;
  const block: unknown = Array.isArray(content) ? content.at(-1) : null;
  return isRecord(block) && typeof block["text"] === "string" ? block["text"] : "";
}

const isInstruction = ({ role }: Fields): boolean => role === "system" || role === "developer";
