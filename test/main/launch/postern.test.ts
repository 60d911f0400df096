import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { describe, expect, it, onTestFinished, test } from "vitest";
import {
  instanceProof,
  publishInstance,
  tokenDigest,
  writeControlToken,
} from "../../../gateway/store/disk/instance.ts";
import { commands } from "../../../main/launch/postern.ts";
import { fakeToken, refusal, startFakeControl, runWith } from "./fake-control.ts";
import { postern } from "./run.ts";
import { sampleKey, sampleModel, sampleTotals } from "./samples.ts";

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "postern-command-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe("wrong arguments end with 2 and a sentence", () => {
  test.each([
    [["moon"], "There is no command"],
    [["keys"], "keys create, keys list, keys change, keys revoke"],
    [["keys", "create"], "needs --name NAME"],
    [["keys", "create", "--name", "a", "--rpm", "many"], "--rpm takes a number"],
    [["keys", "create", "--name", "a", "--rpm", "1.5"], "--rpm takes a whole number"],
    [["keys", "create", "--name", "a", "--reset", "weekly"], "never, daily, monthly"],
    [["keys", "create", "--name", "a", "--expires", "soon"], "ISO date"],
    [["keys", "create", "--name", "a", "--limit-usd", ""], "--limit-usd takes a number"],
    [["keys", "list", "--colour"], "--colour"],
    [["keys", "list", "extra"], "does not take"],
    [["keys", "revoke"], "needs an ID"],
    [["keys", "revoke", "a", "b"], "does not take"],
    [["usage", "--by", "moon"], "model, key, client, endpoint, project, day"],
    [["connections", "add"], "either --preset NAME or --provider PROVIDER"],
    [["connections", "add", "--provider", "openai", "--preset", "openrouter"], "either"],
    [["connections", "add", "--provider", "openai", "--key-from", "NO_SUCH_VARIABLE"], "NO_SUCH_VARIABLE"],
    [["--data-dir"], "Which command?"],
  ])("%j", async (argv, sentence) => {
    const ended = await postern(argv);
    expect(ended).toMatchObject({ code: 2, out: "" });
    expect(ended.error).toContain(sentence);
  });

  it("as JSON when that was asked for", async () => {
    const ended = await postern(["keys", "revoke", "--json"]);
    expect(JSON.parse(ended.error)).toEqual({ error: { message: '"keys revoke" needs an ID.', code: "usage" } });
  });
});

describe("help", () => {
  it("lists every command", async () => {
    const { code, out } = await postern(["--help"]);
    expect(code).toBe(0);
    for (const command of commands) expect(out).toContain(`  ${command.name}`);
  });

  test.each(commands.map((command) => command.name))("of %s names each of its options", async (name) => {
    const { code, out } = await postern([...name.split(" "), "--help"]);
    expect(code).toBe(0);
    const command = commands.find((one) => one.name === name);
    for (const option of Object.keys(command?.options ?? {})) expect(out).toContain(`--${option}`);
  });

  it("has headings and examples, and a part for the first word of commands", async () => {
    const { out } = await postern(["--help"]);
    expect(out).toMatch(/\n\nProviders:\n {2}connections add/);
    expect(out).toContain("\nExamples:\n  postern connections add --preset openai");
    const keys = await postern(["keys", "--help"]);
    expect([keys.code, keys.error]).toEqual([0, ""]);
    expect(keys.out.split("\n").map((line) => line.trim().split(" ", 2).join(" "))).toEqual([
      "keys create",
      "keys list",
      "keys change",
      "keys revoke",
    ]);
    expect((await postern(["moon", "--help"])).code).toBe(2);
  });

  it("without a command goes to standard error and fails", async () => {
    expect(await postern([])).toMatchObject({ code: 2, error: "" });
  });
});

