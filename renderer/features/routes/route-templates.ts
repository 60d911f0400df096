import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { emptyRoute, createRule, type RouteDraft } from "./route-draft.ts";

export const templates = ["working", "background", "long"] as const;
export type Template = (typeof templates)[number];

type Choice = Pick<
  ModelView,
  "id" | "owner" | "capabilities" | "context_length" | "input_nano_per_million" | "served" | "sandbox" | "connections"
>;

/** Min tokens of a long prompt: below most models' contexts, above a typical agent turn. */
const LONG_PROMPT = "100000";

/**
 * Builds a complete draft from the served models. Fields without a suitable model stay empty.
 * @param local names of connections to local servers
 */
export function draftOfTemplate(template: Template, models: readonly Choice[], local: ReadonlySet<string>): RouteDraft {
  const chats = models.filter(({ served, capabilities }) => served && capabilities.includes("chat"));
  const first = newest(chats, /^claude-opus/) ?? newest(chats, /^claude-sonnet/);
  const second = newest(chats, /^gpt-\d+(\.\d+)?(-\d|$)/) ?? newest(chats, /^gemini-.*pro/);
  const here = chats.find(({ connections }) => connections.some((name) => local.has(name)));
  const chain = listIds(first, second, here);
  const main = first ?? second ?? here;
  switch (template) {
    case "working":
      return { ...emptyRoute, name: "keep-working", models: chain };
    case "background": {
      const cheap =
        newest(chats, /^claude-haiku/) ??
        newest(chats, /^gpt-.*mini/) ??
        cheapest(chats.filter((each) => each !== main));
      const rules = [createRule([], { kinds: ["background", "title"], models: listIds(cheap) })];
      return { ...emptyRoute, name: "cheap-background", models: listIds(main), rules };
    }
    case "long": {
      const long = chats
        .filter(({ context_length: context, id }) => (context ?? 0) > (main?.context_length ?? 0) && id !== main?.id)
        .toSorted((a, b) => (b.context_length ?? 0) - (a.context_length ?? 0))[0];
      const rules = [createRule([], { kinds: null, above: LONG_PROMPT, models: listIds(long) })];
      return { ...emptyRoute, name: "long-prompts", models: listIds(main), rules };
    }
  }
}

const listIds = (...models: readonly (Choice | undefined)[]): string[] => [
  ...new Set(models.flatMap((model) => model?.id ?? [])),
];

/** Returns the newest: versions are numeric, `claude-opus-5-10` is after `claude-opus-5-5`. Days and previews come last. */
function newest(models: readonly Choice[], family: RegExp): Choice | undefined {
  const found = models.filter(({ id }) => family.test(id));
  const plain = found.filter(({ id }) => !/\d{6,}|preview|latest/.test(id));
  return (plain.length > 0 ? plain : found).toSorted((a, b) => b.id.localeCompare(a.id, "en", { numeric: true }))[0];
}

/** Free ones of this machine count as well; those without a price do not. */
function cheapest(models: readonly Choice[]): Choice | undefined {
  return models
    .filter(({ input_nano_per_million: rate }) => rate !== null)
    .toSorted((a, b) => (a.input_nano_per_million ?? 0) - (b.input_nano_per_million ?? 0))[0];
}

/** Families that apps request by default: the newest of each one that they know. */
const FAMILIES: readonly RegExp[] = [
  /^claude-opus/,
  /^claude-sonnet/,
  /^claude-haiku/,
  /^gpt-\d+(\.\d+)?(-\d|$)/,
  /^gpt-.*mini/,
  /^gpt-.*codex/,
  /^gemini-.*pro/,
];

/**
 * Returns served model ids that tools hard-code: a route of that name takes precedence. @param takenNames names of
 * existing routes
 */
export function insistedNames(models: readonly Choice[], takenNames: readonly string[]): readonly string[] {
  const served = models.filter((model) => model.served && model.capabilities.includes("chat"));
  return [...new Set(FAMILIES.flatMap((family) => newest(served, family)?.id ?? []))].filter(
    (id) => !takenNames.includes(id),
  );
}

/** Returns an unused route name: itself, else with a number. */
export function freeName(name: string, takenNames: readonly string[]): string {
  if (!takenNames.includes(name)) return name;
  for (let number = 2; ; number += 1) if (!takenNames.includes(`${name}-${number}`)) return `${name}-${number}`;
}

/** Names of the connections to this machine. */
export const getLocalNames = (
  connections: readonly Pick<ConnectionView, "name" | "origin" | "base_url">[],
): ReadonlySet<string> =>
  new Set(
    connections
      .filter(
        ({ origin, base_url: url }) =>
          origin === "local" || /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])[:/]/.test(url),
      )
      .map(({ name }) => name),
  );
