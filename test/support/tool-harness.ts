import { randomBytes } from "node:crypto";
import { Server } from "node:http";
import { rm } from "node:fs/promises";
import type { Receipt } from "../../gateway/contract/receipt.ts";
import { allModels } from "../../gateway/catalog/lookup.ts";
import { GatewayError } from "../../gateway/core/errors.ts";
import { validate } from "../../gateway/core/validation.ts";
import { OpenResponses } from "../../gateway/http/open-responses.ts";
import { systemClock } from "../../gateway/lib/clock.ts";
import { newId } from "../../gateway/lib/ids.ts";
import { later } from "../../gateway/lib/later.ts";
import { KnownSecrets } from "../../gateway/lib/known-secrets.ts";
import { silentLog } from "../../gateway/lib/log.ts";
import { LocalRecipient } from "../../gateway/services/calls/local-recipient.ts";
import { Progress, type Step } from "../../gateway/mcp/tool/progress.ts";
import type { ToolDeps } from "../../gateway/mcp/tool/tool-deps.ts";
import type { Tool, ToolResponse } from "../../gateway/mcp/tool/tool.ts";
import { startSandbox } from "../../gateway/sandbox/server.ts";
import type { CallInput, Quote } from "../../gateway/services/calls/paid-call.ts";
import { makeServices, type Services } from "../../gateway/services/deps.ts";
import { readEnvironment } from "../../gateway/services/connections/environment.ts";
import type { RingKey } from "../../gateway/services/keys/key-ring.ts";
import { openFolder } from "../../gateway/start.ts";
import { stopGateway } from "../../gateway/stop.ts";
import { fileSealer } from "../../gateway/store/data-key.ts";
import { nodeMediaDisk } from "../../gateway/store/media/media-disk.ts";
import type { Store } from "../../gateway/store/store.ts";
import { KEY, hurried, temporaryFolder, type TestOptions } from "./running-gateway.ts";

export interface ToolCallOptions {
  /** The caller wants progress. */
  readonly progress?: boolean;
  /** Hears each step as it is ordered. Asks for progress too. */
  readonly onStep?: (step: Step) => void;
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** Only the price is asked for. */
  readonly quote?: boolean;
  /** Whose call it is: a key's secret. The unlimited test key unless given. */
  readonly key?: string;
}

/** What became of a call. Exactly one of `answer`, `error` and `quoted` is there. */
export interface ToolOutcome {
  readonly response: ToolResponse | null;
  readonly error: GatewayError | null;
  readonly quoted: Quote | null;
  readonly requestId: string;
  readonly steps: readonly Step[];
  readonly receipt: Receipt | null;
  /** Ids of what it made in the library, once saved; null for what could not be saved. */
  readonly kept: readonly (string | null)[];
}

/**
 * The services behind the tools in a folder of their own, without HTTP in front, and tools called on them as the tool
 * server calls them.
 */
export class ToolStage {
  /** What tools are made of. */
  readonly deps: ToolDeps;
  /** All of them, to look at what a call did. */
  readonly services: Services;
  readonly store: Store;
  readonly #close: () => Promise<void>;

  constructor(deps: ToolDeps, services: Services, store: Store, close: () => Promise<void>) {
    this.deps = deps;
    this.services = services;
    this.store = store;
    this.#close = close;
  }

  /** The unlimited test key, or that of a secret. */
  key(secret = KEY): RingKey {
    return this.services.keyRing.authenticate(secret);
  }

  /**
   * Calls a tool. Arguments are checked by its input schema and go to it as they came: defaults are not filled in.
   * A response that its output schema does not describe exactly, or an error that is not a GatewayError, is thrown.
   */
  async call(tool: Tool, args: Readonly<Record<string, unknown>>, options: ToolCallOptions = {}): Promise<ToolOutcome> {
    const { clock } = this.deps;
    const steps: Step[] = [];
    const saved: Promise<string | null>[] = [];
    let receipt: Receipt | null = null;
    const requestId = newId("req");
    const client = new LocalRecipient(options.signal ?? new AbortController().signal);
    const stored = (): Promise<readonly (string | null)[]> => Promise.all(saved);
    const send = (step: Step): void => {
      steps.push(step);
      options.onStep?.(step);
    };
    const wasRequested = options.progress === true || options.onStep !== undefined;
    let ended: Pick<ToolOutcome, "response" | "error" | "quoted">;
    const input: CallInput = {
      requestId,
      arrivedAt: clock.monotonic(),
      key: this.key(options.key),
      app: "tool-harness",
      note: () => {},
      noteProvider: () => {},
      follower: { onSettled: (settled) => (receipt = settled), onSaved: (id) => void saved.push(id) },
    };
    try {
      const checked = validate(tool.input, args);
      if (options.quote === true) {
        ended = { response: null, error: null, quoted: (await tool.estimate?.({ input }, checked)) ?? null };
      } else {
        const progress = new Progress(clock, wasRequested ? send : null);
        const response = await tool.run({ input, client, progress, receipt: () => receipt, savedIds: stored }, checked);
        ended = { response: described(tool, response), error: null, quoted: null };
      }
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      ended = { response: null, error, quoted: null };
    } finally {
      client.release();
    }
    return { ...ended, requestId, steps, receipt, kept: await stored() };
  }