describe("keys change", () => {
  it("sends what is given; none takes a limit away", async () => {
    const path = `/control/keys/${encodeURIComponent(sampleKey.id)}`;
    await using control = await startFakeControl({ [`PATCH ${path}`]: { body: sampleKey } });
    const argv = ["keys", "change", sampleKey.id, "--limit-usd", "none", "--rpm", "5", "--enabled", "off"];
    expect(await control.run(argv)).toMatchObject({ code: 0, error: "" });
    expect(control.calls.at(-1)?.body).toEqual({ limit_usd: null, rpm: 5, disabled: true });
    expect((await control.run(["keys", "change", sampleKey.id, "--rpm", "many"])).code).toBe(2);
  });
});

describe("finding the instance", () => {
  it("fails where none ever ran", async () => {
    const folder = await emptyFolder();
    const ended = await postern(["keys", "list", "--data-dir", folder]);
    expect(ended).toMatchObject({ code: 1, out: "" });
    expect(ended.error).toContain(`No Postern is running on ${folder}`);
  });

  it("sends no token to an address whose Postern has died", async () => {
    await using control = await startFakeControl({ "GET /control/keys": { body: { data: [] } } });
    const { pid } = spawnSync(process.execPath, ["-e", "0"]);
    await publishInstance(control.folder, { url: control.url, pid, startedAt: 1 });
    const ended = await control.run(["keys", "list"]);
    expect(ended.code).toBe(1);
    expect(ended.error).toContain("has ended without saying so");
    expect(control.calls).toEqual([]);
  });

  it.each<[string, (url: string, nonce: string) => unknown]>([
    [
      "answers like a Postern of another folder",
      (url, nonce) => ({ proof: instanceProof(tokenDigest("x"), url, nonce) }),
    ],
    [
      "passes on what the Postern of this folder says at another address",
      (_url, nonce) => ({
        proof: instanceProof(tokenDigest(fakeToken), "http://127.0.0.1:6174", nonce),
      }),
    ],
    [
      "repeats what it heard for another nonce",
      (url) => ({
        proof: instanceProof(tokenDigest(fakeToken), url, "another-nonce-altogether"),
      }),
    ],
    ["echoes", (_url, nonce) => ({ proof: nonce })],
    ["says that all is well", () => ({ ok: true, data: [] })],
    ["says nothing", () => null],
  ])("sends neither token nor key to a program that has taken the port and %s", async (_name, body) => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      const { url: asked = "", headers, method } = request;
      request.on("data", (chunk) => seen.push(String(chunk)));
      seen.push(`${method} ${asked.replace(/=.*/, "")} ${JSON.stringify(headers)}`);
      response.end(JSON.stringify(body(url, /nonce=([\w-]+)/.exec(asked)?.[1] ?? "")));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const folder = await emptyFolder();
    // Its process id is that of a program that runs.
    await publishInstance(folder, { url, pid: process.pid, startedAt: 1 });
    await writeControlToken(folder, fakeToken);
    const argv = ["connections", "add", "--provider", "openai", "--key-stdin", "--data-dir", folder];
    const ended = await postern(argv, { input: "sk-a-provider-key-that-is-secret" });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(ended.code).toBe(1);
    expect(ended.error).toContain("is not the Postern of this data folder");
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatch(/^GET \/control\/proof\?nonce /);
    expect(seen.join()).not.toMatch(new RegExp(`${fakeToken}|sk-a-provider`));
  });

  it("asks for the folder where there is no home to have one in", async () => {
    const ended = await postern(["keys", "list"], { environment: { HOME: "", USERPROFILE: "", APPDATA: undefined } });
    expect(ended.code).toBe(1);
    expect(ended.error).toContain("--data-dir");
  });

  it("says so when nothing answers any more", async () => {
    const folder = await emptyFolder();
    await using control = await startFakeControl({});
    await control[Symbol.asyncDispose]();
    await publishInstance(folder, { url: control.url, pid: process.pid, startedAt: 1 });
    await writeControlToken(folder, fakeToken);
    const ended = await postern(["keys", "list", "--data-dir", folder]);
    expect(ended.code).toBe(1);
    expect(ended.error).toContain("does not respond");
  });

  it("takes the folder from POSTERN_DATA_DIR, and an option before it", async () => {
    await using control = await startFakeControl({ "GET /control/keys": { body: { data: [] } } });
    const environment = { POSTERN_DATA_DIR: control.folder };
    expect((await postern(["keys", "list"], { environment })).code).toBe(0);
    const elsewhere = await emptyFolder();
    expect((await postern(["--data-dir", elsewhere, "keys", "list"], { environment })).code).toBe(1);
  });

  it("shows the gateway's own words when it refuses", async () => {
    await using control = await startFakeControl({
      "DELETE /control/keys/key_9": { status: 404, body: refusal("not_found", "There is no key key_9.") },
    });
    const argv = ["keys", "revoke", "key_9"];
    expect(await control.run(argv)).toEqual({ code: 1, out: "", error: "There is no key key_9." });
    const asJson = await control.run([...argv, "--json"]);
    expect(JSON.parse(asJson.error)).toEqual({ error: { message: "There is no key key_9.", code: "not_found" } });
  });

  it("does not trust a response of another shape", async () => {
    const ended = await runWith({ "GET /control/keys": { body: { data: [{ id: 1 }] } } }, ["keys", "list"]);
    expect(ended.code).toBe(1);
    expect(ended.error).toContain("not this version of Postern");
  });
});

