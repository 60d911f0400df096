import type { ModelView } from "../../../gateway/contract/model-view.ts";

/** The heading of a group: a row of the table like the models below it. */
export interface GroupRow {
  readonly group: string;
  /** The id of who answers, of compatible servers `openai-compatible`; of the sandbox whose models they are. */
  readonly provider: string;
  /** Key under which the group's collapsed state is stored. */
  readonly key: string;
  readonly count: number;
  readonly open: boolean;
  readonly sandbox: boolean;
  /** Whether its models are not served now. */
  readonly away: boolean;
}

export type ModelRow = ModelView | GroupRow;

export const isGroup = (row: ModelRow): row is GroupRow => "count" in row;

export const formatRowKey = (row: ModelRow): string => (isGroup(row) ? `group ${row.key}` : row.id);

/**
 * Returns the rows of the table: each group's heading, then its models if it is open. Groups are sorted by name: first
 * real ones, then those served by the sandbox, then unserved ones.
 */
export function groupedRows(models: readonly ModelView[], closed: ReadonlySet<string>): readonly ModelRow[] {
  const groups = new Map<string, ModelView[]>();
  for (const model of models) {
    const key = getKey(model);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [model]);
    else known.push(model);
  }
  return [...groups]
    .map(([key, members]) => ({ heading: getHeading(key, members, !closed.has(key)), members }))
    .toSorted((a, b) => byPlace(a.heading, b.heading))
    .flatMap(({ heading, members }): readonly ModelRow[] => (heading.open ? [heading, ...members] : [heading]));
}

function getKey({ group, sandbox, served }: ModelView): string {
  if (!served) return "away";
  return `${sandbox ? "sandbox" : "real"} ${group}`;
}

function getHeading(key: string, members: readonly ModelView[], open: boolean): GroupRow {
  const [first] = members;
  return {
    group: first?.group ?? "",
    provider: (first?.sandbox === true ? first.owner : first?.provider) ?? "",
    key,
    count: members.length,
    open,
    sandbox: first?.sandbox ?? false,
    away: first?.served === false,
  };
}

const getPlace = ({ away, sandbox }: GroupRow): number => (away ? 2 : sandbox ? 1 : 0);

function byPlace(a: GroupRow, b: GroupRow): number {
  return getPlace(a) - getPlace(b) || a.group.localeCompare(b.group, "en", { sensitivity: "base" });
}

/** How many of these models are served by a provider, by the sandbox, and by no one now. */
export function countModels(models: readonly ModelView[]): Record<"real" | "sandbox" | "away", number> {
  const counts = { real: 0, sandbox: 0, away: 0 };
  for (const { served, sandbox } of models) counts[served ? (sandbox ? "sandbox" : "real") : "away"] += 1;
  return counts;
}

/** The closed groups as they are remembered, and back. */
export function closedGroups(stored: string | null): ReadonlySet<string> {
  try {
    const keys: unknown = JSON.parse(stored ?? "[]");
    return new Set(Array.isArray(keys) ? keys.map(String) : []);
  } catch {
    return new Set();
  }
}

export function storedGroups(closed: ReadonlySet<string>): string | null {
  return closed.size === 0 ? null : JSON.stringify([...closed]);
}
