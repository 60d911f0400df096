import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import OpenAI from "openai";
import type { KeyView } from "../../gateway/contract/key.ts";
import type { Receipt } from "../../gateway/contract/receipt.ts";
import { createGateway, type Gateway } from "../../gateway/index.ts";
import { systemClock, type Clock } from "../../gateway/lib/clock.ts";
import { later, type Later } from "../../gateway/lib/later.ts";
import type { LocalServer } from "../../gateway/services/connections/local-servers.ts";
import { createLog, silentLog } from "../../gateway/lib/log.ts";
import type { ClientFs } from "../../gateway/store/clients/client-fs.ts";
import { fileSealer } from "../../gateway/store/data-key.ts";
import type { MediaDisk } from "../../gateway/store/media/media-disk.ts";
import type { KeySealer } from "../../gateway/store/store.ts";
import type { MockProvider } from "./mock-provider.ts";

/** The local key that every test gateway has, without limits. */
export const KEY = "sk-test-unlimited-key-0001";

/** An entry of POSTERN_KEYS. */
export interface TestKey {
  readonly key: string;
  readonly name: string;
  readonly models?: readonly string[];
  readonly limit_usd?: number;
  readonly reset?: "never" | "daily" | "monthly";
  readonly expires_at?: number;
  readonly rpm?: number;
  readonly concurrency?: number;
  readonly hosted_tools?: boolean;
  readonly stored_objects?: boolean;
  readonly ollama_default?: boolean;
}

export interface TestOptions {
  /** Connected as OpenAI, with the provider key `sk-provider-key-0001`. */
  readonly provider?: MockProvider;
  readonly keys?: readonly TestKey[];
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  /** Milliseconds that the machine runs, its sleep among them; as the clock's monotonic ones unless given. */
  readonly uptime?: () => number;
  /** How tasks, webhooks and the library wait; by the machine's timers unless given. */
  readonly later?: Later;
  /** How calls wait before they are tried again; as `later` where that is given, else in a hurry. */
  readonly backoff?: Later;
  /** How long running calls may go on when it is stopped; as long as the contract says unless given. */
  readonly drainMs?: number;
  /** Where results are saved. */
  readonly disk?: MediaDisk;
  /** Null: as the settings say; 127.0.0.1 unless given. */
  readonly host?: string | null;
  /** Null: as the settings say; a free one unless given. */
  readonly port?: number | null;
  /** How files of other programs are written. */
  readonly clientFs?: ClientFs;
  /** An earlier gateway's folder; a fresh one otherwise. */
  readonly dataDir?: string;
  /** Programs of this machine that are looked for; none unless given: what runs here is no business of a test. */
  readonly localServers?: readonly LocalServer[];
  /** What encrypts the provider keys' own key; a key file unless given. */
  readonly sealer?: KeySealer;
  /** Lines of the log are collected. */
  readonly logged?: string[];
}

/** Waits longer than this are never waited for in a test: someone is to end them. */
const LONG_MS = 5_000;

/** Short waits before a call is tried again pass in a twentieth of their time: most tests are not about them. */
export const hurried: Later = (ms, work) => later(ms < LONG_MS ? ms / 20 : ms, work);

export const CHAT = { model: "gpt-4.1", messages: [{ role: "user", content: "Say hello." }] } as const;

/** A gateway in this process on a free port, in a folder of its own. */
export class TestGateway {
  readonly gateway: Gateway;
  readonly dataDir: string;
  #bearer: string | null = null;

  constructor(gateway: Gateway, dataDir: string) {
    this.gateway = gateway;
    this.dataDir = dataDir;
  }

