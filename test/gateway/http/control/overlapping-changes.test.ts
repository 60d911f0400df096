import { rm } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ConnectionView } from "../../../../gateway/contract/connection.ts";
import type { Settings } from "../../../../gateway/contract/settings.ts";
import type { ModelView } from "../../../../gateway/contract/model-view.ts";
import type { CreatedKey, KeyView } from "../../../../gateway/contract/key.ts";
import { ChildGateway } from "../../../support/child-gateway.ts";
import { KEY, startGateway, temporaryFolder, type TestGateway } from "../../../support/running-gateway.ts";

const MANY = 60;
let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.close());

const made = (count: number, prefix: string): Promise<CreatedKey[]> =>
  Promise.all(
    Array.from({ length: count }, (_, at) => gateway.ask<CreatedKey>("POST", "/keys", { name: `${prefix} ${at}` })),
  );

async function restart(): Promise<void> {
  await gateway.stop();
  gateway = await startGateway({ dataDir: gateway.dataDir });
}

/** How the model list answers the keys. */
const statuses = (secrets: readonly string[]): Promise<number[]> =>
  Promise.all(
    secrets.map(async (secret) => {
      const response = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${secret}` } });
      return response.status;
    }),
  );

describe("changes that overlap", () => {
  it("bring no key back that was revoked, now and after a restart", async () => {
    const keys = await made(MANY, "to revoke");
    await Promise.all(
      keys.flatMap(({ key: { id } }, at) => [
        gateway.control("PATCH", `/keys/${id}`, { name: `changed ${at}` }),
        gateway.ask("DELETE", `/keys/${id}`),
        gateway.control("PATCH", `/keys/${id}`, { rpm: 10 }),
      ]),
    );
    const secrets = keys.map(({ secret }) => secret);
    expect(await statuses(secrets)).toEqual(secrets.map(() => 401));
    await restart();
    expect(await statuses(secrets)).toEqual(secrets.map(() => 401));
  });

  it("of one key are all kept", async () => {
    const keys = await made(MANY, "to change");
    const expected = { name: "changed", limit_usd: 5, rpm: 7, concurrency: 3, reset: "daily" } as const;
    await Promise.all(
      keys.flatMap(({ key }) =>
        Object.entries(expected).map(([field, value]) => gateway.ask("PATCH", `/keys/${key.id}`, { [field]: value })),
      ),
    );
    await restart();
    const ids = new Set(keys.map(({ key }) => key.id));
    const { data } = await gateway.ask<{ data: KeyView[] }>("GET", "/keys");
    const found = data.filter(({ id }) => ids.has(id));
    expect(found).toHaveLength(MANY);
    for (const key of found) expect(key).toMatchObject(expected);
  });

  it("of the settings are all kept", async () => {
    const expected: Partial<Settings> = {
      monthly_budget_usd: 12,
      media_keep_days: 30,
      media_max_gib: 4,
      record_keep_days: 3,
      record_max_mib: 99,
      backup_keep: 2,
      allow_targets: ["127.0.0.1:3000"],
    };
    await Promise.all(
      Object.entries(expected).map(([field, value]) => gateway.ask("PATCH", "/settings", { [field]: value })),
    );
    await restart();
    expect(await gateway.ask("GET", "/settings")).toMatchObject(expected);
  });

  it("of a connection are all kept, its key among them, and no two get one name", async () => {
    const input = { provider: "openai-compatible", base_url: "http://127.0.0.1:9/v1" };
    const create = (name: string): Promise<Response> =>
      gateway.control("POST", "/connections", { ...input, name, keys: ["sk-provider-key-before"] });
    const responses = await Promise.all([create("One"), create("one")]);
    expect(responses.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]));
    const [created] = responses.filter(({ ok }) => ok) as [Response];
    const { id } = (await created.json()) as ConnectionView;
    await Promise.all([
      gateway.ask("PATCH", `/connections/${id}`, { priority: 5 }),
      gateway.ask("PATCH", `/connections/${id}`, { keys: ["sk-provider-key-after-1"] }),
      gateway.ask("PATCH", `/connections/${id}`, { enabled: false }),
      gateway.ask("PATCH", `/connections/${id}`, { keys: ["sk-provider-key-after-2"] }),
    ]);
    await restart();
    const { data } = await gateway.ask<{ data: ConnectionView[] }>("GET", "/connections");
    expect(data).toMatchObject([{ priority: 5, enabled: false, credentials: [{ state: "ready" }] }]);
    expect(data[0]?.credentials[0]?.hint).toMatch(/er-[12]$/);
  });

  it("of names and prices of one's own are all kept", async () => {
    const names = Array.from({ length: 30 }, (_, at) => `model-${at}`);
    await Promise.all(
      names.flatMap((model, at) => [
        gateway.ask("POST", "/models/alias", { name: `mine-${at}`, model }),
        gateway.ask("POST", "/models/price", { model, rates: { input: at + 1, output: 2 } }),
      ]),
    );
    await restart();
    const { data } = await gateway.ask<{ data: ModelView[] }>("GET", "/models");
    for (const [at, id] of names.entries())
      expect(data.find((model) => model.id === id)).toMatchObject({
        aliases: [`mine-${at}`],
        own_price: true,
      });
  });
});

it("what was acknowledged before a kill is there after it, whatever it overlapped with", async () => {
  const dataDir = await temporaryFolder();
  const env = { POSTERN_SANDBOX: "off", POSTERN_KEYS: JSON.stringify([{ key: KEY, name: "unlimited" }]) };
  const start = async () => {
    const child = new ChildGateway(["--port", "0", "--data-dir", dataDir, "--json"], env);
    const { url, ui } = await child.ready();
    const token = new URL(ui).hash.slice("#token=".length);
    const session = await fetch(`${url}/control/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token }),
    });
    const { bearer } = (await session.json()) as { bearer: string };
    const control = (method: string, path: string, body?: unknown): Promise<Response> =>
      fetch(`${url}/control${path}`, {
        method,
        headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    return { child, url, control };
  };
  const first = await start();
  const keys: CreatedKey[] = [];
  for (let at = 0; at < 40; at += 1)
    keys.push((await (await first.control("POST", "/keys", { name: `key ${at}` })).json()) as CreatedKey);
  const revoked: string[] = [];
  const limited: string[] = [];
  const work = keys.flatMap(({ key, secret }, at) => [
    first.control("PATCH", `/keys/${key.id}`, { name: "changed" }),
    at % 2 === 0
      ? first.control("DELETE", `/keys/${key.id}`).then(({ status }) => status === 200 && revoked.push(secret))
      : first
          .control("PATCH", `/keys/${key.id}`, { rpm: 9 })
          .then(({ status }) => status === 200 && limited.push(key.id)),
    first.control("PATCH", `/keys/${key.id}`, { concurrency: 4 }),
  ]);
  const settled = Promise.allSettled(work);
  while (revoked.length < 5) await new Promise(setImmediate);
  first.child.kill("SIGKILL");
  await Promise.all([settled, first.child.exited]);
  const second = await start();
  try {
    for (const secret of revoked) {
      const response = await fetch(`${second.url}/v1/models`, { headers: { authorization: `Bearer ${secret}` } });
      expect(response.status).toBe(401);
    }
    const { data } = (await (await second.control("GET", "/keys")).json()) as { data: KeyView[] };
    for (const id of limited) expect(data.find((key) => key.id === id)).toMatchObject({ rpm: 9 });
  } finally {
    second.child.kill("SIGTERM");
    await second.child.exited;
    await rm(dataDir, { recursive: true, force: true });
  }
});
