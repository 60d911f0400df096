import { expect, it } from "vitest";
import { useGateway } from "../../support/use-gateway.ts";
import { errorOf } from "../../support/running-gateway.ts";

const postern = useGateway();

const LOGINS = [
  "https://user:PASSWORD@lists.example/prices.json",
  "https://PASSWORD@lists.example/prices.json",
  "https://lists.example/prices.json?token=PASSWORD",
  "https://lists.example/prices.json?a=1&API_KEY=PASSWORD",
  "https://lists.example/prices.json?a=hf_PASSWORDPASSWORD12",
  "https://lists.example/prices.json#PASSWORD",
];

it.each(["searxng_url", "price_list_url", "otlp_endpoint"])("%s takes no address with a login", async (setting) => {
  for (const address of LOGINS) {
    const response = await postern.control("PATCH", "/settings", { [setting]: address });
    const error = await errorOf(response);
    expect([response.status, error.code, error.param], address).toEqual([400, "invalid_value", setting]);
    expect(error.message).not.toContain("PASSWORD");
  }
  expect(await postern.ask("GET", "/settings")).toMatchObject({ [setting]: null });
});

it("a price list may have a query that is no key, a receiver none, and no token in its path", async () => {
  const list = "https://lists.example/prices.json?format=json&ref=main";
  await postern.ask("PATCH", "/settings", { price_list_url: list });
  expect(await postern.ask("GET", "/settings")).toMatchObject({ price_list_url: list });
  for (const path of ["?format=json", "/v1/a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6"])
    expect(
      (await postern.control("PATCH", "/settings", { otlp_endpoint: `https://otlp.example${path}` })).status,
      path,
    ).toBe(400);
});

it.each([
  ["otlp_endpoint", "http://8.8.8.8:4318"],
  ["searxng_url", "http://8.8.8.8/search"],
  ["price_list_url", "http://8.8.8.8:8080/prices.json"],
  ["price_list_url", "https://192.168.1.5/prices.json"],
  ["price_list_url", "ftp://lists.example/prices.json"],
])("%s takes no %s, to which nothing would be sent", async (setting, address) => {
  const error = await errorOf(await postern.control("PATCH", "/settings", { [setting]: address }));
  expect([error.code, error.param]).toEqual(["invalid_value", setting]);
});

it.each([
  ["otlp_endpoint", "http://127.0.0.1:4318"],
  ["otlp_endpoint", "https://8.8.8.8:4318"],
  ["searxng_url", "http://192.168.1.5:8080"],
  ["price_list_url", "http://lists.example/prices.json"],
])("%s takes %s", async (setting, address) => {
  expect((await postern.control("PATCH", "/settings", { [setting]: address })).status).toBe(200);
});

it("plain http may go to an allowed target, which the same change may name", async () => {
  const change = { price_list_url: "http://192.168.1.5:8080/prices.json", allow_targets: ["192.168.1.5:8080"] };
  expect((await postern.control("PATCH", "/settings", change)).status).toBe(200);
});
