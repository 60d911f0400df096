import { useEffect, useSyncExternalStore } from "react";
import type { ComponentType } from "react";
import { loadPageWords } from "./i18n.tsx";

/** `failed`: it did not load. `outdated`: it never will, because another version of Postern runs by now. */
export type PartState<Props> =
  | { readonly status: "waiting" }
  | { readonly status: "here"; readonly component: ComponentType<Props> }
  | { readonly status: "failed" | "outdated" };

export interface Loadable {
  /** Fetches it unless it is here or on its way; after a failure again. Never rejects: its state tells. */
  load(): Promise<void>;
}

/** A part of the pages in a file of its own, which is fetched when it is wanted. */
export interface Part<Props> extends Loadable {
  state(): PartState<Props>;
  subscribe(listener: () => void): () => void;
}

export interface PartOptions {
  readonly isOutdated?: () => Promise<boolean>;
  /** `false` for what the first page shows: its words are there from the start. */
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

/** How a part stands; it is fetched as soon as someone looks. */
export function usePart<Props>(part: Part<Props>): PartState<Props> {
  useEffect(() => void part.load(), [part]);
  return useSyncExternalStore(part.subscribe, part.state);
}

/** Fetches parts one after the other while the browser has nothing better to do. Ends early when the signal aborts. */
export async function loadWhenIdle(parts: readonly Loadable[], signal: AbortSignal): Promise<void> {
  for (const part of parts) {
    await new Promise((resolve) => requestIdleCallback(resolve));
    if (signal.aborted) return;
    await part.load();
  }
}

/**
 * Whether the gateway has other pages by now than those that are shown: Postern was updated while they were open.
 * `false` when it cannot be asked.
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
