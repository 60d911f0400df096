import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { ConnectionView } from "../../../../gateway/contract/connection.ts";
import { CHAT, errorOf } from "../../../support/running-gateway.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

const VALUE = "team-secret-value-0001";
const provider = useProvider();
const other = useProvider();
const postern = useGateway(() => ({}));
let id: string;

const change = (body: unknown): Promise<Response> => postern.control("PATCH", `/connections/${id}`, body);
const changed = async (body: unknown): Promise<ConnectionView> => {
  const response = await change(body);
  expect(response.status).toBe(200);
  return (await response.json()) as ConnectionView;
};
const lastRequest = () => provider.chats.at(-1) ?? expect.fail("no chat arrived");
const sentBody = (): unknown => JSON.parse(lastRequest().body.toString());

beforeEach(async () => {
  provider.reset();
  other.reset();
  const { data } = await postern.ask<{ data: ConnectionView[] }>("GET", "/connections");
  await Promise.all(data.map((each) => postern.control("DELETE", `/connections/${each.id}`)));
  ({ id } = await postern.ask<ConnectionView>("POST", "/connections", {
    provider: "openai",
    name: "Mine",
    base_url: provider.baseUrl,
    keys: ["sk-key-of-mine-0001"],
    headers: `X-Team: ${VALUE}\nuser-agent: Mine/1`,
    body: { top_k: 20, metadata: { team: "a" } },
  }));
});

describe("header fields", () => {
  it("go with each request, and the provider's key stays", async () => {
    await (await postern.chat()).text();
    expect(lastRequest().headers).toMatchObject({
      "x-team": VALUE,
      "user-agent": "Mine/1",
      authorization: "Bearer sk-key-of-mine-0001",
    });
  });

  it("are shown without their values, which are in no file as they are", async () => {
    const { data } = await postern.ask<{ data: ConnectionView[] }>("GET", "/connections");
    expect(data[0]?.headers).toBe("x-team: ***\nuser-agent: ***");
    const files = await readdir(postern.dataDir, { recursive: true, withFileTypes: true });
    for (const file of files.filter((each) => each.isFile()))
      expect(await readFile(join(file.parentPath, file.name), "latin1"), file.name).not.toContain(VALUE);
  });

  it("keep a value by ***, and lose what is left out", async () => {
    expect(await changed({ headers: "x-team: ***\nx-more: 2" })).toMatchObject({ headers: "x-team: ***\nx-more: ***" });
    await (await postern.chat()).text();
    expect(lastRequest().headers).toMatchObject({ "x-team": VALUE, "x-more": "2" });
    expect(lastRequest().headers["user-agent"]).not.toBe("Mine/1");
  });

  it("go to no other address unless they are given for it", async () => {
    const refused = await change({ base_url: other.baseUrl, keys: ["sk-key-of-other-0001"] });
    expect(await errorOf(refused)).toMatchObject({ code: "missing_required_parameter", param: "headers" });
    await changed({ base_url: other.baseUrl, keys: ["sk-key-of-other-0001"], headers: "x-team: another" });
    await (await postern.chat()).text();
    expect(other.chats.at(-1)?.headers).toMatchObject({ "x-team": "another" });
    expect(provider.chats).toEqual([]);
  });

  it.each([
    ["Authorization: Bearer sk-x"],
    ["x-api-key: sk-x"],
    ["Host: example.com"],
    ["content-length: 3"],
    ["Cookie: a=b"],
    ["x-postern-instance: 1"],
    ["no field"],
    ["x-new: ***"],
  ])("refuse %s", async (headers) => {
    const refused = await change({ headers });
    expect(refused.status).toBe(400);
    expect(await errorOf(refused)).toMatchObject({ param: "headers" });
  });
});

describe("body fields", () => {
  it("go where a request has none of that name", async () => {
    await (await postern.chat({ ...CHAT, metadata: { team: "own" } })).text();
    expect(sentBody()).toMatchObject({ top_k: 20, metadata: { team: "own" } });
    await (await postern.chat()).text();
    expect(sentBody()).toMatchObject({ top_k: 20, metadata: { team: "a" } });
    await changed({ body: {} });
    await (await postern.chat()).text();
    expect(sentBody()).not.toHaveProperty("top_k");
  });

  it("go with translated requests too", async () => {
    const body = { model: CHAT.model, max_tokens: 50, messages: [{ role: "user", content: "Hi" }] };
    await (await postern.post("/messages", body)).text();
    expect(sentBody()).toMatchObject({ top_k: 20 });
  });

  it.each(["model", "stream", "service_tier", "n"])("leave %s to the request", async (name) => {
    const refused = await change({ body: { [name]: 1 } });
    expect(await errorOf(refused)).toMatchObject({ param: expect.stringContaining("body") });
  });
});

it("keeps the provider's key apart from headers and the login of a proxy", async () => {
  await changed({
    headers: "x-team: another-value-0002",
    proxy: "http://user:password-of-the-proxy@127.0.0.1:9",
    keys: ["sk-key-of-mine-0002"],
  });
  const view = await changed({ proxy: "direct" });
  expect(view.credentials.map(({ hint }) => hint)).toEqual(["sk-ke…0002"]);
  await (await postern.chat()).text();
  expect(lastRequest().headers["authorization"]).toBe("Bearer sk-key-of-mine-0002");
});

describe("in the file of a set-up", () => {
  const writeFile = async (passphrase: string | null): Promise<string> =>
    (
      await postern.ask<{ text: string }>(
        "POST",
        "/setup/export",
        passphrase === null ? {} : { passphrase, page_token: postern.gateway.issueConsent() },
      )
    ).text;

  it("values are encrypted with the passphrase, and come along", async () => {
    const text = await writeFile("a passphrase of the owner");
    expect(text).not.toContain(VALUE);
    await postern.control("DELETE", `/connections/${id}`);
    const read = { text, passphrase: "a passphrase of the owner" };
    const plan = await postern.ask<{ token: string; changes: unknown }>("POST", "/setup/preview", read);
    expect(JSON.stringify(plan)).not.toContain(VALUE);
    await postern.ask("POST", "/setup/apply", { ...read, token: plan.token });
    await (await postern.chat()).text();
    expect(lastRequest().headers).toMatchObject({ "x-team": VALUE });
    expect(sentBody()).toMatchObject({ top_k: 20 });
  });

  it("values stay as they are where the file has none", async () => {
    const text = await writeFile(null);
    expect(text).not.toContain("x-team");
    const plan = await postern.ask<{ changes: unknown[] }>("POST", "/setup/preview", { text });
    expect(plan.changes).toEqual([]);
  });
});
