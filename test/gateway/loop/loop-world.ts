import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { KEY, providersAt } from "../../support/running-gateway.ts";
import { WireProvider, reply } from "../../support/wire-provider.ts";

const PROGRAM = join(import.meta.dirname, "loop-program.ts");

export interface Peak {
  /** The longest turn of the gateway's main thread, in CPU time. */
  readonly ms: number;
  readonly rss: number;
}

/** A gateway in a process of its own with everything switched on, and the providers that it asks. */
export class LoopWorld {
  readonly wire: WireProvider;
  readonly #child: ChildProcess;
  readonly #url: string;
  readonly #bearer: string;

  private constructor(wire: WireProvider, child: ChildProcess, url: string, bearer: string) {
    this.wire = wire;
    this.#child = child;
    this.#url = url;
    this.#bearer = bearer;
  }

  static async start(): Promise<LoopWorld> {
    const wire = new WireProvider();
    await wire.listen();
    const connected = providersAt({
      OPENAI: `${wire.origin}/v1`,
      ANTHROPIC: wire.origin,
      DEEPSEEK: `${wire.origin}/deepseek`,
      GEMINI: `${wire.origin}/gemini`,
      MISTRAL: `${wire.origin}/mistral/v1`,
    });
    const env = { ...connected, POSTERN_SANDBOX: "on" };
    const child = spawn(process.execPath, [PROGRAM, JSON.stringify(env)], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const [ready] = (await once(child, "message")) as [{ url: string; bearer: string }];
    const world = new LoopWorld(wire, child, ready.url, ready.bearer);
    await world.setUp();
    return world;
  }

  async setUp(): Promise<void> {
    this.wire.reset();
    this.wire.on("POST /v1/traces", reply(200, {})).on("POST /v1/metrics", reply(200, {}));
    await this.control("PATCH", "/settings", {
      record_bodies: true,
      search_provider: "searxng",
      searxng_url: `${this.wire.origin}/searx/`,
      otlp_endpoint: this.wire.origin,
      pictures_as_words: true,
      picture_model: "gpt-4.1",
    });
    await this.control("POST", "/connections", {
      name: "Caching",
      provider: "anthropic",
      base_url: `${this.wire.origin}/caching`,
      keys: ["sk-caching-0001-0001"],
      prompt_caching: true,
    });
  }

  /** A paid call; its response is read to its end. */
  async post(path: string, body: string | FormData): Promise<number> {
    const type: Record<string, string> = typeof body === "string" ? { "content-type": "application/json" } : {};
    const headers = { authorization: `Bearer ${KEY}`, "anthropic-version": "2023-06-01", ...type };
    const response = await fetch(`${this.#url}/v1${path}`, { method: "POST", headers, body });
    await response.arrayBuffer();
    return response.status;
  }

  async control(method: string, path: string, body: unknown): Promise<number> {
    const headers = { authorization: `Bearer ${this.#bearer}`, "content-type": "application/json" };
    const response = await fetch(`${this.#url}/control${path}`, { method, headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (method === "PATCH" && !response.ok) throw new Error(text);
    return response.status;
  }

  /** The peak since it was asked last, once recordings are written. */
  async peak(): Promise<Peak> {
    await fetch(`${this.#url}/control/recordings`, { headers: { authorization: `Bearer ${this.#bearer}` } }).then(
      (response) => response.text(),
    );
    const answered = once(this.#child, "message");
    this.#child.send("peak");
    return ((await answered) as [Peak])[0];
  }

  async close(): Promise<void> {
    const exited = once(this.#child, "exit");
    this.#child.send("stop");
    await exited;
    await this.wire.close();
  }
}
