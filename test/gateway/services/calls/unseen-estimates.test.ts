import { cp } from "node:fs/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { countTokens } from "../../../../gateway/core/money/text-tokens.ts";
import { Rounds } from "../../../../gateway/lib/rounds.ts";
import { isLocalPeer } from "../../../../gateway/upstream/targets.ts";
import { Transfer } from "../../../../gateway/upstream/transfer.ts";
import { KEY, providersAt, startGateway, temporaryFolder, until } from "../../../support/running-gateway.ts";
import type { TestGateway } from "../../../support/running-gateway.ts";
import { useWire } from "../../../support/use-gateway.ts";
import { reply } from "../../../support/wire-provider.ts";

/** What is booked for a call whose response no one saw, next to what its provider charges for the prompt that it read. */

vi.mock("../../../../gateway/upstream/targets.ts", { spy: true });

const wire = useWire();
const env = (): Record<string, string> =>
  providersAt({ OPENAI: `${wire.origin}/openai/v1`, ANTHROPIC: `${wire.origin}/anthropic` });
const opened: TestGateway[] = [];
afterEach(async () => {
  wire.reset();
  vi.restoreAllMocks();
  vi.mocked(isLocalPeer).mockReset();
  // The newest first: two may share a folder, which goes with the first of them that closes.
  for (const gateway of opened.splice(0).toReversed()) await gateway.close();
});

async function open(dataDir?: string): Promise<TestGateway> {
  const gateway = await startGateway({ env: env(), drainMs: 1, ...(dataDir === undefined ? {} : { dataDir }) });
  opened.push(gateway);
  return gateway;
}

const WORDS = "The quick brown fox jumps over the lazy dog near the river bank. ".repeat(150);
/** One kind of tool in a dialect; `more` are fields next to it. */
interface Offer {
  readonly path: "/responses" | "/messages";
  readonly tools: readonly object[];
  readonly more?: object;
}
const FUNCTION = { name: "f", parameters: { type: "object", properties: {} } };
const MCP = { server_url: "https://a.example", require_approval: "never" };
const HOST = { type: "url", name: "m", url: "https://a.example" };
const openai = (...tools: readonly object[]): Offer => ({ path: "/responses", tools });
const anthropic = (tools: readonly object[], more = {}): Offer => ({ path: "/messages", tools, more });
const OFFERS: readonly (readonly [string, Offer])[] = [
  ["no tool", openai()],
  ["a function", openai({ type: "function", ...FUNCTION })],
  ["a hosted search", openai({ type: "web_search" })],
  ["a search of files", openai({ type: "file_search", vector_store_ids: ["vs_1"] })],
  ["a shell that the client runs", openai({ type: "local_shell" })],
  ["a server of tools", openai({ type: "mcp", server_label: "m", ...MCP })],
  ["a container", openai({ type: "code_interpreter", container: { type: "auto" } })],
  ["Claude's function", anthropic([{ name: "f", input_schema: FUNCTION.parameters }])],
  ["Claude's search", anthropic([{ type: "web_search_20250305", name: "web_search" }])],
  ["Claude's container", anthropic([{ type: "code_execution_20250825", name: "code_execution" }])],
  ["Claude's server of tools", anthropic([], { mcp_servers: [HOST] })],
];
/** $5 for a million tokens of input, of gpt-5.5 and of Opus 4.8. */
const RATE = 5_000;

const bodyOf = ({ path, tools, more }: Offer): object => {
  const prompt =
    path === "/responses"
      ? { model: "gpt-5.5", input: WORDS }
      : { model: "claude-opus-4-8", max_tokens: 100, messages: [{ role: "user", content: WORDS }] };
  return { ...prompt, ...(tools.length === 0 ? {} : { tools }), ...more };
};
const routeOf = ({ path }: Offer): string =>
  path === "/responses" ? "POST /openai/v1/responses" : "POST /anthropic/v1/messages";

/** Sends one call and waits until the provider has it. The response never comes. */
async function ask(gateway: TestGateway, offer: Offer, signal?: AbortSignal): Promise<void> {
  const arrived = Promise.withResolvers<void>();
  wire.on(routeOf(offer), () => arrived.resolve());
  void gateway.post(offer.path, { ...bodyOf(offer), stream: true }, KEY, {}, signal ?? null).catch(() => null);
  await arrived.promise;
}

