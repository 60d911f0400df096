import type { LucideIcon } from "lucide-react";
import { matchScore } from "./palette-match.ts";

export interface Command {
  /** Unique among all commands, and the same after a reload: recents are remembered by it. */
  readonly value: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly hint?: string;
  /** More that it answers to. */
  readonly also?: string;
  run(): void;
}

export interface CommandGroup {
  readonly value: string;
  readonly items: readonly Command[];
  /** Shown before anything is typed, and not only when searched for. */
  readonly upFront?: true;
}

/** Max results per group: an endless list is no response. */
const MOST_FOUND = 8;
const MOST_RECENT = 5;

/** Builds the groups of the empty query: recent commands first, then the pinned groups, without duplicates. */
export function createGroupsAtFirst(
  groups: readonly CommandGroup[],
  recent: readonly string[],
  title: string,
): readonly CommandGroup[] {
  const all = groups.flatMap(({ items }) => items);
  const used = recent.flatMap((value) => all.find((command) => command.value === value) ?? []).slice(0, MOST_RECENT);
  const rest = groups
    .filter(({ upFront }) => upFront === true)
    .map((group) => ({ ...group, items: group.items.filter((command) => !used.includes(command)) }));
  return [{ value: title, items: used }, ...rest].filter(({ items }) => items.length > 0);
}

/** Score bonus of recently used entries, which puts them first among equal matches. */
const USED = 0.25;

/**
 * Returns the entries that match the query, the best of each group first, and the group with the best first; groups that
 * match equally well keep the given order.
 */
export function createGroupsFound(
  groups: readonly CommandGroup[],
  query: string,
  recent: readonly string[] = [],
): readonly CommandGroup[] {
  const found = groups.flatMap((group) => {
    const scored = group.items
      .flatMap((command) => {
        const score = getBest(command, query);
        return score === null ? [] : [{ command, score: score + (recent.includes(command.value) ? USED : 0) }];
      })
      .toSorted((a, b) => b.score - a.score)
      .slice(0, MOST_FOUND);
    const best = scored[0];
    return best === undefined
      ? []
      : [{ best: best.score, group: { value: group.value, items: scored.map(({ command }) => command) } }];
  });
  // Lengths of names do not order groups.
  return found.toSorted((a, b) => Math.round(b.best * 4) - Math.round(a.best * 4)).map(({ group }) => group);
}

function getBest({ label, also }: Command, query: string): number | null {
  const named = matchScore(label, query);
  if (named !== null || also === undefined) return named;
  const other = matchScore(`${label} ${also}`, query);
  return other === null ? null : other - 0.5;
}
