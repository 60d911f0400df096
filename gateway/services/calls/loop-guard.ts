import { isLoopbackHost } from "../../upstream/targets.ts";

/** Marks requests of this process to servers on this machine, so that it knows its own voice (508 instead of a storm). */
export const LOOP_HEADER = "x-postern-instance";

/**
 * Adds the mark where the target is on this machine, the only place where Postern can meet itself. Other providers are
 * told nothing about us.
 */
export function providerHeaders(
  headers: Readonly<Record<string, string>>,
  origin: string,
  instanceId: string,
): Readonly<Record<string, string>> {
  return isLocal(origin) ? { ...headers, [LOOP_HEADER]: instanceId } : headers;
}

const known = new Map<string, boolean>();

function isLocal(origin: string): boolean {
  const before = known.get(origin);
  if (before !== undefined) return before;
  const local = isLoopbackHost(new URL(origin).hostname);
  known.set(origin, local);
  return local;
}