type Ending = (gateway: TestGateway, offer: Offer) => Promise<Receipt>;

const endings: Readonly<Record<string, Ending>> = {
  async "its client left"(gateway, offer) {
    const leaving = new AbortController();
    await ask(gateway, offer, leaving.signal);
    leaving.abort();
    await expect.poll(() => gateway.receipts()).toHaveLength(1);
    return gateway.receipt();
  },
  async "the connection was reset"(gateway, offer) {
    wire.on(routeOf(offer), (_seen, outgoing) => void outgoing.destroy());
    await (await gateway.post(offer.path, bodyOf(offer))).text();
    return gateway.receipt();
  },
  async "the time limit passed"(gateway, offer) {
    const watched = new Set<Transfer>();
    const add = Rounds.prototype.add;
    vi.spyOn(Rounds.prototype, "add").mockImplementation(function (this: Rounds<unknown>, one) {
      if (one instanceof Transfer) watched.add(one);
      return add.call(this, one);
    });
    vi.mocked(isLocalPeer).mockReturnValue(false);
    await gateway.ask("PATCH", "/settings", { call_timeout_s: 9, first_byte_timeout_s: 9 });
    await ask(gateway, offer);
    await until(async () => {
      watched.forEach((transfer) => transfer.tick(10_000));
      return (await gateway.receipts()).length === 1;
    });
    return gateway.receipt();
  },
  async "Postern was stopped"(gateway, offer) {
    await ask(gateway, offer);
    await gateway.stop();
    const again = await open(gateway.dataDir);
    return again.receipt();
  },
  async "Postern was killed"(gateway, offer) {
    await ask(gateway, offer);
    await expect
      .poll(async () => {
        // Each look has a copy of its own: a Postern that stopped may still let go of the one before.
        const copy = await temporaryFolder();
        await cp(gateway.dataDir, copy, { recursive: true, filter: (path) => !path.endsWith(".lock") });
        const again = await open(copy);
        const { length } = await again.receipts();
        if (length === 0) await again.stop();
        return length;
      })
      .toBe(1);
    const last = opened.at(-1);
    if (last === undefined) throw new Error("nothing was opened");
    return last.receipt();
  },
};

describe.each(Object.entries(endings))("%s: the estimate", (_, end) => {
  it.each(OFFERS)("of a call with %s is within twice and half of what its prompts cost", async (_offer, offer) => {
    const gateway = await open();
    const { nano, estimated, outcome } = await end(gateway, offer);
    const prompt = countTokens(WORDS) + countTokens(JSON.stringify([offer.tools, offer.more]));
    // What is safe to repeat was asked several times, and read each time.
    const charged = prompt * RATE * wire.seen.length;
    expect(nano ?? 0).toBeGreaterThan(charged / 2);
    expect(nano ?? Infinity).toBeLessThan(charged * 2);
    expect([estimated, ["unknown", "cancelled"].includes(outcome)]).toEqual([true, true]);
  });
});

it("has the share of the prompt that the last call of its session had cached", async () => {
  const gateway = await open();
  const tokens = countTokens(WORDS);
  const usage = { input_tokens: tokens, input_tokens_details: { cached_tokens: tokens - 50 }, output_tokens: 5 };
  const body = { model: "gpt-5.5", input: WORDS, prompt_cache_key: "session-1" };
  wire.on("POST /openai/v1/responses", reply(200, { object: "response", status: "completed", output: [], usage }));
  await (await gateway.post("/responses", body)).text();
  wire.on("POST /openai/v1/responses", (_seen, outgoing) => void outgoing.destroy());
  await (await gateway.post("/responses", { ...body, store: true })).text();
  const [unseen] = await gateway.receipts();
  // A tenth of the usual rate for what was cached.
  expect(unseen?.nano ?? 0).toBeGreaterThan((tokens * RATE) / 20);
  expect(unseen?.nano ?? Infinity).toBeLessThan((tokens * RATE) / 4);
});
