import { formatBalance } from "../../contract/credit.ts";
import { isBelow } from "../../core/money/credit.ts";
import type { Credit } from "../../core/money/credit.ts";
import type { Clock } from "../../lib/clock.ts";
import { parseJson } from "../../lib/json.ts";
import type { Later } from "../../lib/later.ts";
import { redact } from "../../lib/redact.ts";
import type { CreditAdapter } from "../../providers/credit.ts";
import { buildBearerHeaders } from "../../providers/wire-request.ts";
import type { Store } from "../../store/store.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import type { ProviderClient } from "../../upstream/provider-client.ts";
import { upstreamRequest } from "../calls/upstream-request.ts";
import type { Events } from "../events.ts";
import { keepDiscovery } from "../models/keep-discovery.ts";
import type { Notices } from "../notices.ts";
import { Scheduler } from "../scheduler.ts";
import type { Connection, Credential } from "./connection.ts";
import type { Connections } from "./connections.ts";

const TIMEOUTS = { head: 10_000, gap: 10_000 };
const MAX_BYTES = 64 * 1024;
/** Milliseconds between two readings of a connection that is used. */
const EVERY_MS = 5 * 60_000;
/** Milliseconds until a refusal for missing credit causes the next reading. */
const AFTER_REFUSAL_MS = 60_000;
/** Milliseconds for which a reading without credit has other accounts asked first: two more readings are due by then. */
const COUNTS_MS = 3 * EVERY_MS;
/** Min milliseconds between two stored readings of a connection: its list of models is stored with them. */
const STORE_MS = 6 * 60 * 60_000;

export interface CreditReaderDeps {
  readonly connections: Connections;
  readonly providerClient: ProviderClient;
  readonly store: Store;
  readonly clock: Clock;
  readonly later: Later;
  readonly events: Events;
  readonly notices: Notices;
  readonly instanceId: string;
  /** Aborted when Postern stops: later responses have no effect. */
  readonly stopping: AbortSignal;
}

/**
 * Reads what is left at providers that report it: at the start, every few minutes while a connection is used, after a
 * refusal for missing credit, and with each test by the user. No call waits for it, and a failed reading changes nothing
 * but what is shown.
 */
export class CreditReader {
  readonly #deps: CreditReaderDeps;
  readonly #scheduler: Scheduler<"all" | "refused">;
  readonly #running = new Map<Connection, Promise<void>>();
  /** When a connection was read last, monotonic ms; a changed one, which may have another key, is a new one. */
  readonly #triedAt = new WeakMap<Connection, number>();
  /** When a connection's readings were stored last, monotonic ms. */
  readonly #storedAt = new WeakMap<Connection, number>();
  /** Open notices by connection and key. */
  readonly #notices = new Map<string, string>();

  constructor(deps: CreditReaderDeps) {
    this.#deps = deps;
    this.#scheduler = new Scheduler({ clock: deps.clock, later: deps.later, onDue: (key) => this.#onDue(key) });
  }

  /** Follows the connections: the first reading comes after the first list of models, which no call waits for. */
  start(): void {
    this.#deps.events.on("connections.changed", () => this.#look());
    this.#scheduler.set("all", this.#deps.clock.now() + EVERY_MS);
  }

  /** After the machine slept. */
  check(): void {
    this.#scheduler.check();
  }

  /** Resolves when no reading is running. */
  async stop(): Promise<void> {
    this.#scheduler.stop();
    await Promise.all(this.#running.values());
  }

  /** Reads the credit of each key of a connection, if its provider reports it. Never rejects. */
  read(connection: Connection): Promise<void> {
    const adapter = findAdapter(connection);
    if (adapter === undefined) return Promise.resolve();
    const running = this.#running.get(connection);
    if (running !== undefined) return running;
    this.#triedAt.set(connection, this.#deps.clock.monotonic());
    const reading = this.#readKeys(connection, adapter).finally(() => this.#running.delete(connection));
    this.#running.set(connection, reading);
    return reading;
  }

  #onDue(key: "all" | "refused"): void {
    this.#look();
    if (key === "all") this.#scheduler.set("all", this.#deps.clock.now() + EVERY_MS);
  }

