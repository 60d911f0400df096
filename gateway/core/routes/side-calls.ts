import { isRecord } from "../../lib/records.ts";

/**
 * Calls that clients make next to a conversation, by the words they begin with. No client says more than that, and words
 * change with versions: what is not recognized counts as a turn of the conversation, which is never wrong by much.
 */

type Fields = Readonly<Record<string, unknown>>;

/** Characters of an instruction that are looked at: what it is about is said at its beginning. */
const HEAD = 600;
/** Instructions that are looked at: Claude Code has its billing line and its name before what it asks for. */
const INSTRUCTIONS = 4;

const MAKING =
  "(?:generat|writ|creat|craft|summari[sz]|suggest|provid|return|extract|produc|com(?:e|ing) up with|reply with)";
/** An app with a chat in it has nothing to do with this conversation, nor has one that is picked from many. */
const TALK =
  "(?:conversation|chat|session|thread)s?\\b(?![ -](?:app|bot|box|page|room|screen|ui|widget|window|with)s?\\b)";
/** The one at hand: who writes of chats and sessions otherwise means others. */
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
 * The user's turn of other such calls: what might be typed next and what was done meanwhile (Claude Code), and who speaks
 * next (Gemini CLI and Qwen Code).
 */
const BACKGROUND_TURN =
  /^(?:\[SUGGESTION MODE|The user stepped away|Analyze \*only\* the content and structure of your immediately preceding response)/;
/** Open WebUI's tasks: tags, follow-ups, queries; the chat is quoted in them. */
const OPEN_WEBUI = ["### Task:", "<chat_history>"] as const;

/**
 * Agents shrink a conversation that has become too long. It goes on with what this makes of it, so this is a turn of the
 * conversation, and not one next to it. By whom, in this order: Claude Code and earlier opencode; opencode 1.18; Qwen Code
 * 0.24; Gemini CLI and earlier Qwen Code (read in the programs of 2026-11-24; of Gemini CLI in
 * https://github.com/google-gemini/gemini-cli `getCompressionPrompt`).
 */
const COMPACTION_INSTRUCTION =
  /tasked with summarizing conversations|context summarization agent|component that summarizes (?:a conversation|internal chat)|distilling chat history/;
/** opencode asks so without instructions too, where a context has overflowed. */
const COMPACTION_TURN =
  /^\s*(?:CRITICAL: Respond with TEXT|Your task is to create a detailed summary|Here is the conversation so far:\s+<conversation>)/;

/** The only tool of what Qwen Code wants to know for itself: titles, what a command does, which memories matter. */
const SCHEMA_TOOL = "respond_in_schema";

/** Whether that is the one tool there is, in any dialect. */
export function respondsInSchema({ tools }: Fields): boolean {
  const only: unknown = Array.isArray(tools) && tools.length === 1 ? tools[0] : null;
  if (!isRecord(only)) return false;
  return (isRecord(only["function"]) ? only["function"]["name"] : only["name"]) === SCHEMA_TOOL;
}

/** Whether a response can be by one of Claude Code's schemas for titles, and by nothing else. */
export function hasTitleSchema(schema: unknown): boolean {
  const properties = isRecord(schema) ? schema["properties"] : null;
  if (!isRecord(properties)) return false;
  const names = Object.keys(properties);
  return names.length > 0 && names.every((name) => TITLE_FIELDS.has(name));
}

/** The text of a request that says what it is for. */
export interface RequestTexts {
  /** The beginnings of its instructions. */
  readonly instructions: readonly string[];
  /** The last words of the user's turn, where that is the last one; else empty. */
  readonly turn: string;
}

export function isTitle({ instructions, turn }: RequestTexts): boolean {
  if (instructions.some(asksForTitle)) return true;
  const head = turn.slice(0, HEAD);
  // Both look at the beginning only, and nearly every turn begins otherwise.
  const isTitle = TITLE_TURN.test(head) || (TITLE_TURN_CHINESE.test(head) && OF_CHINESE_TALK.test(head));
  return isTitle && mayBeTitle(head);
}

const asksForTitle = (text: string): boolean =>
  mayBeTitle(text) && TITLE_INSTRUCTIONS.some((pattern) => pattern.test(text));

/** A cheap check first: every text that the patterns match contains one of these words. */
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
    // Claude Code puts entries of the system after the user's.
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
