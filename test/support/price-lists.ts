import type { PriceChanges, PriceListView } from "../../gateway/contract/price-list.ts";
import { startGateway, type TestGateway } from "./running-gateway.ts";
import { TestClock } from "./test-clock.ts";
import { WireProvider, reply } from "./wire-provider.ts";

/** gpt-4.1 costs $2 and $8 for a million tokens by the catalog, $0.50 where it is cached. */
export const litellm = (input: number, more: object = {}) => ({
  sample_spec: { mode: "chat" },
  "gpt-4.1": {
    litellm_provider: "openai",
    mode: "chat",
    input_cost_per_token: input,
    output_cost_per_token: 1.2e-5,
    cache_read_input_token_cost: 5e-7,
  },
  "groq/kimi-k2": {
    litellm_provider: "groq",
    mode: "chat",
    input_cost_per_token: 1e-6,
    output_cost_per_token: 3e-6,
  },
  ...more,
});
export const modelsDev = {
  openai: {
    id: "openai",
    models: { "gpt-4.1": { cost: { input: 4, output: 16 }, modalities: { input: ["text"], output: ["text"] } } },
  },
};

export const usd = (amount: number): number => Math.round(amount * 1e9);
/** What the call of `cost` costs by the catalog. */
export const BY_CATALOG = usd(0.002 + 0.0008);

/** A gateway whose OpenAI, at a relay, also has a price list. */
export class PriceListBench {
  readonly wire = new WireProvider();
  clock = new TestClock();
  #postern: TestGateway | null = null;

  get postern(): TestGateway {
    if (this.#postern === null) throw new Error("not started");
    return this.#postern;
  }

  get env(): Record<string, string> {
    return {
      POSTERN_OPENAI_BASE_URL: `${this.wire.origin}/openai/v1`,
      POSTERN_OPENAI_API_KEY: "sk-provider-key-0001",
      POSTERN_ALLOW_TARGETS: new URL(this.wire.origin).host,
    };
  }

  async start(): Promise<void> {
    await this.wire.listen();
    this.wire.reset();
    this.wire.on(
      "POST /openai/v1/chat/completions",
      reply(200, {
        id: "c",
        object: "chat.completion",
        choices: [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }],
        usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
      }),
    );
    this.clock = new TestClock();
    this.#postern = await startGateway({ clock: this.clock, env: this.env });
  }

  /** Stops it, and starts it again in the same folder. @param meanwhile what is done to the folder */
  async again(meanwhile: (dataDir: string) => Promise<void> = async () => {}): Promise<void> {
    const { dataDir } = this.postern;
    await this.postern.stop();
    await meanwhile(dataDir);
    this.#postern = await startGateway({ clock: this.clock, env: this.env, dataDir });
  }

  async close(): Promise<void> {
    await this.postern.close();
    await this.wire.close();
  }

  view(): Promise<PriceListView> {
    return this.postern.ask("GET", "/price-list");
  }

  refresh(): Promise<PriceListView> {
    return this.postern.ask("POST", "/price-list/refresh");
  }

  changes(query = ""): Promise<PriceChanges> {
    return this.postern.ask("GET", `/price-list/changes${query}`);
  }

  accept(id: string, unusual = false): Promise<PriceListView> {
    return this.postern.ask("POST", "/price-list/accept", { id, unusual });
  }

  /** From now on this is what the URL of the settings answers with. */
  async serve(list: unknown): Promise<void> {
    this.wire.on("GET /prices.json", reply(200, list));
    await this.postern.ask("PATCH", "/settings", { price_list_url: `${this.wire.origin}/prices.json` });
  }

  /** @returns the id of what is offered then */
  async offer(list: unknown): Promise<string> {
    await this.serve(list);
    return (await this.refresh()).offered?.id ?? "";
  }

  /** What a call of gpt-4.1 costs, with 1,000 tokens in and 100 out. */
  async cost(): Promise<{ nano: number | null; source: string | undefined }> {
    await (await this.postern.chat()).text();
    const { nano, price } = await this.postern.receipt();
    return { nano, source: price?.source };
  }
}