  get url(): string {
    return this.gateway.url;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** `POST /v1/chat/completions`. A body that is not text is sent as JSON. */
  chat(body: unknown = CHAT, key = KEY, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.url}/v1/chat/completions`, {
      method: "POST",
      body: typeof body === "string" || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
      ...init,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...(init.headers as object) },
    });
  }

  /** `POST` to any path below `/v1`. A body that is no form is sent as JSON. */
  post(
    path: string,
    body: unknown,
    key = KEY,
    headers: Readonly<Record<string, string>> = {},
    signal: AbortSignal | null = null,
  ): Promise<Response> {
    const isForm = body instanceof FormData;
    const type: Record<string, string> = isForm ? {} : { "content-type": "application/json" };
    return fetch(`${this.url}/v1${path}`, {
      method: "POST",
      body: isForm ? body : JSON.stringify(body),
      headers: { authorization: `Bearer ${key}`, ...type, ...headers },
      signal,
    });
  }

  /** A key with a limit, and what the pages show of it. */
  async limitedKey(limit_usd: number): Promise<{ secret: string; id: string; view: () => Promise<KeyView> }> {
    const made = { name: `limited to ${limit_usd}`, limit_usd };
    const { secret, key } = await this.ask<{ secret: string; key: KeyView }>("POST", "/keys", made);
    return { secret, id: key.id, view: () => this.keyView(key.id) };
  }

  /** What the pages show of a key, by its id or its name. */
  async keyView(which: string): Promise<KeyView> {
    const { data } = await this.ask<{ data: KeyView[] }>("GET", "/keys");
    const view = data.find(({ id, name }) => id === which || name === which);
    if (view === undefined) throw new Error(`there is no key ${which}`);
    return view;
  }

  /** The real SDK, without its own retries. */
  sdk(key = KEY): OpenAI {
    return new OpenAI({ apiKey: key, baseURL: `${this.url}/v1`, maxRetries: 0 });
  }

  /** A control operation, signed in. */
  async control(method: string, path: string, body?: unknown): Promise<Response> {
    this.#bearer ??= await this.signIn();
    return fetch(`${this.url}/control${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#bearer}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** The response of a control operation that must succeed. */
  async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.control(method, path, body);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  /** Exchanges a page token for a bearer. */
  async signIn(): Promise<string> {
    const response = await fetch(`${this.url}/control/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: this.gateway.issuePageToken() }),
    });
    return ((await response.json()) as { bearer: string }).bearer;
  }

  /** Receipts, newest first. */
  async receipts(limit = 500): Promise<readonly Receipt[]> {
    return (await this.ask<{ data: Receipt[] }>("GET", `/requests?limit=${limit}`)).data;
  }

  /** The newest receipt. */
  async receipt(): Promise<Receipt> {
    const [newest] = await this.receipts(1);
    if (newest === undefined) throw new Error("no receipt");
    return newest;
  }

  /** US cents, as `GET /v1/dashboard/billing/usage` tells the key. */
  async spentCents(key = KEY): Promise<number> {
    const response = await fetch(`${this.url}/v1/dashboard/billing/usage`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return ((await response.json()) as { total_usage: number }).total_usage;
  }

  /** Stops it and keeps the folder. */
  stop(): Promise<void> {
    return this.gateway.close();
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** The variables that connect providers, by their names there, at these addresses with keys of their own. */
export function providersAt(addresses: Readonly<Record<string, string>>): Record<string, string> {
  const variables = Object.entries(addresses).flatMap(([name, address]) => [
    [`POSTERN_${name}_BASE_URL`, address],
    [`POSTERN_${name}_API_KEY`, `sk-${name.toLowerCase()}-0001`],
  ]);
  return Object.fromEntries(variables) as Record<string, string>;
}

export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "postern-test-"));
}

export async function startGateway(options: TestOptions = {}): Promise<TestGateway> {
  const dataDir = options.dataDir ?? (await temporaryFolder());
  const { logged, provider, clock = systemClock } = options;
  const gateway = await createGateway({
    dataDir,
    host: options.host === undefined ? "127.0.0.1" : options.host,
    port: options.port === undefined ? 0 : options.port,
    env: {
      POSTERN_KEYS: JSON.stringify([{ key: KEY, name: "unlimited" }, ...(options.keys ?? [])]),
      POSTERN_SANDBOX: "off",
      ...(provider === undefined
        ? {}
        : { POSTERN_OPENAI_BASE_URL: provider.baseUrl, POSTERN_OPENAI_API_KEY: "sk-provider-key-0001" }),
      ...options.env,
    },
    sealer: options.sealer ?? fileSealer(),
    assetsDir: null,
    version: "0.0.0-test",
    clock,
    uptime: options.uptime ?? (() => clock.monotonic()),
    localServers: options.localServers ?? [],
    ...(options.later === undefined ? {} : { later: options.later }),
    backoff: options.backoff ?? options.later ?? hurried,
    lookAfterMs: 0,
    ...(options.drainMs === undefined ? {} : { drainMs: options.drainMs }),
    ...(options.disk === undefined ? {} : { disk: options.disk }),
    ...(options.clientFs === undefined ? {} : { clientFs: options.clientFs }),
    log:
      logged === undefined
        ? silentLog
        : createLog((lines) => void logged.push(...lines.trimEnd().split("\n")), Date.now),
  });
  return new TestGateway(gateway, dataDir);
}

/** The nested error envelope of a response; fails when it is not exactly that. */
export async function errorOf(
  response: Response,
): Promise<{ message: string; type: string; param: string | null; code: string | null }> {
  const text = await response.text();
  const body = JSON.parse(text) as {
    error: { message: string; type: string; param: string | null; code: string | null };
  };
  const keys = Object.keys(body.error).toSorted();
  if (Object.keys(body).join() !== "error" || keys.join() !== "code,message,param,type")
    throw new Error(`not the nested envelope: ${text}`);
  return body.error;
}

/**
 * Waits until `met`, looking every few milliseconds; fails after `ms`, before the test itself would on a loaded machine.
 * @param every longer where a look costs a request, and what it looks for stays
 */
export async function until(met: () => boolean | Promise<boolean>, ms = 25_000, every = 5): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await met())) {
    if (performance.now() > deadline) throw new Error("it did not come true in time");
    await new Promise((resolve) => setTimeout(resolve, every));
  }
}
