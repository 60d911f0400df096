import { basename } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ConnectionTest, ConnectionView } from "../../../../gateway/contract/connection.ts";
import type { State } from "../../../../gateway/contract/control.ts";
import { systemClock } from "../../../../gateway/lib/clock.ts";
import { silentLog } from "../../../../gateway/lib/log.ts";
import { openFolder } from "../../../../gateway/start.ts";
import { fileSealer } from "../../../../gateway/store/data-key.ts";
import type { StoredConnection } from "../../../../gateway/store/document.ts";
import { startProvider, type MockProvider } from "../../../support/mock-provider.ts";
import { errorOf, startGateway, type TestGateway } from "../../../support/running-gateway.ts";

const SECRET = "sk-of-the-first-address-0001";
const OTHER = "sk-of-the-second-address-0002";
let first: MockProvider;
let second: MockProvider;
let postern: TestGateway;
let id: string;
beforeEach(async () => {
  [first, second] = await Promise.all([startProvider(), startProvider()]);
  postern = await startGateway();
  ({ id } = await postern.ask<ConnectionView>("POST", "/connections", {
    provider: "openai",
    name: "Mine",
    base_url: first.baseUrl,
    keys: [SECRET],
  }));
});
afterEach(async () => {
  await postern.close();
  await Promise.all([first.close(), second.close()]);
});

const change = (body: unknown): Promise<Response> => postern.control("PATCH", `/connections/${id}`, body);
const keysAt = (provider: MockProvider): string[] => [...new Set(provider.chats.map(({ key }) => key))];

describe("another origin", () => {
  it("asks for the key again, and the stored one is sent nowhere else", async () => {
    const refused = await change({ base_url: second.baseUrl });
    expect(refused.status).toBe(400);
    expect(await errorOf(refused)).toMatchObject({ code: "missing_required_parameter", param: "keys" });
    await (await postern.chat()).text();
    expect([keysAt(first), keysAt(second), second.lists]).toEqual([[SECRET], [], 0]);
  });

  it.each([
    ["scheme", (url: string) => url.replace("http:", "https:")],
    ["host", (url: string) => url.replace("127.0.0.1", "localhost")],
    ["port", () => second.baseUrl],
  ])("is one by its %s alone", async (_name, make) => {
    expect((await change({ base_url: make(first.baseUrl) })).status).toBe(400);
  });

  it("is taken with the key for it, which then goes there", async () => {
    expect((await change({ base_url: second.baseUrl, keys: [OTHER] })).status).toBe(200);
    await (await postern.chat()).text();
    expect([keysAt(first), keysAt(second)]).toEqual([[], [OTHER]]);
  });

  it("is taken without a key where its owner wants none", async () => {
    expect((await change({ base_url: second.baseUrl, keys: [] })).status).toBe(200);
    await (await postern.chat()).text();
    expect(keysAt(second)).toEqual([""]);
  });

  it("is not another path", async () => {
    expect((await change({ base_url: `${first.baseUrl}/deeper/v1` })).status).toBe(200);
  });

  it("gets no stored key where the data themselves were changed to name it", async () => {
    await rewrite((record) => ({ ...record, base_url: second.baseUrl }));
    const [view] = (await postern.ask<{ data: ConnectionView[] }>("GET", "/connections")).data;
    expect(view).toMatchObject({ base_url: second.baseUrl, credentials: [{ state: "locked" }] });
    await (await postern.chat()).text();
    expect([keysAt(second), second.lists]).toEqual([[], 0]);
  });

  it("comes back with the key that it had when a backup is restored", async () => {
    const { path } = await postern.ask<{ path: string }>("POST", "/backup");
    await postern.ask("PATCH", `/connections/${id}`, { base_url: second.baseUrl, keys: [OTHER] });
    await postern.ask("POST", "/backups/restore", { name: basename(path) });
    await postern.stop();
    postern = await startGateway({ dataDir: postern.dataDir });
    await (await postern.chat()).text();
    expect([keysAt(first), keysAt(second)]).toEqual([[SECRET], []]);
  });
});

/** Changes the records of all connections as anyone who can write the folder might, and starts over. */
async function rewrite(change: (record: StoredConnection) => StoredConnection): Promise<void> {
  const { dataDir } = postern;
  await postern.stop();
  const how = { dataDir, sealer: fileSealer(), clock: systemClock, log: silentLog, version: "0" };
  const { store, lock } = await openFolder(how);
  const records = [...store.document.connections.values()];
  await store.commit(records.map((record) => ({ op: "put", in: "connections", record: change(record) })));
  await store.close();
  lock.release();
  postern = await startGateway({ dataDir });
}

/** An address for documentation, to which no machine has a way. */
const PUBLIC = "http://[2001:db8::7]/v1";

describe("plain http", () => {
  const make = (body: object): Promise<Response> =>
    postern.control("POST", "/connections", { provider: "openai-compatible", name: "Far", keys: [OTHER], ...body });

  it.each([PUBLIC, "http://8.8.8.8:8080/v1", "http://203.0.113.7/v1"])("to %s is refused", async (base_url) => {
    const refused = await make({ base_url });
    expect([refused.status, (await errorOf(refused)).param]).toEqual([400, "allow_http"]);
  });

  it("is taken where it is confirmed", async () => {
    const made = await make({ base_url: PUBLIC, allow_http: true });
    expect([made.status, await made.json()]).toMatchObject([200, { allow_http: true }]);
  });

  it("to this machine is taken as it is", async () => {
    const made = await make({ base_url: "http://localhost:1/v1" });
    expect([made.status, await made.json()]).toMatchObject([200, { allow_http: false }]);
  });

  it("that was confirmed for one origin is confirmed for no other", async () => {
    const { id: far } = (await (await make({ base_url: PUBLIC, allow_http: true })).json()) as ConnectionView;
    const moved = await postern.control("PATCH", `/connections/${far}`, {
      base_url: "http://[2001:db8::8]/v1",
      keys: [OTHER],
    });
    expect([moved.status, (await errorOf(moved)).param]).toEqual([400, "allow_http"]);
    expect((await postern.control("PATCH", `/connections/${far}`, { base_url: `${PUBLIC}/deeper/v1` })).status).toBe(
      200,
    );
  });

  it("of an earlier version's connection is reported, and can be disabled without being confirmed", async () => {
    const { id: far } = (await (await make({ base_url: PUBLIC, allow_http: true })).json()) as ConnectionView;
    await rewrite(({ allow_http: _missing, ...record }) => record);
    const test = await postern.ask<ConnectionTest>("POST", `/connections/${far}/test`);
    expect(test).toMatchObject({ ok: false, message: expect.stringContaining("not on a private network") as string });
    expect((await postern.control("PATCH", `/connections/${far}`, { enabled: false })).status).toBe(200);
  });

  it.each([
    [{}, 0, "POSTERN_COMPATIBLE_ALLOW_HTTP=on"],
    [{ POSTERN_COMPATIBLE_ALLOW_HTTP: "on" }, 1, null],
    [{ POSTERN_COMPATIBLE_ALLOW_HTTP: "perhaps" }, 0, "must be on or off"],
  ])("of the environment with %o is used by %i connections, or reported", async (env, count, reported) => {
    const other = await startGateway({ env: { POSTERN_COMPATIBLE_BASE_URL: PUBLIC, ...env } });
    try {
      expect((await other.ask<{ data: unknown[] }>("GET", "/connections")).data).toHaveLength(count);
      const { notices } = await other.ask<State>("GET", "/state");
      if (reported !== null) expect(notices.map(({ message }) => message).join(" ")).toContain(reported);
    } finally {
      await other.close();
    }
  });
});
