import { cp } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { countTokens } from "../../../../gateway/core/money/text-tokens.ts";
import { KEY, providersAt, startGateway, temporaryFolder } from "../../../support/running-gateway.ts";
import type { TestGateway } from "../../../support/running-gateway.ts";
import { useWire } from "../../../support/use-gateway.ts";
import { reply } from "../../../support/wire-provider.ts";

/** What is booked for a call whose response no one saw, beside what its provider charges for the prompt that it read. */

const wire = useWire();
const env = (): Record<string, string> =>
  providersAt({ OPENAI: `${wire.origin}/openai/v1`, ANTHROPIC: `${wire.origin}/anthropic` });
const opened: TestGateway[] = [];
afterEach(async () => {
  wire.reset();
  await Promise.all(opened.splice(0).map((gateway) => gateway.close()));
});

async function open(dataDir?: string): Promise<TestGateway> {
  const gateway = await startGateway({ env: env(), drainMs: 1, ...(dataDir === undefined ? {} : { dataDir }) });
  opened.push(gateway);
  return gateway;
}

const WORDS = "The quick brown fox jumps over the lazy dog near the river bank. ".repeat(150);
const TOOLS: readonly (readonly [string, readonly object[]])[] = [
  ["no tool", []],
  ["a function", [{ type: "function", name: "f", parameters: { type: "object", properties: {} } }]],
  ["a hosted search", [{ type: "web_search" }]],
  ["a shell that the client runs", [{ type: "local_shell" }]],
  [
    "a server of tools",
    [{ type: "mcp", server_label: "m", server_url: "https://a.example", require_approval: "never" }],
  ],
  ["a container", [{ type: "code_interpreter", container: { type: "auto" } }]],
];
const PATH = "POST /openai/v1/responses";
/** $5 for a million tokens of gpt-5.5's input. */
const RATE = 5_000;

/** Sends one call and waits until the provider has it. The response never comes. */
async function ask(gateway: TestGateway, tools: readonly object[], signal?: AbortSignal): Promise<void> {
  const arrived = Promise.withResolvers<void>();
  wire.on(PATH, () => arrived.resolve());
  const body = { model: "gpt-5.5", input: WORDS, tools, stream: true };
  void gateway.post("/responses", body, KEY, {}, signal ?? null).catch(() => null);
  await arrived.promise;
}

type Ending = (gateway: TestGateway, tools: readonly object[]) => Promise<Receipt>;

const endings: Readonly<Record<string, Ending>> = {
  async "its client left"(gateway, tools) {
    const leaving = new AbortController();
    await ask(gateway, tools, leaving.signal);
    leaving.abort();
    await expect.poll(() => gateway.receipts()).toHaveLength(1);
    return gateway.receipt();
  },
  async "the connection was reset"(gateway, tools) {
    wire.on(PATH, (_seen, outgoing) => void outgoing.destroy());
    await (await gateway.post("/responses", { model: "gpt-5.5", input: WORDS, tools, store: true })).text();
    return gateway.receipt();
  },
  async "Postern was stopped"(gateway, tools) {
    await ask(gateway, tools);
    await gateway.stop();
    const again = await open(gateway.dataDir);
    return again.receipt();
  },
  async "Postern was killed"(gateway, tools) {
    await ask(gateway, tools);
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
  it.each(TOOLS)("of a call with %s is within twice and half of what its prompt costs", async (_tool, tools) => {
    const gateway = await open();
    const { nano, estimated, outcome } = await end(gateway, tools);
    const charged = (countTokens(WORDS) + countTokens(JSON.stringify(tools))) * RATE;
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
  wire.on(PATH, reply(200, { object: "response", status: "completed", output: [], usage }));
  await (await gateway.post("/responses", body)).text();
  wire.on(PATH, (_seen, outgoing) => void outgoing.destroy());
  await (await gateway.post("/responses", { ...body, store: true })).text();
  const [unseen] = await gateway.receipts();
  // A tenth of the usual rate for what was cached.
  expect(unseen?.nano ?? 0).toBeGreaterThan((tokens * RATE) / 20);
  expect(unseen?.nano ?? Infinity).toBeLessThan((tokens * RATE) / 4);
});
