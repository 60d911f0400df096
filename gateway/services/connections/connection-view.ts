import type { ConnectionView, CredentialHealth } from "../../contract/connection.ts";
import { hideHeaders } from "./own-headers.ts";
import { parseProxy, showProxy } from "../../contract/proxy.ts";
import type { Health } from "../../core/attempts/breaker.ts";
import { usdFromNano } from "../../lib/money.ts";
import { countServed } from "../models/served-model.ts";
import { learnedLately } from "./connection.ts";
import type { Connection } from "./connection.ts";

/**
 * A connection as its owner sees it.
 * @param present whether its program runs. @param wall Unix milliseconds at which the monotonic clock was 0.
 * @param now Unix milliseconds
 */
export function getView(connection: Connection, present: boolean, wall: number, now: number): ConnectionView {
  return {
    id: connection.id,
    provider: connection.provider.id,
    name: connection.name,
    base_url: connection.baseUrl,
    priority: connection.priority,
    enabled: connection.enabled,
    origin: connection.from === "sandbox" ? "local" : connection.from,
    present,
    stands_in: connection.standsIn,
    allow_http: connection.peer?.plainHttp === true,
    own_models: [...connection.ownModels],
    headers: hideHeaders(connection.headerNames),
    body: connection.body ?? {},
    rpm: connection.pace.rpm,
    concurrency: connection.pace.concurrency,
    credit_notice: connection.creditNoticeNano === null ? null : usdFromNano(connection.creditNoticeNano),
    prompt_caching: connection.promptCaching || canCache(connection) ? connection.promptCaching : null,
    proxy: hideProxyLogin(connection.peer?.proxy ?? "default"),
    created_at: connection.createdAt,
    last_success_at: findLastSuccess(connection, wall),
    credentials: connection.credentials.map(({ hint, locked, health, credit }) => {
      const whole = shownHealth(health.whole, wall);
      const models = health.listTroubled().map(([model, each]) => ({ ...shownHealth(each, wall), model }));
      return {
        ...whole,
        hint,
        credit,
        ...(locked && { state: "locked" }),
        models: whole.state === "ready" ? models : [],
      };
    }),
    learned: learnedLately(connection, now)
      .toReversed()
      .map(({ model, lesson, at }) => ({ model, lesson, at })),
    models: {
      count: countServed(connection),
      checked_at: connection.checkedAt,
      error: connection.listError,
    },
  };
}

function hideProxyLogin(choice: string): string {
  const proxy = parseProxy(choice);
  return proxy?.login == null ? choice : showProxy(proxy);
}

/** Tells whether it serves a model whose prompts can be marked for a cache; for other servers their list decides. */
function canCache({ provider, discovered }: Connection): boolean {
  if (provider.messages?.cachesFrom !== undefined) return true;
  return discovered?.some(({ id }) => (provider.chat?.cachesFrom?.(id) ?? null) !== null) === true;
}

function findLastSuccess({ credentials, checkedAt }: Connection, wall: number): number | null {
  const times = credentials.flatMap(({ health: { lastAnswerAt: at } }) => (at === null ? [] : [Math.round(wall + at)]));
  if (checkedAt !== null) times.push(checkedAt);
  return times.length === 0 ? null : Math.max(...times);
}

function shownHealth(
  { state, until, since, reason, unreachable }: Health,
  wall: number,
): Omit<CredentialHealth, "hint" | "models" | "credit"> {
  const ready = state === "ready";
  const failed = ready && reason !== null;
  return {
    state: failed ? "failed" : state,
    until: ready ? null : Math.round(wall + until),
    since: ready && !failed ? null : Math.round(wall + since),
    reason,
    unreachable,
  };
}
