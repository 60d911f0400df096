import type { ListSessions, SessionPage, SessionView } from "../../contract/sessions.ts";
import { GatewayError } from "../../core/errors.ts";
import type { SessionPlace } from "../../store/ledger/questions.ts";
import type { Store } from "../../store/store.ts";

const PAGE = 50;

/** The sessions of apps as the owner reads them: sums over the receipts that name them. */
export class QuerySessions {
  readonly #store: Pick<Store, "usage">;

  constructor(store: Pick<Store, "usage">) {
    this.#store = store;
  }

  /** @throws GatewayError invalid_value for an invalid cursor */
  async list({ limit = PAGE, before, ...filter }: ListSessions): Promise<SessionPage> {
    const place = before === undefined ? null : readCursor(before);
    const { data, next, total, rebuilding } = await this.#store.usage.sessions({ ...filter, limit, before: place });
    const cursor = next === null ? null : `${next.ended_at}.${next.id}`;
    return { data: [...data], cursor, total, rebuilding };
  }

  /** @throws GatewayError not_found */
  async get(id: string): Promise<SessionView> {
    const session = await this.#store.usage.findSession(id);
    if (session === null) {
      throw new GatewayError("not_found", "There is no such session in the log.", { param: "id" });
    }
    return session;
  }
}

/** A session with a new request has moved before its place, and is not repeated. */
function readCursor(cursor: string): SessionPlace {
  const [, moment, id] = /^(-?\d{1,16})\.(.+)$/.exec(cursor) ?? [];
  if (moment === undefined || id === undefined) {
    throw new GatewayError("invalid_value", "before must be the cursor of an earlier page.", { param: "before" });
  }
  return { ended_at: Number(moment), id };
}
