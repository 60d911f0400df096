import type { ClientPlan, FileChange } from "../../contract/clients.ts";
import type { ClientKind } from "../../core/clients/client-kind.ts";
import { readData, readText } from "../../core/clients/edit-file.ts";
import { createLineDiff } from "../../core/clients/line-diff.ts";
import { sha256 } from "../../lib/ids.ts";
import type { FileDraft } from "./draft-files.ts";

/** Stands for the key in a plan: it is created when the plan is applied. */
export const KEY_TO_COME = "sk-…";

/** Says which files, in which state, a plan is about. */
export function getToken(drafts: readonly FileDraft[]): string {
  return sha256(JSON.stringify(drafts.map(({ place, found }) => [place.path, found.target, found.digest])));
}

/** Returns the plan that the user confirms before connecting: each line that changes. The key itself is never in it. */
export function getPlan(kind: ClientKind, drafts: readonly FileDraft[]): ClientPlan {
  return { files: drafts.map(getChange), key_name: kind.name, token: getToken(drafts), notes: getNotes(kind, drafts) };
}

function getChange({ place, found, after, unchanged: unchangedLines }: FileDraft): FileChange {
  const unchanged = after === null ? found.bytes === null : found.digest === sha256(after);
  return {
    path: place.path,
    target: found.target === place.path ? null : found.target,
    action: unchanged ? "keep" : found.bytes === null ? "create" : after === null ? "remove" : "change",
    lines: unchanged ? [] : [...createLineDiff(shown(found.bytes), shown(after))],
    kept: [...unchangedLines],
  };
}

const shown = (bytes: Buffer | null): string => (bytes === null ? "" : readText(bytes).replace(/^\uFEFF/, ""));

function getNotes(kind: ClientKind, drafts: readonly FileDraft[]): ClientPlan["notes"] {
  const notes = new Set<ClientPlan["notes"][number]>();
  for (const { found, place, parts, format, base, after } of drafts) {
    if (parts.length === 0) continue;
    if (found.target !== place.path) notes.add("linked");
    if (process.platform !== "win32" && found.facts !== null && (found.facts.mode & 0o044) !== 0)
      notes.add("readable_by_others");
    const data = base === null ? {} : readData(format, readText(base));
    const files = kind.files.filter(
      ({ part, rival, detour }) => parts.includes(part) && (rival ?? detour) !== undefined,
    );
    if (files.some(({ rival }) => (rival?.(data) ?? null) !== null)) notes.add("other_key");
    const then = after === null ? {} : readData(format, readText(after));
    if (files.some(({ detour }) => (detour?.(then) ?? null) !== null)) notes.add("elsewhere");
  }
  return [...notes];
}
