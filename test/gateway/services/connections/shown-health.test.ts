import { afterEach, beforeEach, expect, it } from "vitest";
import type { ConnectionTest, ConnectionView } from "../../../../gateway/contract/connection.ts";
import type { ModelView } from "../../../../gateway/contract/model-view.ts";
import { failure } from "../../../support/acts.ts";
import { modelList, startProvider, type MockProvider } from "../../../support/mock-provider.ts";
import { CHAT, startGateway, type TestGateway } from "../../../support/running-gateway.ts";

/** What is shown of a provider's health and size agrees with what its calls do. */
let provider: MockProvider;
let postern: TestGateway;
beforeEach(async () => {
  provider = await startProvider();
});
afterEach(async () => {
  await postern.close();
  await provider.close();
});

/** A compatible server, whose models are asked for and served as `any-model`. */
async function start(): Promise<void> {
  provider.list = modelList(["any-model"]);
  postern = await startGateway({ env: { POSTERN_NO_SANDBOX: "1" } });
  const input = { provider: "openai-compatible", name: "Home", base_url: provider.baseUrl, keys: ["sk-home-0001"] };
  const { id } = await postern.ask<ConnectionView>("POST", "/connections", input);
  await test(id);
}
const view = async (): Promise<ConnectionView> => {
  const [only] = (await postern.ask<{ data: ConnectionView[] }>("GET", "/connections")).data;
  if (only === undefined) throw new Error("there is no connection");
  return only;
};
const test = (id: string): Promise<ConnectionTest> => postern.ask("POST", `/connections/${id}/test`, {});
const call = async (model: string): Promise<number> => (await postern.chat({ ...CHAT, model })).status;
/** A model that no one knows makes Postern ask for the lists by itself. */
const listAgain = async (): Promise<void> => expect(await call("nobody-has-this")).toBe(404);

it.each([
  ["fails", 500],
  ["is not for this key", 401],
])("a list that %s says nothing of a key whose calls work", async (_how, status) => {
  await start();
  expect(await call("any-model")).toBe(200);
  provider.list = failure(status);
  await listAgain();
  const { credentials } = await view();
  expect(credentials).toMatchObject([{ state: "ready", reason: null }]);
  expect(await call("any-model")).toBe(200);
});

it("a list that fails counts where the last call failed too, or none was made", async () => {
  await start();
  provider.list = failure(500);
  await listAgain();
  expect((await view()).credentials).toMatchObject([{ state: "failed", unreachable: false }]);
});

it("a test that the owner asked for counts whatever calls did", async () => {
  await start();
  expect(await call("any-model")).toBe(200);
  provider.list = failure(401);
  const { id } = await view();
  expect(await test(id)).toMatchObject({ ok: false, problem: "refused" });
  expect((await view()).credentials).toMatchObject([{ state: "refused" }]);
});

it("whether anybody was there is reported", async () => {
  await start();
  await provider.close();
  const { id } = await view();
  await test(id);
  expect((await view()).credentials).toMatchObject([{ state: "failed", unreachable: true }]);
});

it("when it last went well is reported, by tests and by calls", async () => {
  await start();
  const tested = (await view()).last_success_at ?? 0;
  expect(tested).toBeGreaterThan(0);
  provider.list = failure(500);
  expect(await call("any-model")).toBe(200);
  expect((await view()).last_success_at ?? 0).toBeGreaterThanOrEqual(tested);
});

it("has as many models as the list of models says that it serves", async () => {
  await start();
  provider.list = modelList(["any-model", "any-model", "gpt-4.1", "whisper-1", "text-moderation-latest"]);
  await test((await view()).id);
  const { data } = await postern.ask<{ data: ModelView[] }>("GET", "/models");
  const served = data.filter(({ served: is, connections }) => is && connections.includes("Home"));
  expect((await view()).models.count).toBe(served.length);
  expect(served.length).toBeLessThan(5);
});
