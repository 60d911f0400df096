import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { reply, type WireAct } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";
import { providersAt } from "../../../support/running-gateway.ts";
import { completionBody } from "../../../support/acts.ts";

/** What becomes of calls whose models have all failed, now or lately: no turn of an agent is lost while one is well again. */
const clock = new TestClock();
const first = useWire();
const second = useWire();

const MODELS = ["deepseek-chat", "mistral-large-latest"];
const says = (content: string): WireAct => reply(200, completionBody(content));
const fails = (status: number, headers: Record<string, string> = {}): WireAct =>
  reply(status, { error: { message: `error ${status}`, type: "error", code: null } }, headers);
const firstDoes = (...acts: readonly WireAct[]): unknown => first.on("POST /v1/chat/completions", ...acts);
const secondDoes = (...acts: readonly WireAct[]): unknown => second.on("POST /v1/chat/completions", ...acts);
const setRoute = (models: readonly string[]): Promise<unknown> =>
  postern.ask("POST", "/routes", { name: "work", models });
const messages = [{ role: "user", content: "Say who you are." }];
async function ask(): Promise<string> {
  return (await postern.chat({ model: "work", messages })).text();
}
const requests = (): readonly number[] => [first, second].map(({ seen }) => seen.length);
const passed = ({ route }: Receipt): readonly string[] =>
  route?.passed.map(({ model, reason, provider = "nobody" }) => `${model} ${reason} ${provider}`) ?? [];

const postern = useGateway(() => ({
  clock,
  env: providersAt({ DEEPSEEK: `${first.origin}/v1`, MISTRAL: `${second.origin}/v1` }),
}));
beforeEach(() => setRoute(MODELS));
/** What failed in the test before is well again. */
afterEach(async () => {
  clock.advance(10 * 60_000);
  firstDoes(says("first"));
  secondDoes(says("second"));
  await setRoute(MODELS);
  await ask();
  await setRoute(MODELS.toReversed());
  await ask();
  for (const provider of [first, second]) provider.seen.length = 0;
});

describe.each([
  ["is out of credit", 402, "no_credit"],
  ["refuses its key", 401, "unavailable"],
  ["is asked too fast", 429, "unavailable"],
] as const)("where the first model %s", (_name, status, reason) => {
  beforeEach(async () => {
    firstDoes(fails(status, { "retry-after": "30" }), says("first again"));
    secondDoes(says("second"));
    expect(await ask()).toContain("second");
  });

  it("leaves it alone while another responds", async () => {
    expect(await ask()).toContain("second");
    expect(requests()).toEqual([1, 2]);
    expect(passed(await postern.receipt())).toEqual([`deepseek-chat ${reason} nobody`]);
  });

  it.each([402, 401, 429, 500, 529])("asks it after all, once the other one fails with %i", async (other) => {
    secondDoes(fails(other, { "retry-after": "30" }));
    expect(await ask()).toContain("first again");
    expect(await postern.receipt()).toMatchObject({ model: "deepseek-chat", outcome: "completed" });
    expect(passed(await postern.receipt())).toEqual(["mistral-large-latest failed mistral"]);
  });
});

it("goes on in a session in which each turn's first attempt fails, at any provider", async () => {
  // 500 is tried again at once where no one else is left.
  for (const status of [402, 429, 401, 500, 402, 529, 401, 429, 402]) {
    let failed = false;
    const failsOnce =
      (name: string): WireAct =>
      (seen, outgoing) => {
        const act = failed ? says(name) : fails(status, { "retry-after": "30" });
        failed = true;
        return act(seen, outgoing);
      };
    firstDoes(failsOnce("first"));
    secondDoes(failsOnce("second"));
    const text = await ask();
    expect(text, String(status)).toMatch(/first|second/);
    expect(text).not.toContain("error");
  }
});

it("tries the last one that is well again for a moment, before those that are not", async () => {
  firstDoes(fails(402), says("first again"));
  secondDoes(says("second"));
  await ask();
  secondDoes(fails(500), says("second again"));
  expect(await ask()).toContain("second again");
  expect(requests()).toEqual([1, 3]);
});

it("tells the failure where none has recovered, having asked each for the last time", async () => {
  firstDoes(fails(402));
  secondDoes(says("second"));
  await ask();
  secondDoes(fails(402));
  expect(await ask()).toContain("out of credit");
  expect(requests()).toEqual([2, 2]);
  expect(passed(await postern.receipt())).toEqual([
    "mistral-large-latest failed mistral",
    "deepseek-chat failed deepseek",
  ]);
});

it("leaves the only model of a route alone while its key is refused, as without a route", async () => {
  await setRoute(["deepseek-chat"]);
  firstDoes(fails(401));
  await ask();
  await ask();
  expect(requests()).toEqual([1, 0]);
  expect(passed(await postern.receipt())).toEqual(["deepseek-chat failed nobody"]);
});
