import { afterEach, beforeEach, expect, it } from "vitest";
import type { ConnectionView } from "../../../../gateway/contract/connection.ts";
import { completionBody } from "../../../support/acts.ts";
import { providersAt, startGateway, until, type TestGateway } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { WireProvider, reply, type WireAct } from "../../../support/wire-provider.ts";

/** Credit that a provider reports: what is shown of it, the notice, and how routes take it. */
let deepseek: WireProvider;
let spare: WireProvider;
const clock = new TestClock();
/** Work that waits for its time; only a test starts it. */
const waiting = new Set<() => void>();
let postern: TestGateway;

const PATH = "GET /user/balance";
const CHAT = "POST /v1/chat/completions";
const MODEL = "deepseek-v4-flash";
const has = (total_balance: string, is_available = true): WireAct =>
  reply(200, { is_available, balance_infos: [{ currency: "USD", total_balance }] });
const readings = (): number => deepseek.seen.filter(({ path }) => path === "/user/balance").length;
const view = async (): Promise<ConnectionView> => {
  const { data } = await postern.ask<{ data: ConnectionView[] }>("GET", "/connections");
  const found = data.find(({ provider }) => provider === "deepseek");
  if (found === undefined) throw new Error("there is no connection");
  return found;
};
const credit = async () => (await view()).credentials[0]?.credit;
const test = async (): Promise<unknown> => postern.ask("POST", `/connections/${(await view()).id}/test`, {});
const notices = (): readonly string[] => postern.gateway.state().notices.map(({ message }) => message);
const setRoute = (models: readonly string[]): Promise<unknown> =>
  postern.ask("POST", "/routes", { name: "work", models });
const ask = (model = "work"): Promise<Response> =>
  postern.chat({ model, messages: [{ role: "user", content: "Hello." }] });
const listOf = (id: string): WireAct => reply(200, { object: "list", data: [{ id, object: "model" }] });

async function connect(change: object = {}): Promise<void> {
  await postern.ask("POST", "/connections", {
    provider: "deepseek",
    name: "DeepSeek",
    base_url: `${deepseek.origin}/v1`,
    keys: ["sk-deepseek-0001"],
    headers: "X-Team: blue",
    ...change,
  });
  await until(async () => (await credit())?.read_at != null);
}

beforeEach(async () => {
  waiting.clear();
  [deepseek, spare] = [new WireProvider(), new WireProvider()];
  await Promise.all([deepseek, spare].map((provider) => provider.listen()));
  deepseek
    .on("GET /v1/models", listOf(MODEL))
    .on(PATH, has("1.20"))
    .on(CHAT, reply(200, completionBody("Deep.")));
  spare.on("GET /v1/models", listOf("spare")).on(CHAT, reply(200, completionBody("Spare.")));
  postern = await startGateway({
    clock,
    later: (_ms, work) => {
      waiting.add(work);
      return () => waiting.delete(work);
    },
    backoff: (_ms, work) => {
      queueMicrotask(work);
      return () => undefined;
    },
    env: { ...providersAt({}), POSTERN_COMPATIBLE_BASE_URL: `${spare.origin}/v1` },
  });
});
afterEach(async () => {
  await postern.close();
  await Promise.all([deepseek, spare].map((provider) => provider.close()));
});

/** Time passes, and whatever is due then starts. */
function passTime(ms = 5 * 60_000): void {
  clock.advance(ms + 1);
  const due = [...waiting];
  waiting.clear();
  for (const work of due) work();
}

it("Reads it for a new connection with its key and its own headers, and shows it with its time", async () => {
  const before = clock.now();
  await connect();
  const reading = await credit();
  expect(reading).toMatchObject({ balances: [{ currency: "USD", nano: 1_200_000_000 }], used_up: false, error: null });
  expect(reading?.read_at).toBeGreaterThanOrEqual(before);
  const { headers } = deepseek.seen.find(({ path }) => path === "/user/balance") ?? { headers: {} };
  expect(headers).toMatchObject({ authorization: "Bearer sk-deepseek-0001", "x-team": "blue" });
});

it("Reads it again every few minutes while the connection is used", async () => {
  await connect();
  passTime();
  expect(readings()).toBe(1);
  expect((await ask(MODEL)).status).toBe(200);
  expect((await ask(MODEL)).status).toBe(200);
  expect(readings()).toBe(1);
  deepseek.on(PATH, has("1.10"));
  passTime();
  await until(async () => (await credit())?.balances[0]?.nano === 1_100_000_000);
  expect(readings()).toBe(2);
});

