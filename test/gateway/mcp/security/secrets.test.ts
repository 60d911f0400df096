import type { ServerResponse } from "node:http";
import { chmod, mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../../gateway/lib/log.ts";
import { createProtocolError } from "../../../../gateway/mcp/resources/resources.ts";
import { KEY } from "../../../support/running-gateway.ts";
import { reply } from "../../../support/wire-provider.ts";
import { PAID, PaidStage } from "./paid-stage.ts";
import { ERAS, NEW, OLD, begin, codeOf, parsed, post, rpc, send, toolCall, without, type Message } from "./wire.ts";

/** What no result, error, resource, list of calls or line of the log may hold. */

/** One in a known form, and one that looks like nothing. */
const PROVIDER_KEYS = ["sk-provider-openai-CANARY-0001", "dashscope-provider-key"];
const OTHER = "sk-test-other-canary-000002";
const WEBHOOK_TOKEN = "canary-of-the-callback";
const logged: string[] = [];
/** Everything that a client or the owner was informed, with what it was a response to. */
const reports: { readonly asked: string; readonly text: string }[] = [];
let stage: PaidStage;
beforeAll(async () => {
  stage = await PaidStage.open({
    logged,
    keys: [{ key: OTHER, name: "other" }],
    env: { POSTERN_OPENAI_API_KEY: PROVIDER_KEYS[0] ?? "" },
  });
});
afterAll(() => stage.close());
/** A provider that refused our key is not asked again for a while. */
async function afresh(): Promise<void> {
  await stage.close();
  stage = await PaidStage.open({
    logged,
    keys: [{ key: OTHER, name: "other" }],
    env: { POSTERN_OPENAI_API_KEY: PROVIDER_KEYS[0] ?? "" },
  });
  stage.reset();
}

function forbidden(): readonly string[] {
  return [
    ...PROVIDER_KEYS,
    KEY,
    OTHER,
    ...PROVIDER_KEYS.map((key) => Buffer.from(key).toString("base64")),
    Buffer.from(KEY).toString("base64"),
    process.cwd(),
    "node_modules",
    "    at ",
    String.raw`\n    at `,
    WEBHOOK_TOKEN,
  ];
}

async function hear(asked: string, response: Response): Promise<readonly Message[]> {
  const text = await response.text();
  reports.push({ asked, text: `${JSON.stringify([...response.headers])}\n${text}` });
  return parsed(text, response.headers.get("content-type") ?? "");
}

async function everyway(name: string, args: unknown, key = KEY): Promise<readonly Message[]> {
  const all: Message[] = [];
  for (const era of ERAS) {
    const session = era === OLD ? { session: await begin(stage.gateway, key) } : {};
    for (const progressToken of [undefined, "p"]) {
      const options = progressToken === undefined ? {} : { progressToken };
      const message = toolCall(era, name, args, options);
      all.push(...(await hear(`${name} ${era}`, await send(stage.gateway, era, message, { key, ...session }))));
    }
  }
  return all;
}

/** What was reported that may not be. */
function leaks(): readonly string[] {
  const secrets = [...forbidden(), stage.gateway.dataDir];
  return reports
    .filter(({ text }) => secrets.some((secret) => text.includes(secret)))
    .map(({ asked, text }) => `${asked}: ${text.slice(0, 2_000)}`);
}

it("nor the results of calls that went well", async () => {
  stage.reset();
  for (const { name, model, args } of PAID) {
    const extra = name === "generate_video" ? { webhook_url: `https://hooks.example/${WEBHOOK_TOKEN}` } : {};
    const responses = await everyway(name, { model, ...args, ...extra });
    expect(responses.filter(({ result }) => result !== undefined && result.isError !== true)).toHaveLength(4);
  }
  for (const name of ["list_models", "get_quota", "list_video_tasks"]) await everyway(name, {});
  expect(leaks()).toEqual([]);
});

describe("nor what a provider says when it fails, though it quotes our key", () => {
  const [key = ""] = PROVIDER_KEYS;
  const sentence = `Incorrect API key provided: ${key}. Sent as Authorization: Bearer ${key}, ?api_key=${key}`;
  it.each([400, 401, 403, 404, 429, 500, 503])("with %i", async (status) => {
    await afresh();
    const error = { message: sentence, type: key, code: key, param: key };
    for (const { route, name, model, args } of PAID) {
      if (route !== null) stage.wire.on(route, reply(status, { error }, { "x-key": key, "www-authenticate": key }));
      else {
        const quoted = { message: `key dashscope-provider-key is wrong`, code: "dashscope-provider-key" };
        for (let n = 0; n < 8; n++) stage.films.fault("submit", { do: "answer", status, body: quoted });
      }
      const responses = await everyway(name, { model, ...args });
      // After a 500 a provider may have the video: then there is a task, which is looked for.
      const failed = route !== null || status !== 500;
      expect(
        responses.filter(({ result }) => result !== undefined && (result.isError === true) === failed),
        name,
      ).toHaveLength(4);
    }
    expect(leaks()).toEqual([]);
  });

  it("in plain text, in HTML, and within a stream", { timeout: 60_000 }, async () => {
    await afresh();
    const acts = [
      (_seen: unknown, outgoing: ServerResponse) =>
        void outgoing
          .writeHead(500, { "content-type": "text/html" })
          .end(`<pre>${sentence}\n    at ${process.cwd()}/x.js:1:1</pre>`),
      (_seen: unknown, outgoing: ServerResponse) =>
        void outgoing
          .writeHead(200, { "content-type": "text/event-stream" })
          .end(`data: ${JSON.stringify({ error: { message: sentence, code: key } })}\n\n`),
    ];
    for (const act of acts) {
      stage.wire.on("POST /v1/chat/completions", act);
      await everyway("chat", { model: "gpt-4.1", prompt: "x" });
    }
    expect(leaks()).toEqual([]);
  });
});

it("nor arguments that are refused, when they hold a key", async () => {
  for (const args of [
    { model: OTHER, prompt: "x" },
    { model: "gpt-4.1", prompt: "x", [OTHER]: 1 },
    { model: "gpt-4.1", prompt: "x", reasoning_effort: `Bearer ${OTHER}` },
    { model: "gpt-4.1", messages: [{ role: OTHER, content: "x" }] },
  ])
    await everyway("chat", args);
  for (const id of [OTHER, `../../${OTHER}`, `${stage.gateway.dataDir.slice(0, 1)}etc/passwd`])
    await everyway("get_video_task", { id });
  // A client's own words may come back to it; they may not go to the log.
  expect(logged.join("\n")).not.toContain(OTHER);
  await hear("GET /control/mcp", await stage.gateway.control("GET", "/mcp"));
  expect(reports.at(-1)?.text).not.toContain(OTHER);
  reports.length = 0;
});

describe("nor resources", () => {
  beforeAll(afresh);
  const read = async (uri: string, key = KEY): Promise<readonly Message[]> => {
    const all: Message[] = [];
    for (const era of ERAS) {
      const session = era === OLD ? { session: await begin(stage.gateway, key) } : {};
      const response = await send(stage.gateway, era, rpc(era, 1, "resources/read", { uri }), { key, ...session });
      all.push(...(await hear(`${uri} ${era}`, response)));
    }
    return all;
  };

  async function image(): Promise<string> {
    stage.reset();
    const { args, model } = PAID[2] as (typeof PAID)[number];
    const message = toolCall(NEW, "generate_image", { model, ...args });
    const [response] = await hear("generate_image", await send(stage.gateway, NEW, message));
    const { images } = (response?.result?._meta?.["postern/result"] ?? {}) as { images: { media_id: string }[] };
    return images[0]?.media_id ?? "";
  }

  it("that there are, in lists and by themselves", async () => {
    const id = await image();
    for (const method of ["resources/list", "resources/templates/list", "tools/list", "server/discover"])
      await hear(method, await send(stage.gateway, NEW, rpc(NEW, 1, method)));
    expect((await read(`postern://media/${id}`)).every(({ error }) => error === undefined)).toBe(true);
    await read("postern://models");
    expect(leaks()).toEqual([]);
  });

  it("of another key: none exist, in the words for one that never was", async () => {
    const id = await image();
    const theirs = (await read(`postern://media/${id}`, OTHER)).map(({ error }) => error?.message.replaceAll(id, "ID"));
    const none = (await read("postern://media/med_AAAAAAAAAAAAAAAAAAAAAAAA", OTHER)).map(({ error }) =>
      error?.message.replaceAll("med_AAAAAAAAAAAAAAAAAAAAAAAA", "ID"),
    );
    expect(theirs).toEqual(none);
    expect(theirs[0]).toBeTruthy();
  });

  it("whose file went away or cannot be read: no path is reported, and the log has the details", async () => {
    const id = await image();
    const { data } = await stage.gateway.ask<{ data: { id: string; path: string }[] }>("GET", "/media?limit=1");
    const { path = "" } = data.find((one) => one.id === id) ?? {};
    const folders = await readdir(stage.gateway.dataDir, { recursive: true });
    const found = folders.find((name) => name.endsWith(path.split("/").at(-1) ?? "none"));
    const file = join(stage.gateway.dataDir, found ?? "none");
    for (const harm of [
      async () => {
        await rename(file, `${file}.away`);
        return () => rename(`${file}.away`, file);
      },
      async () => {
        await rename(file, `${file}.away`);
        await mkdir(file);
        return async () => {
          await rmdir(file);
          await rename(`${file}.away`, file);
        };
      },
      async () => {
        await chmod(dirname(file), 0o000);
        return () => chmod(dirname(file), 0o700);
      },
    ]) {
      const mend = await harm();
      await read(`postern://media/${id}`);
      await everyway("edit_image", { model: "delta-image-1", prompt: "x", images: [`postern://media/${id}`] });
      await mend();
    }
    expect(leaks()).toEqual([]);
    await rm(`${file}.away`, { force: true });
  });

  it("by names that are paths", async () => {
    for (const uri of [
      "postern://media/../../secret.key",
      "postern://media/%2e%2e%2f%2e%2e%2fsecret.key",
      "postern://tasks/../keys",
      "postern://media/__proto__",
      "postern://media/constructor",
      "file:///etc/passwd",
      `file://${stage.gateway.dataDir}/secret.key`,
      "http://127.0.0.1:1/",
      "postern://models/../keys",
      "POSTERN://MEDIA/x",
      "postern://media/a%00b",
      `postern://media/${"x".repeat(100_000)}`,
      "not a uri",
      "",
    ]) {
      const responses = await read(uri);
      expect(
        responses.every(({ error }) => error !== undefined),
        uri.slice(0, 80),
      ).toBe(true);
    }
    reports.length = 0;
  });
});

it("nor a mistake of ours: it is reported without its words, which may name files of this machine", () => {
  const lines: string[] = [];
  const log = {
    ...silentLog,
    error: (event: string, fields = {}) => void lines.push(`${event} ${JSON.stringify(fields)}`),
  };
  const mistake = new Error("ENOENT: no such file or directory, open '/home/somebody/secret.key'");
  const error = createProtocolError(mistake, "req_1", log);
  expect(error).toMatchObject({ code: -32_603, data: { code: "internal_error", request_id: "req_1" } });
  expect(JSON.stringify([error.message, error.data])).not.toContain("somebody");
  expect(lines).toEqual([expect.stringContaining("secrets.test.ts:")]);
  expect(lines[0]).not.toContain("somebody");
});

it("nor the owner's list of calls, and the log least of all", async () => {
  const view = await stage.gateway.control("GET", "/mcp");
  await hear("GET /control/mcp", view);
  expect(leaks()).toEqual([]);
  const lines = logged.join("\n");
  for (const secret of [...PROVIDER_KEYS, KEY, OTHER, WEBHOOK_TOKEN]) expect(lines, secret).not.toContain(secret);
});

it("nor megabytes of a client's words: lines of the log stay short", async () => {
  const long = "y".repeat(1_000_000);
  const before = logged.length;
  const meta = { "io.modelcontextprotocol/protocolVersion": long };
  for (const message of [
    rpc(NEW, 1, long),
    rpc(NEW, 1, "tools/call", { name: long, arguments: {} }),
    rpc(NEW, 1, "tools/list", { _meta: meta }),
    rpc(NEW, long, "tools/list"),
    toolCall(NEW, "chat", { model: long, prompt: long }),
  ]) {
    const text = JSON.stringify(message);
    for (const headers of [{}, { "mcp-protocol-version": NEW, "mcp-method": "tools/list" }])
      await (await post(stage.gateway, text, { headers })).arrayBuffer();
  }
  await (await without(stage.gateway, "GET", { session: "z".repeat(9_000) })).arrayBuffer();
  const lines = logged.slice(before);
  expect(lines.filter((line) => line.length > 2_000).map((line) => line.slice(0, 200))).toEqual([]);
  expect(codeOf({ content: [] })).toBe(null);
});
