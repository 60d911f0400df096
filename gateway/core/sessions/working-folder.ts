import { isRecord } from "../../lib/records.ts";

/** Finds the folder in which an agent works, by the texts for its model. */

type Fields = Readonly<Record<string, unknown>>;

/** Max characters per text and max texts per request that are searched: agents state the folder in the first ones. */
const LOOKED_AT = 48 * 1024;
const TEXTS = 12;
/** Entries of a conversation before its first response: Codex has the folder in the third or fourth. */
const ENTRIES = 6;
/** Folders of other kinds (a home, a memory) may be named before. */
const TRIES = 8;
/** No system has longer paths. */
const LONGEST_PATH = 4_096;

/**
 * How agents name their folder, read in requests of November 2026: "Primary working directory: /path" (Claude Code 2.1.329,
 * before "Working directory:"), "Working directory: /path" (opencode 1.18.33), "I'm currently working in the directory:
 * /path" (Qwen Code 0.24.4), "Current Working Directory:" and "Current Workspace Directory:" (public sources of Cline and
 * Roo Code); `<cwd>/path</cwd>` (Codex 0.169).
 */
const MARK = /\b(?:working|workspace|in the) directory$/i;
const LONGEST_MARK = " workspace directory".length;
/** End of the marker and the text after it. Searched first, because its rarer letters are found four times as fast. */
const MARK_END = "y: ";
const MARK_BEFORE_END = "irector";
/** Markers followed by the path, on the same or the next line. */
const TAGS = ["<cwd>", "Workspace Directories:**"] as const;
/** pi 1.6 has the path on a line of its own between the tags, Gemini CLI 0.61 in a list (read 2026-11-29). */
const SPACE = /^\s*(?:- )?/;

/** Characters that end a path in a text. */
const END = /[\n\r<`"]/;
const ABSOLUTE = /^(?:\/|~|[A-Za-z]:[\\/]|\\\\)/;
/** Folder in which Claude Code puts the worktrees of a project (`claude --worktree`, code.claude.com/docs, 2026-11-24). */
const WORKTREES = /[\\/]\.claude[\\/]worktrees[\\/].*$/;

/** Returns the name of the working folder that the first texts of a request state; null if they state none. */
export function findFolder(body: Fields): string | null {
  const texts = { left: TEXTS };
  const google = body["systemInstruction"];
  const system = body["system"] ?? body["instructions"] ?? (isRecord(google) ? google["parts"] : google);
  const folder = folderInContent(system, texts);
  if (folder !== null) return folder;
  const turns = body["messages"] ?? body["input"] ?? body["contents"];
  if (!Array.isArray(turns)) return null;
  for (let index = 0; index < turns.length && index < ENTRIES; index += 1) {
    const turn: unknown = turns[index];
    if (!isRecord(turn) || turn["role"] === "assistant" || turn["role"] === "model") return null;
    const found = folderInContent(turn["content"] ?? turn["parts"], texts);
    if (found !== null) return found;
  }
  return null;
}

/** Returns the last folder name of a path; null for a root or anything but a path. */
export function folderName(path: string): string | null {
  if (path.length > LONGEST_PATH || !ABSOLUTE.test(path)) return null;
  const folder = path.replace(WORKTREES, "").replace(/(?<![\\/\s])[\\/\s]+$/, "");
  const name = folder.slice(Math.max(folder.lastIndexOf("/"), folder.lastIndexOf("\\")) + 1).trim();
  return name === "" || name === "~" || /^[A-Za-z]:$/.test(name) ? null : name;
}

function folderInContent(content: unknown, texts: { left: number }): string | null {
  if (typeof content === "string") return texts.left-- > 0 ? folderInText(content) : null;
  if (!Array.isArray(content)) return null;
  for (let index = 0; index < content.length && texts.left > 0; index += 1) {
    const block: unknown = content[index];
    const text = isRecord(block) ? block["text"] : null;
    if (typeof text !== "string") continue;
    texts.left -= 1;
    const found = folderInText(text);
    if (found !== null) return found;
  }
  return null;
}

function folderInText(whole: string): string | null {
  const text = whole.length > LOOKED_AT ? whole.slice(0, LOOKED_AT) : whole;
  let tries = 0;
  for (let at = text.indexOf(MARK_END); at !== -1 && tries < TRIES; at = text.indexOf(MARK_END, at + 1)) {
    if (!text.startsWith(MARK_BEFORE_END, at - MARK_BEFORE_END.length)) continue;
    tries += 1;
    if (!MARK.test(text.slice(Math.max(0, at + 1 - LONGEST_MARK), at + 1))) continue;
    const name = getFolder(text, at + MARK_END.length);
    if (name !== null) return name;
  }
  for (const tag of TAGS) {
    const at = text.indexOf(tag);
    if (at === -1) continue;
    const start = at + tag.length;
    return getFolder(text, start + (SPACE.exec(text.slice(start, start + LONGEST_PATH))?.[0].length ?? 0));
  }
  return null;
}

function getFolder(text: string, start: number): string | null {
  const rest = text.slice(start, start + LONGEST_PATH);
  const end = END.exec(rest);
  return folderName(end === null ? rest : rest.slice(0, end.index));
}
