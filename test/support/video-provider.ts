import type { IncomingMessage, ServerResponse } from "node:http";
import { VideoProviderBase, type ReceivedRequest, type ProviderSeen } from "./video-provider/base.ts";
import { mp4 } from "./video-provider/mp4.ts";
import type { SentRequest, Operation, Protocol, ScriptedState, ProviderTask } from "./video-provider/protocol.ts";
import { PREFIXES, PROTOCOLS, VIDEO_PROTOCOLS } from "./video-provider/protocols.ts";
import { askedBy, send, type Fault } from "./video-provider/wire.ts";

export { mp4 };
export type { Fault, Operation, Protocol, ScriptedState, ProviderSeen, ProviderTask };

const REFUSED: Fault = { do: "answer", status: 401, body: { code: "InvalidApiKey", message: "no" } };

/**
 * DashScope, Ark, xAI, OpenAI and a compatible server on loopback, as far as they make videos: written from
 * docs/providers/README.md, not from Postern's adapters. It takes nothing that the real ones would refuse: what breaks
 * a protocol is answered in its envelope and noted in `complaints`, which a test expects to be empty.
 *
 * Each poll of a task moves it to the next state of its plan; the plan's last state stays. A test that wants to decide
 * itself plans `["running"]` and calls `advance`.
 */
export class VideoProvider extends VideoProviderBase {
  /** Every request that arrived, in order. */
  readonly seen: ProviderSeen[] = [];
  /** A key that is refused, whenever it is used. */
  refusedKey: string | null = null;
  readonly #faults = new Map<Operation, (Fault | null)[]>();
  readonly #waiting = new Set<() => void>();
  readonly #holds = new Map<Operation, { readonly pending: Promise<void>; readonly release: () => void }>();

  baseUrl(protocol: Protocol): string {
    return `${this.origin}${PREFIXES[protocol]}`;
  }

  /** Connects a test gateway to these protocols, with the keys `<protocol>-provider-key`, and lets it fetch results. */
  env(...protocols: readonly Protocol[]): Readonly<Record<string, string>> {
    const names = (protocols.length === 0 ? PROTOCOLS : protocols).flatMap((protocol) => {
      const name = protocol.toUpperCase();
      return [
        [`POSTERN_${name}_BASE_URL`, this.baseUrl(protocol)],
        [`POSTERN_${name}_API_KEY`, `${protocol}-provider-key`],
      ] as const;
    });
    return { ...Object.fromEntries(names), POSTERN_ALLOW_TARGETS: `127.0.0.1:${this.port}` };
  }

  /** What happens to the next requests of a kind, one each; `null`: nothing unusual. */
  fault(operation: Operation, ...faults: readonly (Fault | null)[]): this {
    const queue = this.#faults.get(operation) ?? [];
    queue.push(...faults);
    this.#faults.set(operation, queue);
    return this;
  }

  /** Keeps requests of a kind, once they arrived, from being looked at until the returned function is called. */
  hold(operation: Operation): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#holds.set(operation, { pending: promise, release: resolve });
    return () => {
      if (this.#holds.get(operation)?.pending === promise) this.#holds.delete(operation);
      resolve();
    };
  }

  /** How many requests of a kind arrived. */
  count(operation: Operation): number {
    return this.seen.filter((seen) => seen.operation === operation).length;
  }

  /** Resolves as soon as something holds; it is looked at after every request. */
  when(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve) => {
      const look = (): void => {
        if (!holds()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
    });
  }

  /** Forgets tasks, faults, plans and what was seen; lets go what was held. */
  reset(): void {
    super.forget();
    this.seen.length = 0;
    this.refusedKey = null;
    this.#faults.clear();
    for (const { release } of this.#holds.values()) release();
    this.#holds.clear();
  }

  protected async serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const requested = await askedBy(incoming, this.origin);
    // The connection broke while the request was on its way.
    if (requested === null) return;
    const request = this.#read(requested);
    this.seen.push(request.seen);
    this.#look();
    if (request.seen.key === this.refusedKey) return send(outgoing, REFUSED, { status: 200 });
    await this.#holds.get(request.seen.operation)?.pending;
    const fault = this.#faults.get(request.seen.operation)?.shift() ?? null;
    const skipped = fault !== null && fault.do !== "cut" && fault.after !== true;
    const response = skipped ? null : await this.response(request);
    send(outgoing, fault, response ?? { status: 200 });
    this.#look();
  }

  /** Whose protocol it speaks, and what it asks for. */
  #read(asked: SentRequest): ReceivedRequest {
    const key = (asked.headers.authorization ?? "").replace(/^Bearer /, "");
    const seen = { protocol: "dashscope" as Protocol, key, path: asked.path, at: performance.now() };
    const [, fileOf] = /^\/files\/([^/]+)\//.exec(asked.path) ?? [];
    if (fileOf !== undefined) return { asked, seen: { ...seen, operation: "file", id: fileOf } };
    const protocol = PROTOCOLS.find((protocol) => asked.path.startsWith(`${PREFIXES[protocol]}/`));
    if (protocol === undefined) return { asked, seen: { ...seen, operation: "unknown", id: "" } };
    const below = { ...asked, path: asked.path.slice(PREFIXES[protocol].length) };
    const read = VIDEO_PROTOCOLS[protocol].read(below) ?? { operation: "unknown" as const, id: "" };
    return { asked: below, seen: { ...seen, ...read, protocol } };
  }

  #look(): void {
    for (const look of this.#waiting) look();
  }
}
