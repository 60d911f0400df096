import type { ControlClient } from "../../../api/client.ts";
import { createMemory, type Memory } from "../memory.ts";
import {
  factsAtStart,
  describeFault,
  isStop,
  type CallFacts,
  type CallFault,
  type CallStatus,
} from "../../../api/v1/call-facts.ts";
import { asUnreachable, callV1, CallError, readRequestId, type V1Request } from "../../../api/v1/call-v1.ts";
import { playgroundKey, type PlaygroundKey } from "../../../api/v1/playground-key.ts";
import { waitForReceipt, receiptOfStopped } from "../../../api/v1/settled.ts";

/** A call with a single, unstreamed response, and its result. */
export interface Job<Result> {
  readonly id: string;
  /** Heading, made from the request. */
  readonly title: string;
  readonly status: CallStatus;
  readonly facts: CallFacts;
  readonly fault: CallFault | null;
  /** Null while it runs, and if it failed. */
  readonly result: Result | null;
}

/** Context for reading a response. */
export interface JobContext {
  readonly client: ControlClient;
  /** Id of the playground's key. */
  readonly keyId: string;
  readonly requestId: string | null;
  /** Body that was sent. */
  readonly body: V1Request["body"];
}

/** Handling of responses to the calls of a tab. */
export interface JobKind<Result> {
  /** False: nothing is billed yet at the response. */
  readonly settles: boolean;
  /** Reads the response; this time counts as part of the call. */
  read(response: Response, context: JobContext): Promise<Result>;
  /** Adds parts that become known later, such as files stored after the response. */
  complete?(result: Result, context: JobContext): Promise<Result>;
}

export interface JobOrder {
  readonly title: string;
  readonly model: string;
  /** Prepared when it is sent. */
  request(): V1Request | Promise<V1Request>;
}

export interface Jobs<Result> {
  /** Newest first. */
  readonly list: Memory<{ readonly jobs: readonly Job<Result>[] }>;
  start(client: ControlClient, order: JobOrder): void;
  /** Ends those that run. */
  stop(): void;
}

/** Earlier ones are in the library and among the requests. */
const KEPT = 12;

/**
 * The calls of one tab. They go on while other pages are looked at.
 * @param name its own among all memories
 */
export function createJobs<Result>(name: string, kind: JobKind<Result>): Jobs<Result> {
  const list = createMemory<{ readonly jobs: readonly Job<Result>[] }>(name, { jobs: [] });
  const running = new Map<string, AbortController>();

  const patch = (id: string, change: (job: Job<Result>) => Partial<Job<Result>>): void =>
    list.update(({ jobs }) => ({ jobs: jobs.map((job) => (job.id === id ? { ...job, ...change(job) } : job)) }));
  const patchFacts = (id: string, facts: Partial<CallFacts>): void =>
    patch(id, (job) => ({ facts: { ...job.facts, ...facts } }));

  const run = async (id: string, client: ControlClient, order: JobOrder): Promise<void> => {
    const stop = new AbortController();
    running.set(id, stop);
    const key: PlaygroundKey = playgroundKey(client);
    const from = performance.now();
    const began = Date.now();
    try {
      const request = await order.request();
      const response = await callV1(key, request, stop.signal);
      const requestId = readRequestId(response);
      patchFacts(id, { requestId, firstMs: performance.now() - from });
      const { key: view } = await key.get();
      const context: JobContext = { client, keyId: view.id, requestId, body: request.body };
      const result = await kind.read(response, context);
      patch(id, ({ facts }) => ({ status: "done", result, facts: { ...facts, ms: performance.now() - from } }));
      running.delete(id);
      await Promise.all([
        kind.complete?.(result, context).then((whole) => patch(id, () => ({ result: whole }))),
        requestId !== null &&
          kind.settles &&
          waitForReceipt(client, view.id, requestId).then((receipt) => patchFacts(id, { receipt })),
      ]);
    } catch (thrown) {
      const error = asUnreachable(thrown);
      patchFacts(id, {
        ms: performance.now() - from,
        ...(error instanceof CallError && { requestId: error.requestId }),
      });
      patch(id, () => (isStop(error) ? { status: "stopped" } : { status: "failed", fault: describeFault(error) }));
      if (!isStop(error)) return;
      const { key: view } = await key.get();
      const receipt = await receiptOfStopped(client, view.id, { model: order.model, from: began });
      if (receipt !== null) patchFacts(id, { receipt, requestId: receipt.id });
    } finally {
      running.delete(id);
    }
  };

  return {
    list,
    start(client, order) {
      const id = crypto.randomUUID();
      const job: Job<Result> = {
        id,
        title: order.title,
        status: "running",
        facts: factsAtStart(order.model),
        fault: null,
        result: null,
      };
      list.update(({ jobs }) => ({ jobs: [job, ...jobs].slice(0, KEPT) }));
      void run(id, client, order);
    },
    stop() {
      for (const controller of running.values()) controller.abort();
    },
  };
}