  /** Calls a tool that must answer. */
  async response(
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
    options: ToolCallOptions = {},
  ): Promise<ToolOutcome & { readonly response: ToolResponse }> {
    const outcome = await this.call(tool, args, options);
    const { response, error } = outcome;
    if (response === null)
      throw new Error(`${tool.name} did not answer: ${error?.code ?? "quoted"} ${error?.message ?? ""}`);
    return { ...outcome, response };
  }

  close(): Promise<void> {
    return this.#close();
  }
}

/** Providers, keys, clock and disk as for a test gateway. The providers' model lists are there when it resolves. */
export async function toolStage(options: Omit<TestOptions, "logged"> = {}): Promise<ToolStage> {
  const dataDir = options.dataDir ?? (await temporaryFolder());
  const clock = options.clock ?? systemClock;
  const { provider } = options;
  const { store, lock } = await openFolder({
    dataDir,
    sealer: fileSealer(),
    clock,
    log: silentLog,
    version: "0.0.0-test",
  });
  const environment = readEnvironment({
    POSTERN_KEYS: JSON.stringify([{ key: KEY, name: "unlimited" }, ...(options.keys ?? [])]),
    POSTERN_SANDBOX: "off",
    ...(provider === undefined
      ? {}
      : { POSTERN_OPENAI_BASE_URL: provider.baseUrl, POSTERN_OPENAI_API_KEY: "sk-provider-key-0001" }),
    ...options.env,
  });
  if (environment.problems.length > 0) throw new Error(environment.problems.join("\n"));
  const outside = {
    clock,
    uptime: () => clock.monotonic(),
    later: options.later ?? later,
    backoff: options.backoff ?? options.later ?? hurried,
    origin: () => "http://127.0.0.1:6174",
  };
  const services = makeServices({
    ...outside,
    dataDir,
    version: "0.0.0-test",
    store,
    log: silentLog,
    environment,
    machine: { platform: "linux", home: null, env: {} },
    instanceId: randomBytes(16).toString("hex"),
    ownPort: () => 6174,
    disk: options.disk ?? nodeMediaDisk,
    localServers: [],
    resolveSystemProxy: null,
    secrets: new KnownSecrets(),
    startSandbox: () => startSandbox({ models: allModels, clock }),
  });
  for (const connection of environment.connections) await services.manageConnections.addFromEnvironment(connection);
  for (const { secret, input } of environment.keys) await services.manageKeys.ensure(input, secret);
  await services.sandboxHost.ensure();
  await services.videoEngine.start();
  await services.discovery.refreshAll();
  services.media.start();
  services.taskRepository.start();
  services.webhooks.start();
  const close = async (): Promise<void> => {
    await stopGateway({
      server: new Server(),
      twin: null,
      answering: new OpenResponses(),
      services,
      backups: { stop: () => Promise.resolve() },
      mcp: { quiet: () => undefined, close: () => Promise.resolve() },
      store,
      lock,
      dataDir,
      log: silentLog,
    });
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  return new ToolStage({ ...services, ...outside }, services, store, close);
}

/** Clients hold a tool to its output schema, in which objects have no other fields than those named. */
function described(tool: Tool, response: ToolResponse): ToolResponse {
  const reported: unknown = JSON.parse(JSON.stringify(response.structured));
  const known: unknown = JSON.parse(JSON.stringify(tool.output.parse(reported)));
  if (JSON.stringify(sorted(reported)) !== JSON.stringify(sorted(known))) {
    throw new Error(`${tool.name} answers what its schema does not describe: ${JSON.stringify(reported)}`);
  }
  return response;
}

/** The same with the names of every object in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}