it("Reads that of a new key in place of the old one", async () => {
  await connect();
  deepseek.on(PATH, has("7.00"));
  await postern.ask("PATCH", `/connections/${(await view()).id}`, { keys: ["sk-deepseek-0002"] });
  await until(async () => (await credit())?.balances[0]?.nano === 7_000_000_000);
  expect(deepseek.seen.at(-1)?.headers.authorization).toBe("Bearer sk-deepseek-0002");
});

it("Keeps the last reading when the next one fails, with the reason and without the key", async () => {
  await connect();
  const { read_at, balances } = (await credit()) ?? {};
  deepseek.on(PATH, reply(500, { error: { message: "no balance for sk-deepseek-0001 now" } }));
  await test();
  expect(await credit()).toMatchObject({ read_at, balances, used_up: false });
  expect((await credit())?.error).toMatch(/^no balance for (?!sk-deepseek-0001)/);
  deepseek.on(PATH, reply(200, { balance: "much" }));
  await test();
  expect((await credit())?.error).toContain("does not say");
  deepseek.on(PATH, has("3.00"));
  await test();
  expect(await credit()).toMatchObject({ balances: [{ nano: 3_000_000_000 }], error: null });
});

it("Shows none of a relay that has no such address", async () => {
  deepseek.on(PATH, reply(404, { error: { message: "nothing here" } }));
  await postern.ask("POST", "/connections", {
    provider: "deepseek",
    name: "Relay",
    base_url: deepseek.origin,
    keys: ["sk-relay-0001"],
  });
  await until(() => readings() > 0);
  await test();
  expect(await credit()).toBeNull();
});

it("Raises one notice below the user's amount, and takes it back above it", async () => {
  await connect();
  expect(notices()).toEqual([]);
  const { id } = await view();
  await postern.ask("PATCH", `/connections/${id}`, { credit_notice: 2.5 });
  await until(() => notices().length > 0);
  expect(notices()).toEqual(["DeepSeek has 1.20 USD left."]);
  expect((await view()).credit_notice).toBe(2.5);
  deepseek.on(PATH, has("1.00"));
  await test();
  expect(notices()).toHaveLength(1);
  deepseek.on(PATH, has("20.00"));
  await test();
  expect(notices()).toEqual([]);
});

it("Has a route pass a model over whose credit is used up, with the reason in the receipt", async () => {
  deepseek.on(PATH, has("0.00", false));
  await connect();
  await setRoute([MODEL, "spare"]);
  expect(await (await ask()).text()).toContain("Spare.");
  expect((await postern.receipt()).route?.passed).toEqual([{ model: MODEL, reason: "no_credit" }]);
  expect(deepseek.seen.some(({ path }) => path.endsWith("/chat/completions"))).toBe(false);
  deepseek.on(PATH, has("5.00"));
  passTime();
  await until(async () => (await credit())?.used_up === false);
  expect(await (await ask()).text()).toContain("Deep.");
});

it("Asks such a model if the others fail", async () => {
  deepseek.on(PATH, has("-0.01"));
  await connect();
  spare.on(CHAT, reply(503, { error: { message: "down" } }));
  await setRoute([MODEL, "spare"]);
  expect(await (await ask()).text()).toContain("Deep.");
  // The call has shown that the account works.
  expect(await (await ask()).text()).toContain("Deep.");
  expect((await postern.receipt()).route?.passed).toEqual([]);
});

it("Forgets a reading without credit that is old, as while none can be made", async () => {
  deepseek.on(PATH, has("0.00", false));
  await connect();
  await setRoute([MODEL, "spare"]);
  for (const message of ["down", "still down", "down all day"]) {
    deepseek.on(PATH, reply(500, { error: { message } }));
    passTime();
    await until(async () => (await credit())?.error === message);
  }
  expect(await (await ask()).text()).toContain("Deep.");
});

it("Reads it after a refusal for missing credit, a minute after the last time at the earliest", async () => {
  await connect();
  deepseek.on(CHAT, reply(402, { error: { message: "Insufficient Balance" } }));
  expect((await ask(MODEL)).status).toBe(503);
  expect(readings()).toBe(1);
  deepseek.on(PATH, has("0.00", false));
  passTime(60_000);
  await until(async () => (await credit())?.used_up === true);
  expect(readings()).toBe(2);
});

it("Shows it after a start without a network, with its time", async () => {
  await connect();
  const reading = await credit();
  const { dataDir } = postern;
  await postern.stop();
  await deepseek.close();
  postern = await startGateway({ dataDir, clock });
  await until(async () => (await credit())?.error != null);
  expect(await credit()).toMatchObject({ balances: reading?.balances, read_at: reading?.read_at });
});
