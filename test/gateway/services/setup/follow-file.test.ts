import { chmod, link, mkdir, mkdtemp, rename, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { State } from "../../../../gateway/contract/control.ts";
import type { KeyView } from "../../../../gateway/contract/key.ts";
import { later, type Later } from "../../../../gateway/lib/later.ts";
import { modelList, startProvider, type MockProvider } from "../../../support/mock-provider.ts";
import { startGateway, temporaryFolder, until, type TestGateway } from "../../../support/running-gateway.ts";

const CHAT = { model: "quick", messages: [{ role: "user", content: "hi" }] };
const LAPTOP = "sk-laptop-secret-0001";
/** Looks at the file are made in a hurry; all else waits as ever. */
const eager: Later = (ms, work) => later(ms === 2_000 ? 10 : ms, work);

let provider: MockProvider;
let folder: string;
let closing: TestGateway[] = [];
beforeEach(async () => {
  [provider, folder] = await Promise.all([startProvider(), mkdtemp(join(tmpdir(), "postern-follow-"))]);
  provider.list = modelList(["house-model"]);
});
afterEach(async () => {
  for (const gateway of closing) await gateway.close();
  closing = [];
  await provider.close();
  await rm(folder, { recursive: true });
});

const path = (name = "config.yaml"): string => join(folder, name);

const config = (more = ""): string => `
connections:
  - name: House
    provider: openai-compatible
    base_url: ${provider.baseUrl}
    keys: ["\${HOUSE_KEY}"]
keys: [{ name: laptop, secret: "\${LAPTOP}" }]
aliases: { quick: house-model }
${more}`;

async function start(env: Readonly<Record<string, string>> = {}, dataDir?: string): Promise<TestGateway> {
  const gateway = await startGateway({
    later: eager,
    env: { POSTERN_CONFIG: path(), HOUSE_KEY: "house-key-0001", LAPTOP, POSTERN_KEYS: "", ...env },
    ...(dataDir !== undefined && { dataDir }),
  });
  closing.push(gateway);
  return gateway;
}

const notices = async (gateway: TestGateway): Promise<string[]> =>
  (await gateway.ask<State>("GET", "/state")).notices.map(({ message }) => message);

describe("POSTERN_CONFIG", () => {
  it("is there before the first request, and makes no first key next to its own", async () => {
    await writeFile(path(), config());
    const gateway = await start();
    expect((await gateway.chat(CHAT, LAPTOP)).status).toBe(200);
    expect(provider.last.key).toBe("house-key-0001");
    expect(gateway.gateway.firstKey).toBeNull();
    expect((await gateway.ask<{ data: KeyView[] }>("GET", "/keys")).data.map(({ name }) => name)).toEqual(["laptop"]);
  });

  it("changes nothing at the next start, and what was changed since goes back to it", async () => {
    await writeFile(path(), config());
    const first = await start();
    await first.stop();
    const second = await start({}, first.dataDir);
    expect((await second.ask<{ data: unknown[] }>("GET", "/setup")).data).toHaveLength(1);
    await second.ask("POST", "/models/alias", { name: "quick", model: "gpt-5" });
    await second.ask("POST", "/models/alias", { name: "own", model: "gpt-5" });
    await second.stop();
    const third = await start({}, first.dataDir);
    const { text } = await third.ask<{ text: string }>("POST", "/setup/export", {});
    expect(text).toMatch(/aliases:\n {2}quick: house-model\n {2}own: gpt-5\n/);
  });

  it("says where Postern listens, from this start on", async () => {
    await writeFile(path(), config("settings: { lan: true }"));
    const gateway = await startGateway({
      host: null,
      env: { POSTERN_CONFIG: path(), HOUSE_KEY: "house-key-0001", LAPTOP },
    });
    closing.push(gateway);
    expect(await gateway.ask("GET", "/address")).toMatchObject({ host: "0.0.0.0", restart_needed: false });
  });

  it.each<[string, string, RegExp]>([
    ["is broken", "connections: [", /Line 1: /],
    ["names what is not set", "aliases: { a: '${NOT_SET}' }", /NOT_SET/],
    ["cannot be as it says", "routes: [{ name: a, models: [gpt-5] }]\naliases: { a: gpt-5 }", /name of your own/],
    ["has a key that nobody would learn of", "keys: [{ name: new }]", /"new" needs 'sha256' or 'secret'/],
  ])("is not applied where it %s, and a notice says why until it is right", async (_what, text, message) => {
    await writeFile(path(), text);
    const gateway = await start({ POSTERN_CONFIG_WATCH: "on" });
    const [reported, ...others] = await notices(gateway);
    expect([reported, others]).toEqual([expect.stringMatching(message), []]);
    expect(reported).toContain(path());
    expect((await gateway.ask<{ data: unknown[] }>("GET", "/setup")).data).toEqual([]);
    await writeFile(path(), config());
    await until(async () => (await notices(gateway)).length === 0);
    expect((await gateway.ask<{ data: unknown[] }>("GET", "/setup")).data).toHaveLength(1);
  });

  it.each<[string, () => Promise<void>]>([
    ["everybody may write the file", () => chmod(path(), 0o666)],
    ["everybody may exchange the file", () => chmod(folder, 0o777)],
    [
      "it is a link into such a folder",
      async () => {
        await mkdir(path("open"));
        await rename(path(), path("open/config.yaml"));
        await symlink(path("open/config.yaml"), path());
        await chmod(path("open"), 0o777);
      },
    ],
  ])("is refused with what to do about it where %s", async (_what, open) => {
    await writeFile(path(), config());
    await open();
    const gateway = await start();
    expect(await notices(gateway)).toEqual([expect.stringMatching(/chmod go-w/)]);
    expect((await gateway.ask<{ data: unknown[] }>("GET", "/setup")).data).toEqual([]);
  });

  it("is taken by a link to its folder", async () => {
    await mkdir(path("real"));
    await writeFile(path("real/config.yaml"), config());
    await symlink(path("real"), path("linked"));
    expect((await (await start({ POSTERN_CONFIG: path("linked/config.yaml") })).chat(CHAT, LAPTOP)).status).toBe(200);
  });

  it("is taken from a folder where only its owner may exchange it", async () => {
    await writeFile(path(), config());
    await chmod(folder, 0o1777);
    expect((await (await start()).chat(CHAT, LAPTOP)).status).toBe(200);
  });

  it("is waited for where it is missing: a service would only be started again and again", async () => {
    const gateway = await start({ POSTERN_CONFIG_WATCH: "on" });
    expect(await notices(gateway)).toEqual([expect.stringMatching(/no such file.*applied within two seconds/)]);
    await writeFile(path(), config());
    await until(async () => (await notices(gateway)).length === 0);
    expect((await gateway.chat(CHAT, LAPTOP)).status).toBe(200);
  });

  it("reads no file of a data folder, however it is named", async () => {
    const dataDir = await temporaryFolder();
    const first = await startGateway({ dataDir, env: { POSTERN_KEYS: "" } });
    await first.stop();
    await symlink(dataDir, path("elsewhere"));
    await link(join(dataDir, "postern.json"), path("second-name"));
    for (const name of [join(dataDir, "postern.json"), path("elsewhere/postern.json"), path("second-name")]) {
      await writeFile(path(), `telemetry_headers: "x-token: \${file:${name}}"`);
      const gateway = await start({}, dataDir);
      expect(await notices(gateway)).toEqual([expect.stringMatching(/outside the data folder/)]);
      await gateway.stop();
    }
  });

  it("reads a secret next to a configuration file that is called as the marker of a data folder", async () => {
    await writeFile(path("postern.json"), JSON.stringify({ aliases: { quick: "${file:" + path("model") + "}" } }));
    await writeFile(path("model"), "gpt-5\n");
    const gateway = await start({ POSTERN_CONFIG: path("postern.json") });
    const { text } = await gateway.ask<{ text: string }>("POST", "/setup/export", {});
    expect(text).toContain("quick: gpt-5\n");
  });

  it("opens its secrets with POSTERN_CONFIG_PASSPHRASE", async () => {
    await writeFile(path(), config());
    const first = await start();
    const wish = { passphrase: "a passphrase", page_token: first.gateway.issueConsent() };
    const { text } = await first.ask<{ text: string }>("POST", "/setup/export", wish);
    await writeFile(path(), text);
    const second = await start({ POSTERN_CONFIG_PASSPHRASE: "a passphrase" });
    expect((await second.chat(CHAT, LAPTOP)).status).toBe(200);
  });
});

describe("a file that is followed", () => {
  const WATCH = { POSTERN_CONFIG_WATCH: "on" };

  it("is applied whenever it changes; a broken one changes nothing and is reported once", async () => {
    await writeFile(path(), config());
    const gateway = await start(WATCH);
    await writeFile(path(), config("settings: { backup_keep: 3 }"));
    const keep = async () => (await gateway.ask<{ backup_keep: number }>("GET", "/settings")).backup_keep;
    await until(async () => (await keep()) === 3);

    await writeFile(path(), config("settings: { backup_keep: none at all }"));
    await until(async () => (await notices(gateway)).length > 0);
    const reports = await notices(gateway);
    expect(reports).toEqual([
      expect.stringMatching(/config\.yaml was not applied, and nothing of it\. Line \d+: settings/),
    ]);
    expect(await keep()).toBe(3);
    expect((await gateway.chat(CHAT, LAPTOP)).status).toBe(200);

    await unlink(path());
    await until(async () => (await notices(gateway)).some((one) => one.includes("no such file")));
    expect(await notices(gateway)).toHaveLength(1);

    await writeFile(path(), config("settings: { backup_keep: 4 }"));
    await until(async () => (await keep()) === 4);
    await until(async () => (await notices(gateway)).length === 0);
  });

  it("is followed where a link is put in another's place, as container platforms do", async () => {
    await writeFile(path("one"), config());
    await writeFile(path("two"), config("settings: { backup_keep: 5 }"));
    await symlink(path("one"), path());
    const gateway = await start(WATCH);
    await symlink(path("two"), path("next"));
    await rename(path("next"), path());
    const stored = async () => (await gateway.ask<{ backup_keep: number }>("GET", "/settings")).backup_keep;
    await until(async () => (await stored()) === 5);
    expect(await stored()).toBe(5);
  });
});
