import { beforeAll, expect, it } from "vitest";
import type { ConnectionView } from "../../../../gateway/contract/connection.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const wire = useWire();
let requestCount = 0;

beforeAll(async () => {
  wire.on("GET /v1/models", () => {
    requestCount += 1;
  });
});
const postern = useGateway(() => ({ env: { POSTERN_VOYAGE_BASE_URL: wire.origin, POSTERN_VOYAGE_API_KEY: "pa-x" } }));

const connections = async (): Promise<ConnectionView[]> =>
  (await postern.ask<{ data: ConnectionView[] }>("GET", "/connections")).data;

it("is never asked for a list of models, and serves those of the catalog", async () => {
  const [voyage] = await connections();
  expect(voyage?.models.error).toBeNull();
  const tested = await postern.ask<{ ok: boolean }>("POST", `/connections/${voyage?.id ?? ""}/test`);
  expect(tested.ok).toBe(true);
  expect(requestCount).toBe(0);
  const ids: string[] = [];
  for await (const { id } of postern.sdk().models.list()) ids.push(id);
  expect(ids).toEqual(["eta-4-large", "eta-4", "eta-4-lite"]);
});

it.each([
  ["al-x", "https://ai.mongodb.com/v1"],
  ["pa-x", "https://api.voyageai.com/v1"],
])("keys like %s are at home at %s", async (key, home) => {
  const made = await postern.ask<ConnectionView>("POST", "/connections", {
    provider: "voyage",
    name: key,
    keys: [key],
  });
  expect(made.base_url).toBe(home);
});
