import { rm } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { KeyView } from "../../../../gateway/contract/key.ts";
import { readEnvironment } from "../../../../gateway/services/connections/environment.ts";
import { Forecasts } from "../../../../gateway/services/budgets/forecasts.ts";
import { Events } from "../../../../gateway/services/events.ts";
import { KeyRing } from "../../../../gateway/services/keys/key-ring.ts";
import { ManageKeys } from "../../../../gateway/services/keys/manage-keys.ts";
import { completion } from "../../../support/acts.ts";
import { startProvider } from "../../../support/mock-provider.ts";
import { CHAT, errorOf, startGateway, temporaryFolder, type TestGateway } from "../../../support/running-gateway.ts";
import { open } from "../../store/fixtures.ts";
import { SimFs } from "../../store/sim-fs.ts";

const OLD = "sk-environment-key-of-2025";
const NEW = "sk-environment-key-of-2026";

let dataDir: string | null = null;
let postern: TestGateway | null = null;
afterEach(async () => {
  await postern?.close();
  if (dataDir !== null) await rm(dataDir, { recursive: true, force: true });
  postern = null;
});

async function start(env: Readonly<Record<string, string>>): Promise<TestGateway> {
  await postern?.stop();
  dataDir ??= await temporaryFolder();
  postern = await startGateway({ dataDir, env });
  return postern;
}

const keyNamed = async (gateway: TestGateway, name: string): Promise<KeyView | undefined> =>
  (await gateway.ask<{ data: KeyView[] }>("GET", "/keys")).data.find((key) => key.name === name);
const notices = async (gateway: TestGateway): Promise<string[]> =>
  (await gateway.ask<{ notices: { message: string }[] }>("GET", "/state")).notices.map(({ message }) => message);
const status = async (gateway: TestGateway, key: string): Promise<number> =>
  (await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status;

describe("a key that the environment does not name any more", () => {
  it("is refused from the next start on, is reported once, and keeps what it spent", async () => {
    const provider = await startProvider();
    const environment = { POSTERN_OPENAI_BASE_URL: provider.baseUrl, POSTERN_OPENAI_API_KEY: "sk-provider-key-0001" };
    provider.usual = completion();
    const first = await start({ ...environment, POSTERN_API_KEY: OLD });
    expect((await first.chat(CHAT, OLD)).status).toBe(200);
    const spent = (await keyNamed(first, "environment"))?.spent_nano;
    const second = await start({ ...environment, POSTERN_API_KEY: "" });
    const refused = await second.chat(CHAT, OLD);
    expect([refused.status, (await errorOf(refused)).code]).toEqual([401, "key_disabled"]);
    expect(await keyNamed(second, "environment")).toMatchObject({ state: "disabled", spent_nano: spent });
    expect(await notices(second)).toContainEqual(
      expect.stringContaining('does not name the key "environment" any more'),
    );
    const third = await start(environment);
    expect(await status(third, OLD)).toBe(401);
    expect((await notices(third)).filter((message) => message.includes("any more"))).toEqual([]);
    await provider.close();
  });

  it("works again when the environment names it again", async () => {
    await start({ POSTERN_API_KEY: OLD });
    await start({ POSTERN_API_KEY: NEW });
    const again = await start({ POSTERN_KEYS: JSON.stringify([{ key: OLD, name: "back" }]) });
    expect([await status(again, OLD), await status(again, NEW)]).toEqual([200, 401]);
  });

  it("leaves keys alone that were made on the pages", async () => {
    const first = await start({ POSTERN_API_KEY: OLD });
    const { secret } = await first.ask<{ secret: string }>("POST", "/keys", { name: "mine" });
    expect(await status(await start({}), secret)).toBe(200);
  });

  it("is refused although the disk does not take that down", async () => {
    const fs = new SimFs({ files: new Map(), folders: new Set(["/data"]) });
    const { store, clock } = await open({ dir: "/data", fs });
    const keyRing = new KeyRing(store, clock);
    const keys = new ManageKeys({
      store,
      clock,
      keyRing,
      forecasts: new Forecasts(store, clock),
      events: new Events(),
    });
    await keys.ensure({ name: "old" }, OLD);
    fs.fault = { call: fs.calls, code: "ENOSPC", calls: 1_000 };
    expect(await keys.disableOthers([NEW])).toEqual(["old"]);
    expect(() => keyRing.authenticate(OLD)).toThrow("was revoked");
  });
});

describe("a key of the environment", () => {
  it.each(["sk-1", "sk-", "sk-12345", "key-without-the-beginning-of-one"])(
    "as short or as odd as %s is refused in words that do not tell it",
    (key) => {
      const { keys, problems } = readEnvironment({
        POSTERN_API_KEY: key,
        POSTERN_KEYS: JSON.stringify([{ key, name: "list" }]),
      });
      expect(keys).toEqual([]);
      expect(problems).toEqual([
        "POSTERN_API_KEY was ignored: a local key begins with sk- and has at least 6 characters after it.",
        "Entry 0 of POSTERN_KEYS was ignored: a local key begins with sk- and has at least 6 characters after it.",
      ]);
    },
  );

  it("that could be guessed works, and its owner is informed", () => {
    const { keys, problems } = readEnvironment({ POSTERN_API_KEY: "sk-nineteen-charactr" });
    expect(keys).toHaveLength(1);
    expect(problems).toEqual([expect.stringContaining("POSTERN_API_KEY works, but is short enough to be guessed")]);
  });

  it("of twenty characters after its beginning is taken", () => {
    const { keys, problems } = readEnvironment({ POSTERN_API_KEY: `sk-${"a".repeat(20)}` });
    expect([keys.length, problems]).toEqual([1, []]);
  });
});
