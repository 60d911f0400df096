import type { Clock } from "../../lib/clock.ts";
import { parseJson } from "../../lib/json.ts";
import type { Later } from "../../lib/later.ts";
import type { Log } from "../../lib/log.ts";
import { redact } from "../../lib/redact.ts";
import { within } from "../../lib/within.ts";
import type { ProviderErrorKind } from "../../core/attempts/provider-error.ts";
import { keepDiscovery } from "./keep-discovery.ts";
import type { DiscoveredModel } from "../../core/models/discovered-model.ts";
import type { ProviderClient } from "../../upstream/provider-client.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import type { ConnectionTest, TestProblem } from "../../contract/connection.ts";
import type { Store } from "../../store/store.ts";
import type { Connection, Credential } from "../connections/connection.ts";
import type { Connections } from "../connections/connections.ts";
import { upstreamRequest } from "../calls/upstream-request.ts";

const TIMEOUTS = { head: 10_000, gap: 10_000 };
const MAX_LIST_BYTES = 16 * 1024 * 1024;
/** Min milliseconds between two list requests caused by unknown models. */
const ASK_AGAIN_MS = 10_000;

export interface DiscoveryDeps {
  readonly connections: Connections;
  readonly providerClient: ProviderClient;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly instanceId: string;
  /** Aborted when Postern stops: later responses have no effect. */
  readonly stopping: AbortSignal;
  /** Resolves when the sandbox serves, if it is enabled. */
  readonly sandboxReady: () => Promise<void>;
}

/** Fetches the model lists of connections, and stores them for starts without a network. */
export class Discovery {
  readonly #deps: DiscoveryDeps;
  /** Running tests by connection, not by its id, so that a replaced key is not waited for. */
  readonly #running = new Map<Connection, { readonly result: Promise<ConnectionTest>; readonly isRepeated: boolean }>();
  #lastRepeatAt = Number.NEGATIVE_INFINITY;
  /** Starts the pending requests; null once they have started. */
  #begin: (() => void) | null = null;

  constructor(deps: DiscoveryDeps) {
    this.#deps = deps;
  }

