import { afterAll, beforeAll } from "vitest";
import { allModels } from "../../../../gateway/catalog/lookup.ts";
import type { ModelSpec } from "../../../../gateway/core/models/model.ts";
import { startSandbox, type Sandbox } from "../../../../gateway/sandbox/server.ts";

export type Json = Record<string, unknown>;

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** Empty where the response is not one. */
  readonly json: Json;
}

const sora: ModelSpec = {
  id: "sora-2",
  owner: "openai",
  displayName: "Sora 2",
  aliases: [],
  capabilities: ["video"],
  contextLength: null,
  maxOutput: null,
  price: null,
  created: 1_759_000_000,
};

/** Models of the catalog, and Sora's, whether it has them or not. */
export function filmModels(): readonly ModelSpec[] {
  const others = allModels().filter(({ id }) => !id.startsWith("sora-2"));
  return [...others, sora, { ...sora, id: "sora-2-pro" }];
}

/** Sandboxes with a clock that goes by hand, for the tests of one file. */
export class RunningFilms {
  /** Unix milliseconds; no one else moves it. */
  now = Date.UTC(2026, 0, 22, 15, 24, 46, 520);
  #sandbox: Sandbox | null = null;

  get origin(): string {
    return this.#sandbox?.origin ?? "";
  }

  get key(): string {
    return this.#sandbox?.key ?? "";
  }

  async start(): Promise<void> {
    const clock = { now: () => this.now, monotonic: () => performance.now() };
    this.#sandbox = await startSandbox({ models: filmModels, clock });
  }

  async close(): Promise<void> {
    await this.#sandbox?.close();
  }

  /** As a process that is killed and started again: another port, another key, no memory. */
  async restart(): Promise<void> {
    await this.close();
    await this.start();
  }

  /** @param body JSON, or a form. */
  post(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<HttpResponse> {
    return this.ask("POST", path, body, headers);
  }

  get(path: string): Promise<HttpResponse> {
    return this.ask("GET", path);
  }

  async ask(
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<HttpResponse> {
    const form = body instanceof FormData;
    return answered(
      await fetch(this.origin + path, {
        method,
        headers: {
          authorization: `Bearer ${this.key}`,
          ...(body !== undefined && !form && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
      }),
    );
  }

  /** A file at an address from a response: without a key. */
  async file(url: unknown, range?: string): Promise<HttpResponse> {
    return answered(await fetch(String(url), range === undefined ? {} : { headers: { range } }));
  }
}

/** One for the tests of a file, started before and closed after them. */
export function useFilms(): RunningFilms {
  const films = new RunningFilms();
  beforeAll(() => films.start());
  afterAll(() => films.close());
  return films;
}

async function answered(response: Response): Promise<HttpResponse> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString("utf8");
  const json = text.startsWith("{") ? (JSON.parse(text) as Json) : {};
  return { status: response.status, headers: response.headers, bytes, json };
}

/** What is at a path of names. */
export function within(json: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Json | null | undefined)?.[name], json);
}
