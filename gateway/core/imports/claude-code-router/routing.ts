import type { RouteConditions, RouteRule } from "../../../contract/routes.ts";
import { LONGEST_CHAIN } from "../chains.ts";
import type { SetupBuilder } from "../setup-builder.ts";
import type { SourceFields } from "../fields.ts";
import { readItems, readMembers, readNumber, readText } from "../values.ts";
import type { Config, Target } from "./config.ts";
import { readProfiles } from "./profiles.ts";
import type { Provider } from "./providers.ts";
import { readFallback, readRules } from "./rules.ts";
import type { NamedRule } from "./rules.ts";

/** The router's decisions as chains and rules of routes. Names of models are Postern's. */
export interface Routing {
  /** Chain for requests that match no rule; empty if the router has none. */
  readonly own: readonly string[];
  /** The chain by class of Claude model, if it differs. */
  readonly byClass: ReadonlyMap<string, readonly string[]>;
  readonly rules: readonly RouteRule[];
  /** Rules of version 3, some of which are for single names of models. */
  readonly named: readonly NamedRule[];
}

/**
 * The routing of the configuration that is used. Version 3 has lost that of version 2: without rules of its own, the last
 * `Router` that is left of version 2 is followed.
 */
export function readRouting(
  draft: SetupBuilder,
  used: Config,
  configs: readonly Config[],
  providers: readonly Provider[],
): Routing {
  const target = findTarget(draft, providers);
  const { data, fields } = used;
  const router = readMembers(data["Router"]);
  const fallback = readFallback(router["fallback"], fields.below(["Router", "fallback"]), target) ?? [];
  const named = readRules(router["rules"], fields.below(["Router", "rules"]), target, fallback);
  const profile = readProfiles(data["profile"], fields.below(["profile"]), target);
  const old = configs.find((config) => readText(readMembers(config.data["Router"])["default"]) !== null);
  const isFollowed = old !== undefined && (old === used || readItems(router["rules"]).length === 0);
  for (const config of configs) if (config !== used && !(config === old && isFollowed)) leaveRouting(config);
  const before = isFollowed
    ? readRouter(
        { router: old.data["Router"], fallback: old.data["fallback"] },
        { router: old.fields.below(["Router"]), fallback: old.fields.below(["fallback"]) },
        target,
      )
    : { own: [], byClass: new Map<string, readonly string[]>(), rules: [] };
  const byClass = new Map(before.byClass);
  for (const [group, model] of profile.byClass) byClass.set(group, [model, ...fallback]);
  if (profile.own !== null && isFollowed) old.fields.left(["Router", "default"], "unused");
  if (profile.own !== null) return { ...before, own: [profile.own, ...fallback], byClass, named };
  if (before.own.length > 0) return { ...before, byClass, named };
  return { ...before, own: findPreferred(draft, used, providers, fallback), byClass, named };
}

function leaveRouting({ fields }: Config): void {
  for (const name of ["Router", "fallback"]) fields.left([name], "unused");
}

/** Returns version 3's default: `preferredProvider`, and within that the first of its models. */
function findPreferred(
  draft: SetupBuilder,
  { data, fields }: Config,
  providers: readonly Provider[],
  fallback: readonly string[],
): readonly string[] {
  const preferred = readText(data["preferredProvider"])?.toLowerCase();
  const provider = providers.find(({ names }) => preferred !== undefined && names.includes(preferred));
  const [model] = provider?.models ?? [];
  if (provider === undefined || model === undefined) return [];
  const id = draft.nameModel(provider.seller, model);
  fields.noteChange(["preferredProvider"], `model ${id} of routes for Claude Code`);
  return [id, ...fallback];
}