describe("keys", () => {
  it("are made with exactly the limits that were given", async () => {
    await using control = await startFakeControl({
      "POST /control/keys": { body: { key: sampleKey, secret: "sk-the-whole-key" } },
    });
    const limits = ["--limit-usd", "2.5", "--reset", "daily", "--models", "gpt-*, o3", "--rpm", "60"];
    const reach = ["--hosted-tools", "allow", "--stored-objects", "refuse"];
    const rest = ["--concurrency", "4", ...reach, "--expires", "2027-01-01"];
    const ended = await control.run(["keys", "create", "--name", "ci", ...limits, ...rest]);
    expect(ended.code).toBe(0);
    expect(ended.out).toContain("sk-the-whole-key");
    expect(control.calls).toEqual([
      {
        method: "POST",
        address: "/control/keys",
        authorization: `Bearer ${fakeToken}`,
        body: {
          name: "ci",
          limit_usd: 2.5,
          reset: "daily",
          models: ["gpt-*", "o3"],
          rpm: 60,
          concurrency: 4,
          hosted_tools: true,
          stored_objects: false,
          expires_at: Date.UTC(2027, 0, 1),
        },
      },
    ]);
  });

  it("without limits send none", async () => {
    await using control = await startFakeControl({
      "POST /control/keys": { body: { key: sampleKey, secret: "sk-the-whole-key" } },
    });
    await control.run(["keys", "create", "--name", "ci"]);
    expect(control.calls[0]?.body).toEqual({ name: "ci" });
  });

  it("are listed with spend and limits, and as one line of JSON", async () => {
    const data = [
      { ...sampleKey, sandbox_nano: 400_000_000 },
      { ...sampleKey, id: "key_2", name: "ci", limit_usd: 5, reset: "daily", models: ["gpt-*"], spent_nano: 0 },
    ];
    const totals = { ...sampleTotals, unpriced_requests: 1 };
    const usage = { since: "2000-01-01", until: "2026-11-29", total: totals, data: [{ group: "key_2", totals }] };
    await using control = await startFakeControl({
      "GET /control/keys": { body: { data } },
      "GET /control/usage": { body: usage },
      "GET /control/models": { body: { data: [] } },
    });
    const text = await control.run(["keys", "list"]);
    expect(text.out).toMatch(/key_1 +laptop +sk-ab…wxyz +active +\$12\.00 \+ \$0\.40 sandbox +none +all/);
    expect(text.out).toMatch(/key_2 +ci .* unpriced +\$5\.00 daily +gpt-\*/);
    const json = await control.run(["keys", "list", "--json"]);
    expect(json.out.split("\n")).toHaveLength(1);
    expect(JSON.parse(json.out)).toEqual({ data });
  });

  it("are revoked by id, whatever is in it", async () => {
    const ended = await runWith({ "DELETE /control/keys/a%2Fb": { body: { ok: true } } }, ["keys", "revoke", "a/b"]);
    expect(ended).toEqual({ code: 0, out: "Done: keys revoke a/b.", error: "" });
  });
});

