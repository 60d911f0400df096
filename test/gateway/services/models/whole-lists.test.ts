import { beforeEach, describe, expect, it } from "vitest";
import type { ConnectionView } from "../../../../gateway/contract/connection.ts";
import { chatModels, likelyModel } from "../../../../gateway/contract/likely-models.ts";
import type { ModelView } from "../../../../gateway/contract/model-view.ts";
import { allModels, findModel } from "../../../../gateway/catalog/lookup.ts";
import { CHAT, KEY, providersAt } from "../../../support/running-gateway.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";
import { reply } from "../../../support/wire-provider.ts";

/** A model that its provider's whole list does not have is offered nowhere, and sent all the same where it is named. */

const wire = useWire();
const LISTS = {
  "/openai/v1/models": ["gpt-5.4", "gpt-5.5-2026-04-23", "ft:gpt-4.1:house::1", "text-embedding-3-small"],
  "/anthropic/v1/models": ["claude-sonnet-4-5-20250929", "claude-haiku-4-5-20251001"],
  "/xai/v1/models": ["grok-4.3"],
  "/dashscope/compatible-mode/v1/models": ["qwen-max"],
};
const list = (ids: readonly string[]) =>
  reply(200, { object: "list", data: ids.map((id) => ({ id, object: "model" })) });
const postern = useGateway(() => {
  for (const [path, ids] of Object.entries(LISTS)) wire.on(`GET ${path}`, list(ids));
  const at = (path: string): string => wire.origin + path;
  const env = providersAt({
    OPENAI: at("/openai/v1"),
    ANTHROPIC: at("/anthropic"),
    XAI: at("/xai/v1"),
    DASHSCOPE: at("/dashscope"),
  });
  return { env, keys: [{ key: "sk-test-other-letters-01", name: "letters", models: ["GPT-5.4", "Claude-*"] }] };
});
beforeEach(() => {
  wire.reset();
  for (const [path, ids] of Object.entries(LISTS)) wire.on(`GET ${path}`, list(ids));
});

const idsFor = async (key = KEY): Promise<string[]> => (await postern.sdk(key).models.list()).data.map(({ id }) => id);
const views = async (): Promise<ModelView[]> => (await postern.ask<{ data: ModelView[] }>("GET", "/models")).data;
const ownedBy = (owner: string) => allModels().filter((model) => model.owner === owner && model.retired === undefined);

describe("a whole list", () => {
  it.each([
    ["openai", ["gpt-5.4", "gpt-5.5", "text-embedding-3-small"]],
    ["anthropic", ["claude-sonnet-4-5", "claude-haiku-4-5"]],
  ])("of %s is what is offered of its catalog", async (owner, offered) => {
    const ids = await idsFor();
    const videos = ownedBy(owner).flatMap(({ id, capabilities }) => (capabilities[0] === "video" ? [id] : []));
    const shown = ownedBy(owner).flatMap(({ id }) => (ids.includes(id) ? [id] : []));
    expect(shown.toSorted()).toEqual([...offered, ...videos].toSorted());
    expect(
      (await views())
        .flatMap(({ id, served }) => (served && ownedBy(owner).some((one) => one.id === id) ? [id] : []))
        .toSorted(),
    ).toEqual(shown.toSorted());
  });

  it("offers what no catalog has, and says nothing of kinds that it leaves out", async () => {
    const ids = await idsFor();
    expect(ids).toEqual(
      expect.arrayContaining(["ft:gpt-4.1:house::1", "gpt-5.5-2026-04-23", "claude-haiku-4-5-20251001"]),
    );
    for (const { id, capabilities } of [...ownedBy("xai"), ...ownedBy("dashscope")])
      expect([id, ids.includes(id)]).toEqual([
        id,
        !["chat", "image"].includes(capabilities[0] ?? "") || id === "grok-4.3" || findModel(id)?.owner === "dashscope",
      ]);
  });

  it("is what apps are set up with, and what is counted", async () => {
    const choices = chatModels(await views());
    expect(likelyModel("sonnet", choices)).toBe("claude-sonnet-4-5");
    expect(likelyModel("opus", choices)).not.toMatch(/opus/);
    const { data } = await postern.ask<{ data: ConnectionView[] }>("GET", "/connections");
    const videos = ownedBy("openai").filter(({ capabilities }) => capabilities[0] === "video").length;
    expect(data.find(({ provider }) => provider === "openai")?.models.count).toBe(5 + videos);
  });

  it("refuses nothing: the provider judges what a request names", async () => {
    wire.on(
      "POST /openai/v1/chat/completions",
      reply(404, { error: { message: "no access", code: "model_not_found" } }),
    );
    const response = await postern.chat({ ...CHAT, model: "GPT-4.1" });
    expect([response.status, wire.seen.length]).toEqual([404, 1]);
    expect(wire.seen[0]?.json).toMatchObject({ model: "gpt-4.1" });
    expect(
      await postern
        .sdk()
        .models.retrieve("gpt-4.1")
        .catch(({ status }: { status: number }) => status),
    ).toBe(404);
  });
});

