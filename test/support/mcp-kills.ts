import { Client, StreamableHTTPClientTransport, type CallToolResult } from "@modelcontextprotocol/client";
import type { Receipt } from "../../gateway/contract/receipt.ts";
import { FastChild } from "./fast-child.ts";
import { FastTime } from "./fast-time.ts";
import { MockProvider } from "./mock-provider.ts";
import { VideoProvider } from "./video-provider.ts";

const SPEED = 100;
const KEY = "sk-test-mcp-kills-key-0001";

/** `auto`: the newest revision of the protocol, which has no sessions; else those before. */
export type Era = "auto" | "legacy";

/** A call of a tool whose gateway may be killed meanwhile: null when it had no response. */
export interface KilledCall {
  readonly response: Promise<CallToolResult | null>;
}

/** A gateway in a process of its own that is killed on one folder, clients of its tool server, and providers that live on. */
export class McpKillStage {
  readonly videos: VideoProvider;
  readonly chats: MockProvider;
  readonly #dataDir: string;
  readonly #era: Era;
  readonly #since: number;
  #child: FastChild | null = null;
  readonly #clients: Client[] = [];

  private constructor(dataDir: string, era: Era, videos: VideoProvider, chats: MockProvider) {
    this.#dataDir = dataDir;
    this.#era = era;
    this.videos = videos;
    this.chats = chats;
    this.#since = Date.now();
    const time = new FastTime(SPEED, this.#since);
    videos.now = () => time.now();
  }

  static async open(dataDir: string, era: Era): Promise<McpKillStage> {
    const stage = new McpKillStage(dataDir, era, await new VideoProvider().listen(), await new MockProvider().listen());
    await stage.start();
    return stage;
  }

  async start(): Promise<void> {
    this.#child = new FastChild({
      dataDir: this.#dataDir,
      speed: SPEED,
      since: this.#since,
      kill: null,
      env: {
        ...this.videos.env("dashscope"),
        POSTERN_OPENAI_BASE_URL: this.chats.baseUrl,
        POSTERN_OPENAI_API_KEY: "sk-provider-key-0001",
        POSTERN_KEYS: JSON.stringify([{ key: KEY, name: "agents", limit_usd: 100 }]),
        POSTERN_SANDBOX: "off",
      },
    });
    if (!(await this.#child.ready())) throw new Error("it was killed before it was ready");
  }

  /** Kills the gateway; calls that wait for it have no response. */
  async kill(): Promise<void> {
    await this.#child?.kill();
    await Promise.all(this.#clients.splice(0).map((client) => client.close().catch(() => undefined)));
  }

  /** A call by a client of its own, which may be killed. @param onprogress called with each step */
  async begin(name: string, args: Record<string, unknown>, onprogress = (): void => {}): Promise<KilledCall> {
    const client = await this.#connect();
    const response = client.callTool({ name, arguments: args }, { onprogress, timeout: 60_000 }).catch(() => null);
    return { response };
  }

  /** The structured answer of a call that must succeed. */
  async ask<T>(name: string, args: Record<string, unknown> = {}): Promise<T> {
    const client = await this.#connect();
    const result = await client.callTool({ name, arguments: args });
    if (result.isError === true) throw new Error(JSON.stringify(result.content));
    return result.structuredContent as T;
  }

  /** Newest first. */
  async receipts(): Promise<readonly Receipt[]> {
    if (this.#child === null) throw new Error("no gateway runs");
    return (await this.#child.control<{ data: Receipt[] }>("GET", "/requests?limit=100")).data;
  }

  async close(): Promise<void> {
    await this.kill();
    await this.chats.close();
    await this.videos.close();
  }

  async #connect(): Promise<Client> {
    const options = this.#era === "auto" ? { versionNegotiation: { mode: "auto" as const } } : {};
    const client = new Client({ name: "kills", version: "1" }, options);
    const requestInit = { headers: { authorization: `Bearer ${KEY}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${this.#child?.url}/mcp`), { requestInit }));
    this.#clients.push(client);
    return client;
  }
}
