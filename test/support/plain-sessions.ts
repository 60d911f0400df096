import { getAppName } from "../../gateway/contract/apps.ts";
import { hasDuration, hasFailed } from "../../gateway/contract/ending.ts";
import type { Receipt } from "../../gateway/contract/receipt.ts";
import { getFigures } from "../../gateway/contract/request-figures.ts";
import type { SessionView } from "../../gateway/contract/sessions.ts";
import { addNano } from "../../gateway/lib/money.ts";

/** What each session adds up to, the newest first. */
export function sessionsOf(receipts: readonly Receipt[]): SessionView[] {
  const sessions = Map.groupBy(
    receipts.filter(({ session }) => session !== undefined),
    ({ session = "" }) => session,
  );
  const views = Array.from(sessions, ([id, all]) => viewOf(id, all));
  return views.toSorted((a, b) => b.ended_at - a.ended_at || Buffer.compare(Buffer.from(b.id), Buffer.from(a.id)));
}

function viewOf(id: string, all: readonly Receipt[]): SessionView {
  const figures = all.map(getFigures);
  const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
  const cached = (receipt: Receipt): number =>
    sum(receipt.terms.filter(({ unit }) => unit.startsWith("cached_")).map(({ quantity }) => quantity));
  const timed = all.filter(hasDuration).map(({ ms }) => ms);
  return {
    id,
    project: newest(all, ({ project }) => project)[0] ?? null,
    clients: newest(all, ({ client }) => getAppName(client)).slice(0, 8),
    models: newest(all, ({ provider, model }) => (provider === "" ? "" : model)).slice(0, 8),
    agents: Math.min(
      100,
      new Set(all.map(({ agent }) => agent ?? "")).size - (all.some(({ agent }) => !agent) ? 1 : 0),
    ),
    started_at: Math.min(...all.map(({ at, ms }) => Math.floor(at - ms))),
    ended_at: Math.max(...all.map(({ at }) => at)),
    requests: all.length,
    failed: all.filter(hasFailed).length,
    cost_nano: all.filter(({ sandbox }) => !sandbox).reduce((total, { nano }) => addNano(total, nano ?? 0), 0),
    unpriced: all.filter(({ sandbox, nano }) => !sandbox && nano === null).length,
    sandbox: all.filter(({ sandbox }) => sandbox).length,
    input_tokens: sum(figures.map(({ tokens, output_tokens: output }) => tokens - output)),
    cached_input_tokens: sum(all.map(cached)),
    output_tokens: sum(figures.map(({ output_tokens: output }) => output)),
    slowest_ms: timed.length === 0 ? null : Math.max(...timed),
  };
}

/** Names by when they were last used, the newest first, then by the alphabet. */
function newest(all: readonly Receipt[], name: (receipt: Receipt) => string | undefined): string[] {
  const last = new Map<string, number>();
  for (const receipt of all) {
    const one = name(receipt) ?? "";
    if (one !== "") last.set(one, Math.max(last.get(one) ?? -Infinity, receipt.at));
  }
  const bytes = (text: string): Buffer => Buffer.from(text);
  return [...last]
    .toSorted(([a, atA], [b, atB]) => atB - atA || Buffer.compare(bytes(a), bytes(b)))
    .map(([one]) => one);
}
