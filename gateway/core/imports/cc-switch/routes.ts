import { LONGEST_CHAIN } from "../chains.ts";
import type { SetupBuilder } from "../setup-builder.ts";
import type { Reached } from "./connections.ts";

/**
 * Adds routes: cc-switch connects an app to one provider, and its proxy fails over along a queue. Apps that are
 * connected to Postern instead request the same models, so each model gets a route.
 * @param failsOver the apps whose queue is enabled
 */
export function addRoutes(draft: SetupBuilder, all: readonly Reached[], failsOver: ReadonlySet<string>): void {
  for (const app of ["claude", "claude-desktop", "codex", "gemini", "grokbuild"]) {
    const chain = readChain(all, app, failsOver.has(app));
    if (chain.length === 0) continue;
    if (app === "claude") addClaude(draft, chain);
    else if (app === "claude-desktop") addDesktop(draft, chain);
    else addNamed(draft, chain);
  }
}

/** Returns the provider in use, and those that follow it on failover. */
function readChain(all: readonly Reached[], app: string, failsOver: boolean): readonly Reached[] {
  const own = all.filter(({ row }) => row.app === app);
  const current = own.filter(({ row }) => row.isCurrent).slice(0, 1);
  const queue = own.filter(({ row }) => row.inQueue).toSorted((a, b) => a.row.order - b.row.order);
  if (!failsOver) return current;
  for (const { row } of queue.slice(LONGEST_CHAIN))
    for (const name of ["in_failover_queue", "inFailoverQueue"]) row.fields.left([name], "not-supported");
  // cc-switch with its proxy enabled follows the order of the queue.
  return queue.length === 0 ? current : queue;
}

type Use = "main" | "opus" | "sonnet" | "haiku" | "fable";

/** Returns the class of a Claude model: `opus` for `claude-opus-5-5`. */
const readClass = (model: string): string | null => /^claude-([a-z]+)-\d/.exec(model)?.[1] ?? null;

/** Adds Claude Code's routes: it asks for the newest model of each class, and for opus by default. */
function addClaude(draft: SetupBuilder, chain: readonly Reached[]): void {
  const seen = new Set<string>();
  for (const id of draft.known.claudeModels) {
    const use = readClass(id);
    if (use === null || seen.has(use)) continue;
    seen.add(use);
    const uses: readonly Use[] = USES[use] ?? ["main"];
    const models = chain.map(({ access, seller }) => {
      const requested = uses.flatMap((name) => access.requested.get(name) ?? [])[0];
      return draft.nameModel(seller, requested?.text ?? id);
    });
    // The provider's own model by its own name needs no route.
    const name = models.length === 1 && models[0] === id ? null : draft.route(id, { models });
    if (name === null) continue;
    for (const reached of chain) markRequested(reached, uses, name);
  }
}

/** Variables that set Claude Code's model per class, highest precedence first. */
const USES: Readonly<Record<string, readonly Use[]>> = {
  opus: ["main", "opus"],
  sonnet: ["sonnet", "main"],
  haiku: ["haiku", "main"],
  fable: ["fable", "opus", "main"],
};

function markRequested({ row, access }: Reached, uses: readonly Use[], route: string): void {
  const used = uses.find((use) => access.requested.has(use));
  const written = used === undefined ? undefined : access.requested.get(used);
  if (written === undefined) return;
  for (const config of ["settings_config", "settingsConfig"])
    row.fields.below([config]).recordTaken(written.path, `route "${route}"`);
}

/** Claude's desktop app requests names that cc-switch maps (`meta.claudeDesktopModelRoutes`). */
function addDesktop(draft: SetupBuilder, [current]: readonly Reached[]): void {
  if (current === undefined) return;
  const routes = current.row.meta["claudeDesktopModelRoutes"];
  if (typeof routes !== "object" || routes === null) return;
  for (const [name, value] of Object.entries(routes)) {
    const model: unknown = (value as { readonly model?: unknown } | null)?.model;
    if (typeof model !== "string" || model === "") continue;
    const route = draft.route(name, { models: [draft.nameModel(current.seller, model)] });
    const path = ["meta", "claudeDesktopModelRoutes", name];
    if (route === null) current.row.fields.left(path, "renamed");
    else current.row.fields.recordTaken(path, `route "${route}"`);
  }
}

/** Codex, Gemini CLI and Grok ask for the model of the provider that is in use, by its own name. */
function addNamed(draft: SetupBuilder, chain: readonly Reached[]): void {
  const first = chain.find(({ access }) => access.requested.has("main"));
  const requested = first?.access.requested.get("main");
  if (first === undefined || requested === undefined) return;
  const models = chain.map(({ access, seller }) =>
    draft.nameModel(seller, access.requested.get("main")?.text ?? requested.text),
  );
  if (models.length === 1 && models[0] === requested.text) return;
  const name = draft.route(requested.text, { models });
  if (name !== null) for (const reached of chain) markRequested(reached, ["main"], name);
}
