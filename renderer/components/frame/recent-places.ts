import type { Route } from "../../lib/router.ts";
import { readStored, writeStored } from "../../lib/stored.ts";

/** Storage key of the palette's recent commands. */
export const RECENT = "palette.recent";

/** Returns the palette command that opens the same as an address; null for a plain page. */
export function getCommand({ path, params }: Route): string | null {
  const model = params.get("model");
  const task = params.get("task");
  const request = params.get("id");
  if (path === "models" && model !== null) return `model-${model}`;
  if (path === "tasks" && task !== null) return `task-${task}`;
  if (path === "requests" && request !== null) return `request-${request}`;
  return null;
}

/** Remembers that it was used or visited. */
export function remember(value: string): void {
  writeStored(RECENT, JSON.stringify(withUsed(storedRecents(readStored(RECENT)), value)));
}

/** More than are displayed, as some may no longer exist. */
const MOST_KEPT = 10;

/** Returns the recents with the latest in front. */
export function withUsed(recent: readonly string[], value: string): readonly string[] {
  return [value, ...recent.filter((each) => each !== value)].slice(0, MOST_KEPT);
}

/** Reads the stored list; empty if it is damaged. */
export function storedRecents(text: string | null): readonly string[] {
  try {
    const list: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(list) ? list.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}
