import type { McpView, TriedTool, TryTool } from "../contract/mcp.ts";
import type { McpControl } from "../http/control/mcp-control.ts";
import type { McpEndpoint } from "./endpoint.ts";
import type { McpRuntime } from "./runtime.ts";

/** The tool server, loaded with its first use: who only calls /v1 does without it, and the start is as quick as before. */
export class LazyMcp implements McpControl {
  readonly #open: () => Promise<McpRuntime>;
  #runtime: Promise<McpRuntime> | null = null;

  constructor(open: () => Promise<McpRuntime>) {
    this.#open = open;
  }

  async endpoint(): Promise<McpEndpoint> {
    return (await this.#openRuntime()).endpoint;
  }

  async view(): Promise<McpView> {
    return (await this.#openRuntime()).control.view();
  }

  async tryTool(input: TryTool): Promise<TriedTool> {
    return (await this.#openRuntime()).control.tryTool(input);
  }

  async cancelTrial(trial: string): Promise<void> {
    await (await this.#openRuntime()).control.cancelTrial(trial);
  }

  quiet(): void {
    void this.#runtime?.then(
      (runtime) => runtime.quiet(),
      () => undefined,
    );
  }

  async close(): Promise<void> {
    const runtime = await this.#runtime?.catch(() => null);
    await runtime?.close();
  }

  #openRuntime(): Promise<McpRuntime> {
    this.#runtime ??= this.#open().catch((error: unknown) => {
      // The next request tries again.
      this.#runtime = null;
      throw error;
    });
    return this.#runtime;
  }
}