it.each<[string, () => Parameters<typeof wire.on>[1]]>([
  ["that is empty", () => list([])],
  ["of names that no one knows, as relays have", () => list(["house/one", "house/two"])],
  ["that fails", () => reply(500, {})],
])("a list %s hides nothing", async (_, act) => {
  wire.on("GET /fresh/v1/models", act());
  const input = { provider: "mistral", name: "Fresh", base_url: `${wire.origin}/fresh/v1`, keys: ["k"] };
  const made = await postern.ask<ConnectionView>("POST", "/connections", input);
  await postern.ask("POST", `/connections/${made.id}/test`);
  const ids = await idsFor();
  for (const { id } of ownedBy("mistral")) expect(ids).toContain(id);
  await postern.ask("DELETE", `/connections/${made.id}`);
});

it("an id that its user adds is offered again", async () => {
  wire.on("GET /more/v1/models", list(["gpt-5.4"]));
  const input = {
    provider: "openai",
    name: "More",
    base_url: `${wire.origin}/more/v1`,
    keys: ["k"],
    models: [{ id: "GPT-4.1" }],
  };
  const made = await postern.ask<ConnectionView>("POST", "/connections", input);
  await postern.ask("POST", `/connections/${made.id}/test`);
  expect(await idsFor()).toContain("gpt-4.1");
  await postern.ask("DELETE", `/connections/${made.id}`);
  expect(await idsFor()).not.toContain("gpt-4.1");
});

describe("letter case", () => {
  it("means nothing in ids, names, routes, keys and prices, where no other id is meant", async () => {
    wire.on("POST /openai/v1/chat/completions", reply(400, { error: { message: "no" } }));
    await postern.ask("POST", "/models/alias", { name: "Small", model: "GPT-5.4" });
    await postern.ask("POST", "/models/price", { model: "Gpt-5.4", rates: { input: 7_000_000, output: 8_000_000 } });
    await postern.ask("POST", "/routes", { name: "Smart", models: ["gpt-5.4"] });
    await postern.ask("PATCH", "/settings", { routes: true });
    for (const model of ["GPT-5.4", "small", "SMALL", "smart"]) {
      wire.seen.length = 0;
      await postern.chat({ ...CHAT, model }, "sk-test-other-letters-01");
      expect([model, wire.seen[0]?.json]).toMatchObject([model, { model: "gpt-5.4" }]);
    }
    await postern.chat({ ...CHAT, model: "OPENAI/GPT-4.1" });
    expect(wire.seen.at(-1)?.json).toMatchObject({ model: "gpt-4.1" });
    expect((await views()).find(({ id }) => id === "gpt-5.4")).toMatchObject({ own_price: true, aliases: ["Small"] });
    expect(await idsFor("sk-test-other-letters-01")).toEqual(expect.arrayContaining(["gpt-5.4", "claude-haiku-4-5"]));
    expect((await postern.sdk().models.retrieve("GPT-5.4")).id).toBe("gpt-5.4");
  });
});
