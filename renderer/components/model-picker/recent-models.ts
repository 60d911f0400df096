import { readStored, useStored, writeStored } from "../../lib/stored.ts";

const NAME = "models.recent";
const MOST = 6;

/** Ids of the models that were chosen lately on this machine, the last one first. */
export function useRecentModels(): readonly string[] {
  const [stored] = useStored(NAME);
  return findIds(stored);
}

/** Puts a model before the others that were chosen. */
export function rememberModel(id: string): void {
  const others = findIds(readStored(NAME)).filter((each) => each !== id);
  writeStored(NAME, JSON.stringify([id, ...others].slice(0, MOST)));
}

function findIds(stored: string | null): readonly string[] {
  try {
    const ids: unknown = JSON.parse(stored ?? "[]");
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}
