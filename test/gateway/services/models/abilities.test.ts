import { expect, it } from "vitest";
import type { ModelView } from "../../../../gateway/contract/model-view.ts";
import { allModels } from "../../../../gateway/catalog/lookup.ts";
import { getAbilities } from "../../../../gateway/services/models/served-model.ts";
import { providersAt } from "../../../support/running-gateway.ts";
import { reply } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

/** What models take, as the pages are informed: from the catalog, and from the lists of those who serve them. */
const wire = useWire();
const postern = useGateway(() => {
  const mistral = (id: string, vision: boolean) => ({ id, object: "model", capabilities: { vision } });
  wire.on(
    "GET /mistral/v1/models",
    reply(200, {
      data: [mistral("mistral-large-2512", false), mistral("mistral-next-9", true), { id: "mistral-medium-latest" }],
    }),
  );
  const env = providersAt({ MISTRAL: `${wire.origin}/mistral/v1`, DEEPSEEK: `${wire.origin}/deepseek` });
  return { env };
});

it.each<[string, string, ModelView["abilities"]]>([
  ["the list of its provider before the catalog", "mistral-large-latest", { pictures: false }],
  ["the catalog", "mistral-medium-latest", { pictures: true, tools: true }],
  ["the list alone", "mistral-next-9", { pictures: true }],
  ["nobody", "mistral-large-4-0", undefined],
  ["the catalog, that it does not", "deepseek-v4-flash", { pictures: true, tools: true, json_schema: false }],
])("are reported by %s", async (_, id, abilities) => {
  const { data } = await postern.ask<{ data: ModelView[] }>("GET", "/models");
  expect(data.find((model) => model.id === id)?.abilities).toEqual(abilities);
});

it("are known of a model that no provider serves, where it has a name or a price", async () => {
  const set = await postern.control("POST", "/models/alias", { name: "tiny", model: "o3-mini" });
  expect(set.status).toBe(200);
  const { data } = await postern.ask<{ data: ModelView[] }>("GET", "/models");
  expect(data.find(({ id }) => id === "o3-mini")).toMatchObject({
    served: false,
    abilities: { pictures: false, tools: true, json_schema: true },
  });
});

it("stand in the catalog for models that converse, and for no others", () => {
  const known = allModels().filter(({ abilities }) => abilities !== undefined);
  expect(known.filter(({ capabilities }) => !capabilities.includes("chat")).map(({ id }) => id)).toEqual([]);
  expect(known.length).toBeGreaterThan(60);
});

it("go from the list before those of the catalog, one by one", () => {
  const spec = allModels().find(({ id }) => id === "claude-opus-4-6") ?? null;
  const listedAbilities = { json_schema: false };
  expect(getAbilities({ spec, discovered: null, listedAbilities })).toEqual({ ...spec?.abilities, json_schema: false });
});