/** Parses `provider,model`, and version 3's `provider/model`; also a bare model if exactly one provider has it. */
function findTarget(draft: SetupBuilder, providers: readonly Provider[]): Target {
  const at = (provider: Provider, model: string): string => {
    // Version 3 finds models in every case.
    const listed = provider.models.find((known) => known.toLowerCase() === model.toLowerCase());
    return draft.nameModel(provider.seller, listed ?? model);
  };
  return (value) => {
    const text = readText(value);
    if (text === null) return null;
    const [, name = "", model = ""] = /^([^,]+),(.+)$/s.exec(text) ?? /^([^/]+)\/(.+)$/s.exec(text) ?? [];
    const named = providers.find(({ names }) => names.includes(name.trim().toLowerCase()));
    if (named !== undefined) return at(named, model.trim());
    const having = providers.filter(({ models }) => models.includes(text));
    return having.length === 1 && having[0] !== undefined ? at(having[0], text) : null;
  };
}

/** The usual limit of versions 1 and 2, in tokens, above which `longContext` applies. */
const USUAL_THRESHOLD = 60_000;

/**
 * Scenarios in version 2's order (packages/server/src/utils/router.ts; its agent for pictures comes before the router).
 * Order read at 2.0.0: `longContext`, models with haiku in their name, `webSearch`, `think`, `default`.
 */
const SCENARIOS = ["image", "longContext", "background", "webSearch", "think"] as const;

/**
 * `Router` and `fallback` of versions 1 and 2.
 * @param fields of `Router` and `fallback`
 */
function readRouter(
  source: { readonly router: unknown; readonly fallback: unknown },
  fields: { readonly router: SourceFields; readonly fallback: SourceFields },
  target: Target,
): Omit<Routing, "named"> {
  const router = readMembers(source.router);
  const chains = new Map<string, readonly string[]>();
  for (const name of ["default", ...SCENARIOS]) {
    const first = target(router[name]);
    if (first === null) {
      if (readText(router[name]) !== null) fields.router.left([name], "unknown-provider");
      continue;
    }
    chains.set(name, [first, ...readFallbacks(source.fallback, name, fields.fallback, target)]);
  }
  const own = chains.get("default") ?? [];
  if (own.length === 0) {
    for (const name of chains.keys()) fields.router.left([name], "unused");
    return { own, byClass: new Map(), rules: [] };
  }
  fields.router.recordTaken(["default"], `routes for Claude Code → ${own.join(", ")}`);
  const background = chains.get("background");
  const threshold = readNumber(router["longContextThreshold"]) ?? 0;
  const conditions: Readonly<Record<(typeof SCENARIOS)[number], RouteConditions>> = {
    image: { kinds: ["pictures"] },
    longContext: { input_tokens_above: threshold > 0 ? Math.min(Math.round(threshold), 100_000_000) : USUAL_THRESHOLD },
    background: { kinds: ["background"] },
    webSearch: { kinds: ["web_search"] },
    think: { kinds: ["thinking"] },
  };
  const rules = SCENARIOS.flatMap((name): RouteRule[] => {
    const models = chains.get(name);
    if (models === undefined) return [];
    fields.router.recordTaken([name], `rule for ${WORDS[name]} → ${models.join(", ")}`);
    return [{ when: conditions[name], models: [...models], enabled: true }];
  });
  if (router["longContextThreshold"] !== undefined) {
    if (chains.has("longContext") && threshold > 0)
      fields.router.recordTaken(["longContextThreshold"], "condition of a rule");
    else fields.router.left(["longContextThreshold"], chains.has("longContext") ? "unreadable" : "unused");
  }
  return { own, byClass: new Map(background === undefined ? [] : [["haiku", background]]), rules };
}

const WORDS: Readonly<Record<(typeof SCENARIOS)[number], string>> = {
  image: "pictures",
  longContext: "long input",
  background: "background",
  webSearch: "web search",
  think: "thinking",
};

/** `fallback.default`, `fallback.think`, …: fallbacks of version 2 after a failure. */
function readFallbacks(fallback: unknown, name: string, fields: SourceFields, target: Target): readonly string[] {
  return readItems(readMembers(fallback)[name]).flatMap((item, index) => {
    const model = target(item);
    if (model === null) fields.left([name, index], "unknown-provider");
    else if (index > LONGEST_CHAIN - 2) fields.left([name, index], "not-supported");
    else fields.recordTaken([name, index], `fallback to ${model}`);
    return model ?? [];
  });
}
