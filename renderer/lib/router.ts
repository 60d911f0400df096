import { useMemo, useSyncExternalStore } from "react";

/** The pages live in the fragment (`#/keys?state=active`): no request leaves when the address changes. */
export interface Route {
  readonly path: string;
  readonly params: URLSearchParams;
}

export function parseRoute(hash: string): Route {
  const [, path = "", query] = /^#?\/?([^?]*)\??(.*)$/s.exec(hash) ?? [];
  const params = new URLSearchParams(query);
  return path === "history" ? { path: "usage", params: fromHistory(params) } : { path, params };
}

/** The page of earlier versions for usage from agents' logs. */
function fromHistory(params: URLSearchParams): URLSearchParams {
  const { agent, ...others } = Object.fromEntries(params);
  return new URLSearchParams({ ...others, source: "logs", ...(agent !== undefined && { client: agent }) });
}

export function routeHash(path: string, params: Readonly<Record<string, string | null>> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value !== null && value !== "") query.set(name, value);
  const text = query.toString();
  return text === "" ? `#/${path}` : `#/${path}?${text}`;
}

export function navigate(path: string, params: Readonly<Record<string, string | null>> = {}): void {
  location.hash = routeHash(path, params);
}

/** Changes filters of the page that is shown without a step in the history. */
export function replaceParams(changes: Readonly<Record<string, string | null>>): void {
  const { path, params } = parseRoute(location.hash);
  history.replaceState(null, "", routeHash(path, { ...Object.fromEntries(params), ...changes }));
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return useMemo(() => parseRoute(hash), [hash]);
}
