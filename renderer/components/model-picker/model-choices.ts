import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { listUseful, meetsDemand, type Demand } from "./demands.ts";

/** A row of the picker: the heading of a section, or a model. */
export type PickerRow =
  | { readonly kind: "heading"; readonly key: string; readonly label: string }
  | { readonly kind: "model"; readonly key: string; readonly model: ModelView };

export interface ChoiceFilter {
  /** Typed text. */
  readonly typed: string;
  /** Capability as the gateway names it: `chat`, `image_edit`; undefined for any. */
  readonly capability?: string | undefined;
  /** Offers only models that surely meet these. */
  readonly demands?: ReadonlySet<Demand> | undefined;
  /** Ids that are not offered. */
  readonly except?: readonly string[] | undefined;
  /** Ids that were chosen lately, the last one first. */
  readonly recent: readonly string[];
  /** Heading of those. */
  readonly recentLabel: string;
}

/**
 * The rows to choose from: models that are served and reached by their own id, be it along a route of that name; those
 * chosen lately first, the others by provider. With something typed, the best match comes first, and its section with it.
 */
export function listPickerRows(models: readonly ModelView[], filter: ChoiceFilter): readonly PickerRow[] {
  const { recent, recentLabel, demands = [] } = filter;
  const words = filter.typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const offered = offeredModels(models, filter).filter((model) =>
    [...demands].every((demand) => meetsDemand(model, demand)),
  );
  if (words.length === 0) {
    const lately = recent.flatMap((id) => offered.find((model) => model.id === id) ?? []);
    const others = offered.filter(({ id }) => !recent.includes(id));
    return [...createSection(recentLabel, "recent", lately), ...listSections(others)];
  }
  const scored = offered.flatMap((model) => {
    const score = getScore(model, words);
    return score === null ? [] : [{ model, score }];
  });
  return listSections(scored.toSorted((a, b) => b.score - a.score).map(({ model }) => model));
}

function offeredModels(
  models: readonly ModelView[],
  { capability, except = [] }: Pick<ChoiceFilter, "capability" | "except">,
): readonly ModelView[] {
  return models.filter(
    ({ id, served, hidden_by: hiddenBy, capabilities }) =>
      served &&
      (hiddenBy === null || hiddenBy === id) &&
      !except.includes(id) &&
      (capability === undefined || capabilities.includes(capability)),
  );
}

/** Returns the demands to filter by. */
export const choosableDemands = (
  models: readonly ModelView[],
  filter: Pick<ChoiceFilter, "capability" | "except">,
): readonly Demand[] => listUseful(offeredModels(models, filter));

/** Sections in the order of their first model. */
function listSections(models: readonly ModelView[]): readonly PickerRow[] {
  const groups = Map.groupBy(models, ({ group, owner }) => group || owner);
  return [...groups].flatMap(([label, members]) => createSection(label, `group ${label}`, members));
}

function createSection(label: string, key: string, models: readonly ModelView[]): readonly PickerRow[] {
  if (models.length === 0) return [];
  return [
    { kind: "heading", key, label },
    ...models.map((model) => ({ kind: "model", key: `${key} ${model.id}`, model }) as const),
  ];
}

/** Scores a match; null unless every word matches. Matches in the id rank highest. */
function getScore({ id, name, group, owner, aliases, other_names: others }: ModelView, words: readonly string[]) {
  const known = id.toLowerCase();
  const named = name.toLowerCase();
  const rest = [group, owner, ...aliases, ...others].join("\n").toLowerCase();
  let total = 0;
  for (const word of words) {
    const score =
      computePlaceScore(known, word, 4) ?? computePlaceScore(named, word, 3) ?? (rest.includes(word) ? 1 : null);
    if (score === null) return null;
    total += score;
  }
  // If ids match equally well, the shorter one ranks higher.
  return total - Math.min(id.length, 200) / 1_000;
}

function computePlaceScore(text: string, word: string, most: number): number | null {
  const at = text.indexOf(word);
  if (at === -1) return null;
  return at === 0 ? most : most - 0.5;
}

/** Pixels. */
export const HEADING_PX = 28;
export const MODEL_PX = 44;

/** Returns the offset of each row, and the end of the last. */
export function rowTops(rows: readonly PickerRow[]): readonly number[] {
  const tops = [0];
  for (const { kind } of rows) tops.push((tops.at(-1) ?? 0) + (kind === "heading" ? HEADING_PX : MODEL_PX));
  return tops;
}

/** The rows that are drawn while these pixels are in sight: from the first of the two to before the second. */
export function createRowsInSight(
  tops: readonly number[],
  from: number,
  to: number,
): readonly [first: number, last: number] {
  const count = tops.length - 1;
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((tops[middle + 1] ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  let last = low;
  while (last < count && (tops[last] ?? 0) < to) last += 1;
  return [low, last];
}
