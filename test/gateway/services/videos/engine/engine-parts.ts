import { usualTimeLimits } from "../../../../support/bare-connection.ts";
import type { TaskRecord } from "../../../../../gateway/core/tasks/task.ts";
import { Background } from "../../../../../gateway/lib/background.ts";
import { makeConnection } from "../../../../../gateway/services/connections/connection.ts";
import { Connections } from "../../../../../gateway/services/connections/connections.ts";
import type { Later } from "../../../../../gateway/lib/later.ts";
import { VideoEngine, type VideoEngineDeps } from "../../../../../gateway/services/videos/engine/video-engine.ts";
import { markCounted } from "../../../../../gateway/core/tasks/task-changes.ts";
import { providers } from "../../../../../gateway/providers/registry.ts";
import type { VideoState, VideosAdapter } from "../../../../../gateway/providers/videos.ts";
import type { WireRequest } from "../../../../../gateway/providers/wire-request.ts";
import { UpstreamFailure } from "../../../../../gateway/upstream/failure.ts";
import type { UpstreamRequest } from "../../../../../gateway/upstream/provider-client.ts";
import { TASK_AT, taskId, taskReceipt, taskRecord, taskResult } from "../../../../support/tasks.ts";
import { SimulatedTime } from "../../webhooks/simulated-time.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const SECRET = "provider-secret-1";

export interface Response {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response that never comes. */
export const SILENCE = new UpstreamFailure("refused", false, "ECONNREFUSED");

const request = (method: WireRequest["method"], path: string): WireRequest => ({
  method,
  path,
  headers: {},
  body: null,
});

/** A provider whose bodies about tasks are the states themselves. */
const adapter: VideosAdapter = {
  ...(providers.ark.videos as VideosAdapter),
  pace: { first: 3_000, watched: 2_000, usual: 10_000, gap: 100, timeouts: HOUR, memory: 24 * HOUR },
  toStatusRequest: ({ id }) => request("GET", `/tasks/${id}`),
  toState: (_status, body) => (body as VideoState | undefined) ?? null,
  isAnother: (_operation, body) => body === "another",
  toCancelRequest: ({ id }) => request("DELETE", `/tasks/${id}`),
  toContentRequest: ({ id }) => request("GET", `/content/${id}`),
  listing: {
    toRequest: ({ page, from, to }) => request("GET", `/list/${page ?? "1"}?${from}-${to}`),
    fromResponse: (body) => body as never,
  },
  batch: {
    most: 3,
    toRequest: (operations) => request("GET", `/batch/${operations.map(({ id }) => id).join()}`),
    fromResponse: (body) => (body === null ? null : new Map(Object.entries(body as object))),
  },
};

/** What the engine's parts need, in memory and in simulated time. */
export class EngineParts {
  readonly time = new SimulatedTime(TASK_AT);
  readonly tasks = new Map<string, TaskRecord>();
  readonly connections = new Connections();
  readonly stop = new AbortController();
  /** `METHOD /path` of each request to the provider. */
  readonly requests: string[] = [];
  /** Of each request: head and gap, in milliseconds. */
  readonly timeouts: (readonly [number, number])[] = [];
  readonly notices: string[] = [];
  readonly warnings: string[] = [];
  /** Files that are in the library, or are asked for. */
  readonly saved = new Set<string>();
  readonly fetched: string[] = [];
  aborted = 0;
  /** What the disk answers to the next changes. */
  readonly diskFaults: Error[] = [];
  respond: (requested: string) => Response | Error | Promise<Response | Error> = () => SILENCE;
  fetchAs: (id: string, url: string) => Promise<boolean> = async () => true;
  saveAs: (id: string, bytes: Buffer) => Promise<boolean> = async () => true;

  constructor(videos: Partial<VideosAdapter> = {}) {
    this.connect("connection_1", videos);
  }

  connect(id: string, videos: Partial<VideosAdapter> = {}, locked = false): void {
    const provider = { ...providers.ark, videos: { ...adapter, ...videos } };
    const credentials = ["…1234", "…5678"].map((hint) => ({ secret: SECRET, hint, locked }));
    const more = { priority: 0, enabled: true, from: "created" as const, createdAt: TASK_AT, credentials };
    this.connections.put(makeConnection({ id, provider, name: "Mine", baseUrl: "https://provider.example", ...more }));
  }

  /** A task that the provider has taken. */
  add(changes: Partial<TaskRecord> = {}): TaskRecord {
    const number = this.tasks.size + 1;
    const operation = { id: `t-${number}` };
    const task = taskRecord({
      id: taskId(number),
      phase: "submitted",
      operation,
      request_id: `req_${number}`,
      ...changes,
    });
    this.tasks.set(task.id, task);
    return task;
  }

  now({ id }: TaskRecord): TaskRecord {
    return this.tasks.get(id) as TaskRecord;
  }

