import type { IncomingHttpHeaders } from "node:http";

/** `compatible`: OpenAI's shape at another server, which takes any number of seconds. */
export type Protocol = "dashscope" | "ark" | "xai" | "openai" | "compatible";

/** What a task is, in no provider's words. `absent`: the provider does not know it (any more). */
export type ScriptedState = "queued" | "running" | "succeeded" | "failed" | "cancelled" | "expired" | "absent";

/** What is asked of the provider; `file`: a result is downloaded, without a key. `unknown`: nothing that it serves. */
export type Operation = "submit" | "poll" | "cancel" | "list" | "content" | "file" | "models" | "unknown";

/** A request that arrived. */
export interface SentRequest {
  readonly method: string;
  /** Below the protocol's own prefix. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The body as JSON; undefined when it is not one. */
  readonly json: unknown;
}

export interface HttpResponse {
  readonly status: number;
  /** JSON, or bytes of `type`; undefined: no body. */
  readonly body?: unknown;
  readonly type?: string;
}

/** What a submission orders, as its protocol's body says it. */
export interface Ordered {
  readonly model: string;
  readonly prompt: string;
  readonly seconds: number;
  /** As the provider reports it, in our words. */
  readonly resolution: string;
  readonly seed: number;
  readonly lastFrame: boolean;
  /** The body; of a form, its texts, and its files as Buffers. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A task at the provider. Tests may change what it will answer. */
export interface ProviderTask {
  readonly id: string;
  readonly protocol: Protocol;
  /** The provider key of its submission: tasks of one key are not seen by another. */
  readonly key: string;
  readonly path: string;
  readonly ordered: Ordered;
  /** Unix ms. */
  readonly createdAt: number;
  updatedAt: number;
  /** What was last reported, or set; `queued` at first. */
  state: ScriptedState;
  /** What the next polls find, in order; the last one for good. */
  plan: ScriptedState[];
  progress: number;
  error: { code: string; message: string };
  /** Billed. */
  seconds: number;
  resolution: string;
  video: Buffer;
  lastFrame: Buffer | null;
  /** xAI: the result was filtered. */
  filtered: boolean;
  /** Laid over the response to every poll, for words that no script has. */
  override: Readonly<Record<string, unknown>> | null;
  polls: number;
}

/** What the provider may lawfully say no to, in its own envelope: a cancel that comes too late. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A request that breaks the protocol: refused, and noted. */
export class Complaint extends Refusal {}

/** One provider's protocol. */
export interface VideoProtocol {
  /** Null for what it does not serve. */
  read(request: SentRequest): { readonly operation: Operation; readonly id: string } | null;
  newId(number: number, at: number): string;
  /** Checks a submission; throws a Refusal or a Complaint. */
  order(request: SentRequest): Ordered | Promise<Ordered>;
  accepted(task: ProviderTask): HttpResponse;
  /** @param files where results are served: `http://127.0.0.1:PORT/files`. */
  reported(task: ProviderTask, files: (task: ProviderTask, name: string) => string): HttpResponse;
  absent(id: string): HttpResponse;
  /** Cancels, or throws a Refusal. */
  cancel(task: ProviderTask): HttpResponse;
  /** @param tasks of this key, the newest first. @param files see `told`. @param pageSize no page holds more. */
  list(
    tasks: readonly ProviderTask[],
    query: URLSearchParams,
    pageSize: number,
    files: (task: ProviderTask, name: string) => string,
  ): HttpResponse;
  refused(status: number, code: string, message: string): HttpResponse;
}

export const ok = (body: unknown): HttpResponse => ({ status: 200, body });

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Nothing but these fields may be in a body. */
export function onlyFields(body: Readonly<Record<string, unknown>>, known: readonly string[], code: string): void {
  const strange = Object.keys(body).filter((name) => !known.includes(name));
  if (strange.length > 0) throw new Complaint(400, code, `unknown fields: ${strange.join(", ")}`);
}

export function numberOr(value: unknown, usual: number): number {
  return typeof value === "number" ? value : usual;
}

export function textOr(value: unknown, usual: string): string {
  return typeof value === "string" ? value : usual;
}

/** `limit` rows of a page, from 1. */
export function pageOf<T>(rows: readonly T[], page: number, size: number): readonly T[] {
  return rows.slice((page - 1) * size, page * size);
}

/** `YYYYMMDDhhmmss` of a moment, in a zone so many hours east. */
export function digitsAt(at: number, hoursEast: number): string {
  return new Date(at + hoursEast * 3_600_000).toISOString().replaceAll(/\D/g, "").slice(0, 14);
}
