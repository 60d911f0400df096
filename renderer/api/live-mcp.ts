import type { QueryClient } from "@tanstack/react-query";
import type { McpCall, McpView } from "../../gateway/contract/mcp.ts";
import { queryNames } from "./query-names.ts";

/** As many calls as the gateway keeps. */
export const MOST_CALLS = 200;

/**
 * Brings calls of tools into the cached view. Returns the names of what has to be asked for again: a response that is
 * under way may be older than these calls.
 */
export function receiveCalls(cache: QueryClient, calls: readonly McpCall[]): readonly string[] {
  const key = [queryNames.mcp];
  cache.setQueryData<McpView>(key, (view) => (view === undefined ? view : { ...view, calls: withCalls(view, calls) }));
  return cache.getQueryState(key)?.fetchStatus === "fetching" ? [queryNames.mcp] : [];
}

/** A call that is there changes in its place; a new one stands on top. */
export function withCalls({ calls: before }: Pick<McpView, "calls">, changed: readonly McpCall[]): McpCall[] {
  const newest = new Map(changed.map((call) => [call.id, call]));
  const kept = before.map((call) => {
    const next = newest.get(call.id);
    newest.delete(call.id);
    // What is over does not run again: a step that was told late says nothing.
    return next === undefined || (call.status !== "running" && next.status === "running") ? call : next;
  });
  const fresh = [...newest.values()].toSorted((a, b) => b.at - a.at);
  const oldest =
    before.length < MOST_CALLS ? Number.NEGATIVE_INFINITY : (before.at(-1)?.at ?? Number.NEGATIVE_INFINITY);
  return [...fresh.filter(({ at }) => at >= oldest), ...kept].slice(0, MOST_CALLS);
}