  #look(): void {
    if (this.#deps.stopping.aborted) return;
    this.#updateNotices();
    const now = this.#deps.clock.monotonic();
    for (const connection of this.#deps.connections.real()) {
      const dueAt = this.#findDue(connection);
      if (dueAt <= now) void this.read(connection);
      else if (dueAt < now + AFTER_REFUSAL_MS && !this.#scheduler.has("refused"))
        this.#scheduler.set("refused", this.#deps.clock.now() + dueAt - now);
    }
  }

  /** Returns when a connection's next reading is due, in monotonic milliseconds; Infinity if it is not to be read yet. */
  #findDue(connection: Connection): number {
    // Until its list is there it is not known whether its key works.
    if (findAdapter(connection) === undefined || connection.checkedAt === null) return Infinity;
    const triedAt = this.#triedAt.get(connection);
    if (triedAt === undefined) return 0;
    const { credentials } = connection;
    const isRefused = credentials.some(
      ({ health: { whole } }) => whole.state === "out_of_credit" && whole.requestedAt > triedAt,
    );
    if (isRefused) return triedAt + AFTER_REFUSAL_MS;
    const isUsed = credentials.some(
      ({ credit, health }) => credit?.used_up === true || credit?.error != null || (health.lastAnswerAt ?? 0) > triedAt,
    );
    return isUsed ? triedAt + EVERY_MS : Infinity;
  }

  async #readKeys(connection: Connection, adapter: CreditAdapter): Promise<void> {
    const { clock, stopping, store, events } = this.#deps;
    const before = JSON.stringify(keepDiscovery(connection));
    for (const credential of connection.credentials) {
      if (credential.secret === null || credential.locked) continue;
      const read = await this.#readKey(connection, credential, adapter);
      if (stopping.aborted) return;
      if (read === null) continue;
      if ("problem" in read) {
        credential.credit = { ...(credential.credit ?? NEVER_READ), error: read.problem };
        continue;
      }
      const { balances, isUsedUp } = read;
      credential.credit = { balances, used_up: isUsedUp, read_at: clock.now(), error: null };
      credential.health.noteCredit(isUsedUp, clock.monotonic() + COUNTS_MS);
    }
    // A connection that was replaced meanwhile is read by itself.
    if (this.#deps.connections.get(connection.id) !== connection) return;
    const now = clock.monotonic();
    if (
      now - (this.#storedAt.get(connection) ?? -Infinity) >= STORE_MS &&
      JSON.stringify(keepDiscovery(connection)) !== before
    ) {
      this.#storedAt.set(connection, now);
      store.commitRelaxed(keepDiscovery(connection));
    }
    events.emit({ type: "connections.changed" });
  }

  /** @returns null if the server has no such address, as a relay of the provider's */
  async #readKey(
    connection: Connection,
    { secret }: Credential,
    { path, fromResponse }: CreditAdapter,
  ): Promise<Credit | { readonly problem: string } | null> {
    const { providerClient, instanceId } = this.#deps;
    const secrets = secret === null ? [] : [secret];
    try {
      const wire = { method: "GET", path, headers: buildBearerHeaders(secret), body: null } as const;
      const request = upstreamRequest(wire, { ...connection, basePath: "" }, instanceId, TIMEOUTS);
      const exchange = await providerClient.open(request).response;
      const { status, headers } = exchange;
      const body = parseJson(await exchange.collect(MAX_BYTES)) ?? null;
      if (status === 404 || status === 405) return null;
      if (status !== 200) {
        const { message } = connection.provider.errors.fromResponse(status, headers, body);
        return { problem: redact(message, secrets) };
      }
      return fromResponse(body) ?? { problem: "Its response does not say how much is left." };
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      return { problem: redact(error.message, secrets) };
    }
  }

  /** Raises a notice for each key that falls below its threshold, once, and takes it back when it is above again. */
  #updateNotices(): void {
    const { connections, notices } = this.#deps;
    const low = new Map<string, string>();
    for (const { id, name, credentials, creditNoticeNano } of connections.real()) {
      for (const { hint, credit } of credentials) {
        if (creditNoticeNano === null || credit === null || !isBelow(credit.balances, creditNoticeNano)) continue;
        const left = credit.balances.map(formatBalance).join(" and ");
        low.set(`${id} ${hint}`, `${name}${credentials.length > 1 ? ` (${hint})` : ""} has ${left} left.`);
      }
    }
    for (const [key, notice] of this.#notices) {
      if (low.has(key)) continue;
      this.#notices.delete(key);
      notices.takeBack(notice);
    }
    for (const [key, message] of low) {
      if (!this.#notices.has(key)) this.#notices.set(key, notices.offer("warning", message));
    }
  }
}

const NEVER_READ = { balances: [], used_up: false, read_at: null };

function findAdapter({ provider, origin, from }: Connection): CreditAdapter | undefined {
  return from === "sandbox" ? undefined : provider.findCredit?.(new URL(origin).hostname);
}