  /**
   * Makes one free call, the model list, with the first key that works. Never rejects.
   * @param again tests every key, and resets the health of those that work
   */
  async test(connection: Connection, isRepeated = false): Promise<ConnectionTest> {
    const running = this.#running.get(connection);
    if (running !== undefined && (running.isRepeated || !isRepeated)) return running.result;
    const result = this.#ask(connection, isRepeated).finally(() => {
      if (this.#running.get(connection)?.result === result) this.#running.delete(connection);
    });
    this.#running.set(connection, { result, isRepeated });
    return result;
  }

  /** Tests a connection that does not exist yet, without keeping any result. Never rejects. */
  async tryOut(connection: Connection): Promise<ConnectionTest> {
    const started = this.#deps.clock.monotonic();
    let outcome: Outcome = NO_KEY;
    for (const credential of connection.credentials) {
      outcome = await this.#askWith(connection, credential);
      // A key that is typed wrongly is found now, not when it is needed.
      if (!("models" in outcome)) break;
    }
    return createTestResult(connection, outcome, this.#deps.clock.monotonic() - started);
  }

  /** Resolves when no list request is running. */
  async idle(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ result }) => result));
  }

  /** Refreshes every real connection after `ms` (0: immediately), or earlier if a request waits for it. */
  refreshSoon(ms: number, later: Later): void {
    if (ms === 0) return void this.refreshAll();
    const cancel = later(ms, () => this.#begin?.());
    this.#begin = () => {
      this.#begin = null;
      cancel();
      if (!this.#deps.stopping.aborted) void this.refreshAll();
    };
  }

  /** Asks every real connection. */
  async refreshAll(): Promise<void> {
    await Promise.all(this.#deps.connections.real().map((connection) => this.test(connection)));
  }

  /**
   * Waits for lists that load at the start, so that a client need not retry: for the sandbox without a limit, because
   * it is part of Postern; then for connections whose first response is pending, at most `ms`.
   */
  async waitUntilListed(ms: number): Promise<void> {
    this.#begin?.();
    await this.#deps.sandboxReady();
    const firsts = this.#deps.connections.real().filter((connection) => connection.discovered === null);
    await within(Promise.all(firsts.flatMap((connection) => this.#running.get(connection)?.result ?? [])), ms);
  }

  /** Connections whose first model list is still loading, so that it is unknown which models they lack. */
  get awaited(): readonly string[] {
    const firsts = this.#deps.connections.real().filter((connection) => connection.discovered === null);
    return firsts.flatMap((connection) => (this.#running.has(connection) ? [connection.name] : []));
  }

  /** Refreshes the lists before a model counts as unknown. Returns true if any provider was called. */
  async askAgain(): Promise<boolean> {
    const now = this.#deps.clock.monotonic();
    if (now - this.#lastRepeatAt < ASK_AGAIN_MS) return false;
    this.#lastRepeatAt = now;
    if (this.#deps.connections.real().length === 0) return false;
    await this.refreshAll();
    return true;
  }

  async #ask(connection: Connection, isRepeated: boolean): Promise<ConnectionTest> {
    const started = this.#deps.clock.monotonic();
    let outcome: Outcome = NO_KEY;
    for (const credential of connection.credentials) {
      if (credential.locked) continue;
      const keyOutcome = await this.#askWith(connection, credential);
      if (this.#deps.stopping.aborted) break;
      this.#learn(credential, keyOutcome, isRepeated);
      if ("models" in keyOutcome) this.#remember(connection, keyOutcome.models ?? []);
      if (!("models" in outcome)) outcome = keyOutcome;
      if ("models" in outcome && !isRepeated) break;
    }
    if (this.#deps.stopping.aborted) outcome = STOPPING;
    const result = createTestResult(connection, outcome, this.#deps.clock.monotonic() - started);
    if (result.problem === "stopping") return result;
    connection.listError = result.problem === "no_list" ? (result.said ?? result.message) : null;
    this.#deps.connections.notifyChange();
    if (!result.ok) this.#deps.log.warn("discovery.failed", { connection: connection.id, message: result.message });
    return result;
  }

  /** Asks for the list with one key. */
  async #askWith(connection: Connection, { secret }: Credential): Promise<Outcome> {
    const { provider } = connection;
    if (provider.models === null) return { models: null };
    const secrets = secret === null ? [] : [secret];
    try {
      const wire = provider.models.toRequest(secret);
      const request = upstreamRequest(wire, connection, this.#deps.instanceId, TIMEOUTS);
      const exchange = await this.#deps.providerClient.open(request).response;
      const body = parseJson(await exchange.collect(MAX_LIST_BYTES)) ?? null;
      if (exchange.status !== 200) {
        const error = provider.errors.fromResponse(exchange.status, exchange.headers, body);
        return { problem: PROBLEMS[error.kind] ?? "no_list", message: redact(error.message, secrets) };
      }
      const models = provider.models.fromResponse(body);
      return models === null
        ? { problem: "no_list", message: null }
        : { models: models.filter(({ id }) => isReadable(id)) };
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      const problem = error.kind === "refused" ? "unreachable" : "failed";
      return { problem, message: redact(error.message, secrets) };
    }
  }

  /** Updates the key's health from an outcome, as a call would. @param again whether a success clears its earlier health */
  #learn({ health }: Credential, outcome: Outcome, isRepeated: boolean): void {
    const now = this.#deps.clock.monotonic();
    if ("models" in outcome) {
      if (isRepeated) health.forget(outcome.models === null ? null : now);
      else if (outcome.models !== null) health.reportList({ kind: "answered" }, now, false);
      return;
    }
    const { problem } = outcome;
    const reason = outcome.message ?? "";
    if (problem === "refused" || problem === "out_of_credit")
      health.reportList({ kind: problem, reason }, now, isRepeated);
    if (problem === "unreachable" || problem === "failed") {
      const unreachable = problem === "unreachable";
      health.reportList({ kind: "failed", scope: "key", reason, unreachable }, now, isRepeated);
    }
  }

  #remember(connection: Connection, models: NonNullable<Connection["discovered"]>): void {
    const same = JSON.stringify(connection.discovered) === JSON.stringify(models);
    connection.discovered = models;
    connection.checkedAt = this.#deps.clock.now();
    // Lists hardly ever change, and each record stays in the journal for days.
    if (same || connection.from === "sandbox") return;
    this.#deps.store.commitRelaxed(keepDiscovery(connection));
  }
}

/**
 * Tells whether an id is safe to display: control characters can command terminals, and bidi characters make it look
 * like another id.
 */
const isReadable = (id: string): boolean => !/[\p{Cc}\p{Bidi_Control}]/u.test(id);

/** Outcome of a list request. `models`: null if the provider has no list, so that none was requested. */
type Outcome =
  | { readonly models: readonly DiscoveredModel[] | null }
  | { readonly problem: TestProblem; readonly message: string | null };

const NO_KEY: Outcome = { problem: "no_key", message: null };
const STOPPING: Outcome = { problem: "stopping", message: null };

/** Problems by the kind of the provider's error; other kinds mean that it has no list for Postern. */
const PROBLEMS: Readonly<Partial<Record<ProviderErrorKind, TestProblem>>> = {
  auth: "refused",
  no_money: "out_of_credit",
  overload: "failed",
};

const SENTENCES: Readonly<Record<TestProblem, (name: string, origin: string) => string>> = {
  refused: (name) => `${name} refuses this key. Replace it.`,
  out_of_credit: (name) => `The account behind ${name} is out of credit. Top it up with the provider.`,
  unreachable: (name, origin) => `${name} cannot be reached at ${origin}. Check that it runs.`,
  failed: (name) => `${name} failed. Try again in a moment.`,
  no_list: (name) => `${name} responds, but not with a list of models. Check its base URL.`,
  no_key: (name) => `${name} has no key that can be used here. Replace it.`,
  stopping: () => "Postern is stopping.",
};

function createTestResult({ name, origin, provider }: Connection, outcome: Outcome, took: number): ConnectionTest {
  const ms = Math.round(took);
  if ("models" in outcome) {
    const models = outcome.models?.length ?? 0;
    const message =
      outcome.models === null
        ? `${provider.label} has no list of models to ask for, so ${name} was not asked: its first call will tell.`
        : `${name} responds; it lists ${models} models.`;
    return { ok: true, message, problem: null, said: null, ms, models };
  }
  const { problem, message: providerMessage } = outcome;
  const sentence = SENTENCES[problem](name, origin);
  const message = providerMessage === null || providerMessage === "" ? sentence : `${sentence} (${providerMessage})`;
  return { ok: false, message, problem, said: providerMessage, ms, models: 0 };
}