describe("models, usage, backup and open", () => {
  it("show prices, and unpriced as such", async () => {
    const unpriced = { ...sampleModel, id: "local", input_nano_per_million: null, output_nano_per_million: null };
    const { out } = await runWith(
      {
        "GET /control/models": { body: { data: [sampleModel, unpriced] } },
      },
      ["models"],
    );
    expect(out).toMatch(/gpt-5\.2 +openai +400000 +\$1\.75 +\$14\.00 +chat/);
    expect(out).toMatch(/local +openai +400000 +unpriced +unpriced/);
    expect(out).not.toContain("–");
  });

  it("does not call unpriced what is not sold by the token", async () => {
    const none = { context_length: null, input_nano_per_million: null, output_nano_per_million: null };
    const data = [
      { ...sampleModel, ...none, id: "tts-1", capabilities: ["speech"] },
      { ...sampleModel, ...none, id: "painter", capabilities: ["image"], input_nano_per_million: 2_000_000_000 },
      { ...sampleModel, ...none, id: "embed", capabilities: ["embedding"], input_nano_per_million: 120_000_000 },
    ];
    const { out } = await runWith({ "GET /control/models": { body: { data } } }, ["models"]);
    expect(out).toMatch(/tts-1 +openai +unknown +– +– +speech/);
    expect(out).toMatch(/painter +openai +unknown +\$2\.00 +– +image/);
    expect(out).toMatch(/embed +openai +unknown +\$0\.12 +– +embedding/);
    expect(out).not.toContain("unpriced");
    expect(out.split("\n").at(-1)).toContain("by image, character and second");
  });

  it("asks for the day of a moment, and shows the sum last", async () => {
    const usage = {
      since: "2026-11-03",
      until: "2026-11-20",
      total: sampleTotals,
      data: [{ group: "gpt-5.2", totals: sampleTotals }],
    };
    await using control = await startFakeControl({ "GET /control/usage": { body: usage } });
    const { out } = await control.run(["usage", "--since", "2026-11-03T09:30:00Z"]);
    expect(control.calls[0]?.address).toBe("/control/usage?by=model&since=2026-11-03");
    expect(out).toContain("2026-11-03 to 2026-11-20, UTC");
    expect(out.split("\n").at(-1)).toMatch(/^all +12 +1 +4 +3400 +100 +560 +70 +\$0\.042 +2 +1 +2 \(\$0\.005\) +3$/);
  });

  it("give a terminal no orders, regardless of who chose a name", async () => {
    const evil = "evil\u001b]0;pwned\u0007\u001b[31m\u009b1m\u202emodel\nnext";
    const responses = {
      "GET /control/models": { body: { data: [{ ...sampleModel, id: evil }] } },
      "GET /control/backups": { status: 409, body: refusal("conflict", evil) },
    };
    for (const command of ["models", "backups"]) {
      const { out, error } = await runWith(responses, command.split(" "));
      expect(out + error, command).toContain("evil");
      expect(out + error, command).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
      const json = await runWith(responses, [...command.split(" "), "--json"]);
      expect(json.out + json.error, command).not.toMatch(/[^\P{Cc}\n]/u);
      expect(JSON.stringify(JSON.parse(json.out + json.error)), command).toContain(JSON.stringify(evil).slice(1, -1));
    }
  });

  it("say where a backup is", async () => {
    const { out } = await runWith(
      {
        "POST /control/backup": { body: { path: "backups/2026-11-20", bytes: 3_565_158, opens_keys: false } },
      },
      ["backup"],
    );
    expect(out).toBe("Backed up to backups/2026-11-20 (3.4 MiB).");
  });

  it("print a fresh address of the pages", async () => {
    const { out } = await runWith(
      {
        "POST /control/page-token": { body: { url: "http://127.0.0.1:6174/#token=once", token: "once" } },
      },
      ["open"],
    );
    expect(out).toBe("http://127.0.0.1:6174/#token=once");
  });
});