  /** Lets everything happen that needs no time. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  pass(ms: number): Promise<void> {
    return this.time.pass(ms, () => this.settle());
  }

  /** Timers that have not come yet. */
  timers = 0;
  /** What each change waits for. */
  disk: Promise<void> = Promise.resolve();

  readonly #later: Later = (ms, work) => {
    this.timers += 1;
    const take = (): boolean => {
      const isWaiting = waiting.delete(work);
      if (isWaiting) this.timers -= 1;
      return isWaiting;
    };
    const waiting = new Set([work]);
    const cancel = this.time.later(ms, () => void (take() && work()));
    return () => {
      take();
      cancel();
    };
  };

  readonly deps = {
    clock: this.time,
    later: this.#later,
    connections: this.connections,
    timeLimits: usualTimeLimits,
    instanceId: "test",
    random: () => 0.5,
    notices: { add: (_level: string, text: string) => void this.notices.push(text) },
    log: { warn: (event: string, fields: object) => void this.warnings.push(`${event} ${JSON.stringify(fields)}`) },
    background: new Background(this.stop.signal, (what, error) => void this.warnings.push(`${what} ${String(error)}`)),
    media: {
      has: async (id: string) => this.saved.has(id),
      fetchAs: async (id: string, url: string) => {
        this.fetched.push(`${id} ${url}`);
        return this.fetchAs(id, url);
      },
      saveAs: async (id: string, chunks: AsyncIterable<Buffer>) => {
        const bytes: Buffer[] = [];
        for await (const chunk of chunks) bytes.push(chunk);
        return this.saveAs(id, Buffer.concat(bytes));
      },
    },
    repository: {
      live: () => this.tasks.values(),
      get: (id: string) => this.tasks.get(id),
      find: async (id: string) => this.tasks.get(id) ?? null,
      change: (id: string, make: (task: TaskRecord) => TaskRecord | null) => this.#change(id, make),
      claim: async (
        id: string,
        connection: string,
        operation: string,
        make: (task: TaskRecord) => TaskRecord | null,
      ) =>
        [...this.tasks.values()].some(
          (other) => other.id !== id && other.connection === connection && other.operation?.id === operation,
        )
          ? null
          : this.#change(id, make),
    },
    providerClient: {
      open: ({ method, path, headTimeout, gapTimeout }: UpstreamRequest) => {
        this.timeouts.push([headTimeout, gapTimeout]);
        this.requests.push(`${method} ${path}`);
        return { response: this.#exchange(`${method} ${path}`) };
      },
    },
  } as unknown as VideoEngineDeps;

  async #change(id: string, make: (task: TaskRecord) => TaskRecord | null): Promise<object | null> {
    await this.disk;
    const fault = this.diskFaults.shift();
    if (fault !== undefined) throw fault;
    const task = this.tasks.get(id);
    if (task === undefined) return null;
    const next = make(task);
    if (next === null || next === task) return { task, changed: false };
    this.tasks.set(id, next);
    return { task: next, changed: true };
  }

  async #exchange(requested: string): Promise<object> {
    const response = await this.respond(requested);
    if (response instanceof Error) throw response;
    const { status = 200, body, headers = {} } = response;
    const bytes = Buffer.from(body === undefined ? "" : JSON.stringify(body));
    return {
      status,
      headers,
      collect: async () => bytes,
      abort: () => (this.aborted += 1),
      pause: () => undefined,
      resume: () => undefined,
      consume: (sink: { onData: (chunk: Buffer) => void; onEnd: () => void }) => {
        sink.onData(bytes);
        sink.onEnd();
      },
    };
  }
}

export const running = { body: { state: "running", progress: null } };
const video = { url: "https://results.example/1.mp4", lastFrameUrl: null, seconds: 5, resolution: null, seed: null };
export const succeeded = { body: { state: "succeeded", result: { ...video, usage: {} } } };
export const ended = { phase: "failed", error: { code: "x", message: "" } } as const;

/** An engine whose money is a list of what it booked. */
export function engineOf(parts = new EngineParts()) {
  /** What is booked, each with whether an earlier run may have done so. */
  const booked: [string, boolean][] = [];
  const held: string[] = [];
  const refused: boolean[] = [];
  const ledger = { ready: Promise.resolve() };
  const money = {
    resume: ({ id }: TaskRecord) => void held.push(id),
    countReceipt: async (task: TaskRecord, unsure: boolean) => {
      booked.push([task.id, unsure]);
      await ledger.ready;
      if (refused.shift() === true) return false;
      const next = markCounted(parts.now(task));
      if (next !== null) parts.tasks.set(task.id, next);
      return true;
    },
  };
  const engine = new VideoEngine({ ...parts.deps, money: money as never });
  const settle = async () => {
    await parts.settle();
    await Promise.race([engine.idle(), parts.settle()]);
  };
  const pass = (ms: number) => parts.time.pass(ms, settle);
  parts.respond = () => running;
  return { parts, engine, booked, held, refused, ledger, pass, settle };
}

export const bill = { receipt: taskReceipt(), counted: false };
export const result = taskResult({ saved: null });
