import { afterEach, expect, it } from "vitest";
import { reply, type WireAct } from "../../support/wire-provider.ts";
import { useGateway, useWire } from "../../support/use-gateway.ts";
import { providersAt } from "../../support/running-gateway.ts";
import { claudeMessage } from "../../support/acts.ts";

const wire = useWire();
let given = 0;

const HI = { messages: [{ role: "user", content: "Hi" }] } as const;
const message: WireAct = (seen, outgoing) => {
  given += 1;
  const usage = { input_tokens: 10, output_tokens: given };
  return reply(200, claudeMessage(`Answer ${given}`, usage, { id: `msg_${given}` }))(seen, outgoing);
};

const postern = useGateway(() => ({ env: providersAt({ ANTHROPIC: wire.origin }) }));
afterEach(() => {
  wire.reset();
  given = 0;
});

/** Never answers. */
const silence: WireAct = () => {};

const ask = (n: number) =>
  postern.sdk().chat.completions.create({ messages: [...HI.messages], model: "claude-sonnet-5-5", n });

it("n responses of a Claude model are so many calls, and the usage of all of them", async () => {
  wire.on("POST /v1/messages", message);
  const { choices, usage } = await ask(3);
  expect(choices.map(({ index }) => index)).toEqual([0, 1, 2]);
  expect(choices.map(({ message: { content } }) => content ?? "").toSorted((a, b) => a.localeCompare(b))).toEqual([
    "Answer 1",
    "Answer 2",
    "Answer 3",
  ]);
  expect(usage).toMatchObject({ prompt_tokens: 30, completion_tokens: 6, total_tokens: 36 });
  expect(wire.seen.map(({ json }) => (json as { n?: number }).n)).toEqual([undefined, undefined, undefined]);
  const { outcome, terms } = await postern.receipt();
  expect(outcome).toBe("completed");
  expect(terms.map(({ unit, quantity }) => [unit, quantity])).toEqual([
    ["input", 30],
    ["output", 6],
  ]);
});

it("each prompt is priced by its own size, and only the dear ones are dear", async () => {
  const long = (input_tokens: number) => reply(200, claudeMessage("Answer", { input_tokens, output_tokens: 10 }));
  // Above 100,000 tokens of a prompt this model costs five times as much.
  wire.on("POST /v1/messages", long(60_000), long(60_000), long(100_001));
  await postern.sdk().chat.completions.create({ messages: [...HI.messages], model: "claude-haiku-5-5", n: 3 });
  expect(await postern.receipt()).toMatchObject({
    terms: [
      { unit: "input", quantity: 120_000, nano_per_million: 100_000_000, nano: 12_000_000 },
      { unit: "output", quantity: 20, nano_per_million: 500_000_000 },
      { unit: "input", quantity: 100_001, nano_per_million: 500_000_000 },
      { unit: "output", quantity: 10, nano_per_million: 2_500_000_000 },
    ],
  });
});

it("what came is paid when one of them fails, and the client gets one error", async () => {
  const broken = reply(400, { type: "error", error: { type: "invalid_request_error", message: "Too odd." } });
  wire.on("POST /v1/messages", message, broken);
  await expect(ask(2)).rejects.toMatchObject({ status: 400, message: expect.stringContaining("Too odd.") as string });
  const { outcome, status, code, terms, estimated } = await postern.receipt();
  expect({ outcome, status, code, estimated }).toEqual({
    outcome: "interrupted",
    status: 400,
    code: "invalid_value",
    estimated: false,
  });
  expect(terms.map(({ unit, quantity }) => [unit, quantity])).toEqual([
    ["input", 10],
    ["output", 1],
  ]);
});

it("those that were ended for it are paid by an estimate of their prompts", async () => {
  const broken = reply(400, { type: "error", error: { type: "invalid_request_error", message: "Too odd." } });
  wire.on("POST /v1/messages", message, silence, broken);
  // What failed is reported, not that the others were ended for it.
  await expect(ask(3)).rejects.toMatchObject({ status: 400, message: expect.stringContaining("Too odd.") as string });
  const { outcome, status, code, terms, estimated } = await postern.receipt();
  expect({ outcome, status, code, estimated }).toEqual({
    outcome: "interrupted",
    status: 400,
    code: "invalid_value",
    estimated: true,
  });
  expect(terms.find(({ unit }) => unit === "input")?.quantity).toBeGreaterThan(10);
});
