import { useEffect, useSyncExternalStore } from "react";
import type { ComponentType } from "react";
import { loadPageWords } from "./i18n.tsx";

/** `failed`: it did not load. `outdated`: it never will, because another version of Postern runs by now. */
export type PartState<Props> =
  | { readonly status: "waiting" }
  | { readonly status: "here"; readonly component: ComponentType<Props> }
  | { readonly status: "failed" | "outdated" };

export interface Loadable {
  /** Loads it unless loaded or loading; retries after a failure. Never rejects: see its state. */
  load(): Promise<void>;
}

/** A part of the pages in a file of its own, which is fetched when it is wanted. */
export interface Part<Props> extends Loadable {
  state(): PartState<Props>;
  subscribe(listener: () => void): () => void;
}

export interface PartOptions {
  readonly isOutdated?: () => Promise<boolean>;
  /** `false` for parts of the first page, whose texts are available from the start. */
  readonly hasPageWords?: boolean;
}

export function createPart<Props>(
  fetchPart: () => Promise<ComponentType<Props>>,
  { isOutdated = pagesAreOutdated, hasPageWords = true }: PartOptions = {},
): Part<Props> {
  const listeners = new Set<() => void>();
  let state: PartState<Props> = { status: "waiting" };
  let loading: Promise<void> | undefined;

  const become = (next: PartState<Props>): void => {
    state = next;
    for (const listener of listeners) listener();
  };
  const load = async (): Promise<void> => {
    if (state.status !== "waiting") become({ status: "waiting" });
    try {
      const [component] = await Promise.all([fetchPart(), hasPageWords ? loadPageWords() : null]);
      become({ status: "here", component });
    } catch {
      become({ status: (await isOutdated()) ? "outdated" : "failed" });
      loading = undefined;
    }
  };
  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    load: () => (loading ??= load()),
  };
}

/** Returns the state of a part, and loads it on first use. */
export function usePart<Props>(part: Part<Props>): PartState<Props> {
  useEffect(() => void part.load(), [part]);
  return useSyncExternalStore(part.subscribe, part.state);
}

/** Loads parts sequentially while the browser is idle. Stops when the signal aborts. */
export async function loadWhenIdle(parts: readonly Loadable[], signal: AbortSignal): Promise<void> {
  for (const part of parts) {
    await new Promise((resolve) => requestIdleCallback(resolve));
    if (signal.aborted) return;
    await part.load();
  }
}

/**
 * Tells whether the gateway has newer pages than the open ones, because Postern was updated. `false` if it is
 * unreachable.
 */
async function pagesAreOutdated(): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>("script[type=module][src]")?.getAttribute("src");
  if (script === null || script === undefined) return false;
  try {
    const response = await fetch(location.pathname, { cache: "no-store" });
    return response.ok && !(await response.text()).includes(script);
  } catch {
    return false;
  }
}
