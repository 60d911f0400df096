import { mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { logFile, openLogFile } from "../../../gateway/store/disk/log-file.ts";
import { failure } from "../../support/acts.ts";
import { startProvider, type MockProvider } from "../../support/mock-provider.ts";
import { KEY, errorOf, startGateway, type TestGateway } from "../../support/running-gateway.ts";

/** What must not leave the machine, each in a form that no pattern knows. */
const PROVIDER_KEY = "Canary.Provider.Credential.0001";
const ENVIRONMENT_KEY = "sk-provider-key-0001";
const WEBHOOK_SECRET = `whsec_${Buffer.from("canary webhook secret of 32 bytes").toString("base64")}`;
const PROMPT = "the canary prompt about a heron";

let home: string;
let provider: MockProvider;
let postern: TestGateway;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "postern-home-of-canary-"));
  vi.stubEnv("HOME", home);
  vi.stubEnv("USERPROFILE", home);
  provider = await startProvider();
  postern = await startGateway({
    provider,
    dataDir: join(home, "data"),
    env: { POSTERN_WEBHOOK_SECRET: WEBHOOK_SECRET },
  });
});
afterEach(async () => {
  await postern.close();
  await provider.close();
  vi.unstubAllEnvs();
  await rm(home, { recursive: true, force: true });
});

async function download(): Promise<Response> {
  const { link } = await postern.ask<{ link: string }>("POST", "/diagnostics");
  return fetch(postern.url + link);
}

/** The texts of a ZIP whose files follow each other, by name. */
function unzip(bytes: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  let end = bytes.lastIndexOf(Buffer.from("PK\x05\x06"));
  let at = bytes.readUInt32LE(end + 16);
  end = at + bytes.readUInt32LE(end + 12);
  while (at < end) {
    const [method, size, nameLength] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
    ];
    const local = bytes.readUInt32LE(at + 42);
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const data = bytes.subarray(start, start + size);
    files.set(name, (method === 0 ? data : inflateRawSync(data)).toString("utf8"));
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}

it("tells what helps, and holds no key, secret, prompt or name of the home folder", async () => {
  expect(homedir()).toBe(home);
  const local = await postern.ask<{ secret: string }>("POST", "/keys", { name: "laptop" });
  await postern.ask("POST", "/connections", {
    provider: "openai-compatible",
    name: "Canary works",
    base_url: provider.baseUrl,
    keys: [PROVIDER_KEY],
  });
  const messages = [{ role: "user", content: PROMPT }];
  await postern.chat({ model: "gpt-4.1", messages });
  provider.usual = failure(400, { message: `no: ${PROMPT} with ${PROVIDER_KEY} and ${ENVIRONMENT_KEY}` });
  await postern.chat({ model: "gpt-4.1", messages }, local.secret);
  await postern.chat({ model: "gpt-4.1", messages }, "sk-wrong-canary-key-00000001");
  postern.gateway.notice("warning", `The key ${PROVIDER_KEY} in ${home}/keys was refused by ${ENVIRONMENT_KEY}`);

  openLogFile(logFile(join(home, "data")))(`{"time":1,"event":"window.gone","reason":"${PROVIDER_KEY} in ${home}"}\n`);

  await postern.ask("PATCH", "/settings", { price_list_url: "https://lists.example/path-of-canary/prices.json" });

  const response = await download();
  expect([response.status, response.headers.get("content-type")]).toStrictEqual([200, "application/zip"]);
  const files = unzip(Buffer.from(await response.arrayBuffer()));
  expect([...files.keys()]).toStrictEqual(["postern.json", "log.ndjson", "log-before.ndjson"]);
  const about = JSON.parse(files.get("postern.json") ?? "") as Record<string, unknown>;
  expect(about).toMatchObject({
    version: "0.0.0-test",
    state: { data_dir: join("~", "data"), status: "running" },
    settings: { sandbox: "off", price_list_url: "https://lists.example" },
    requests: { errors: { "400 invalid_value": 1 } },
    folder: { path: join("~", "data") },
  });
  expect(about["connections"]).toContainEqual(expect.objectContaining({ host: new URL(provider.baseUrl).host }));
  expect(JSON.stringify(about["findings"])).toContain("[redacted]");
  expect(
    files
      .get("log.ndjson")
      ?.split("\n")
      .filter((line) => line.includes('"request"')).length,
  ).toBeGreaterThan(3);

  expect(files.get("log-before.ndjson")).toContain("window.gone");

  const text = [...files.values()].join("\n");
  const bearer = await postern.signIn();
  for (const secret of [
    PROVIDER_KEY,
    ENVIRONMENT_KEY,
    WEBHOOK_SECRET,
    KEY,
    local.secret,
    PROMPT,
    home,
    bearer,
    "Canary",
    "path-of-canary",
  ])
    expect(text.includes(secret), secret).toBe(false);
});

it("is had once by a link, and by no other way", async () => {
  const { link } = await postern.ask<{ link: string }>("POST", "/diagnostics");
  expect((await fetch(postern.url + link, { method: "POST" })).status).toBe(405);
  expect((await fetch(postern.url + link)).status).toBe(200);
  expect((await errorOf(await fetch(postern.url + link))).code).toBe("invalid_media_link");
  expect((await fetch(`${postern.url}/diagnostics/nothing`)).status).toBe(403);
});
