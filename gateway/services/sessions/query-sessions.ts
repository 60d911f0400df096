import type { ListSessions, SessionPage, SessionView } from "../../contract/sessions.ts";
import type { SessionPlace } from "../../core/sessions/session-sums.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Store } from "../../store/store.ts";

const PAGE = 50;

/** The sessions of apps as the owner reads them: sums over the receipts that name them. */
export class QuerySessions {
  readonly #store: Pick<Store, "usage">;
  readonly #clock: Clock;

  constructor(store: Pick<Store, "usage">, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** @throws GatewayError invalid_value for what is no cursor */
  async list({ limit = PAGE, before, ...filter }: ListSessions): Promise<SessionPage> {
    const { sums, complete, reading } = await this.#store.usage.sessions(this.#clock);
    const all = sums.places((session) => isWanted(session, filter));
    const rest = before === undefined ? all : all.filter(isBehind(before));
    const page = rest.slice(0, limit);
    const last = page.at(-1);
    const cursor = last === undefined || page.length === rest.length ? null : `${last.ended_at}.${last.id}`;
    const data = page.flatMap(({ id }) => sums.get(id) ?? []);
    return { data, cursor, total: all.length, complete: reading || (complete && !sums.forgot), reading };
  }

  /** @throws GatewayError not_found */
  async get(id: string): Promise<SessionView> {
    const { sums } = await this.#store.usage.sessions(this.#clock);
    const session = sums.get(id);
    if (session === null) {
      throw new GatewayError("not_found", "There is no such session among those that Postern has looked at so far.", {
        param: "id",
      });
    }
    return session;
  }
}

function isWanted(
  session: Readonly<SessionView>,
  { project, client, q }: Omit<ListSessions, "limit" | "before">,
): boolean {
  const { clients, models } = session;
  return (
    (project === undefined || session.project === project) &&
    (client === undefined || clients.includes(client)) &&
    (q === undefined || has([session.id, session.project ?? "", ...clients, ...models], q.toLowerCase()))
  );
}

const has = (texts: readonly string[], low: string): boolean => texts.some((text) => text.toLowerCase().includes(low));

/** What comes after a cursor; a session with a new request has moved before it, and is not repeated. */
function isBehind(cursor: string): (session: SessionPlace) => boolean {
  const [, moment, id] = /^(-?\d{1,16})\.(.+)$/.exec(cursor) ?? [];
  if (moment === undefined || id === undefined) {
    throw new GatewayError("invalid_value", "before must be the cursor of an earlier page.", { param: "before" });
  }
  const at = Number(moment);
  return (session) => session.ended_at < at || (session.ended_at === at && session.id < id);
}
