import { createHash } from "node:crypto";
import { readFile, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { contentFrame, completion, failure, hang, streamThenHang } from "../support/acts.ts";
import { FastChild } from "../support/fast-child.ts";
import { MockProvider, modelList } from "../support/mock-provider.ts";
import type { Act } from "../support/mock-provider.ts";
import { CHAT, KEY, temporaryFolder, until } from "../support/running-gateway.ts";
import { T2V } from "../support/video-acts.ts";
import { VideoProvider } from "../support/video-provider.ts";
import { WebhookReceiver } from "../support/webhook-receiver.ts";
import { thin } from "../support/dose.ts";

/** Most of the calls below do not end by themselves: the rest of the contract's five seconds would be waited for. */
const DRAIN_MS = 300;
/** Far longer than a stop and a test take. */
const LONG = { "retry-after": "60" };
const busy: Act = failure(429, {}, LONG);

let dataDir: string;
let provider: MockProvider;
let studio: VideoProvider;
let receiver: WebhookReceiver;
let child: FastChild;

beforeEach(async () => {
  dataDir = await temporaryFolder();
  provider = await new MockProvider().listen();
  studio = await new VideoProvider().listen();
  receiver = await new WebhookReceiver().listen();
});
afterEach(async () => {
  await child.kill();
  await Promise.all([provider.close(), studio.close(), receiver.close()]);
  await rm(dataDir, { recursive: true, force: true });
});

async function start({ speed = 1, drainMs = DRAIN_MS } = {}): Promise<void> {
  child = new FastChild({
    dataDir,
    speed,
    since: Date.now(),
    kill: null,
    drainMs,
    env: {
      POSTERN_KEYS: JSON.stringify([{ key: KEY, name: "unlimited" }]),
      POSTERN_SANDBOX: "off",
      POSTERN_OPENAI_BASE_URL: provider.baseUrl,
      POSTERN_OPENAI_API_KEY: "sk-provider-key-0001,sk-provider-key-0002",
      ...studio.env("dashscope"),
      POSTERN_ALLOW_TARGETS: `127.0.0.1:${studio.port},${new URL(receiver.url("")).host}`,
    },
  });
  if (!(await child.ready())) throw new Error("it was killed");
}

const post = (path: string, body: unknown): Promise<Response> =>
  fetch(`${child.url}/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** Not waited for; that it fails when the gateway stops is what is tested. */
function leave(work: Promise<unknown>): void {
  work.catch(() => undefined);
}

/** A request that was recorded, sent again: its provider does this. */
async function resend(...acts: readonly Act[]): Promise<void> {
  await child.control("PATCH", "/settings", { record_bodies: true });
  const id = (await post("/chat/completions", CHAT)).headers.get("x-request-id");
  await until(async () => (await child.control<{ recording: unknown }>("GET", `/requests/${id}`)).recording !== null);
  provider.next(...acts);
  const before = provider.chats.length;
  leave(child.control("POST", `/requests/${id}/resend`, {}));
  await provider.arrived(before + acts.length);
}

async function submit(plan: VideoProvider["plan"]): Promise<void> {
  studio.plan = plan;
  const response = await post("/videos/generations", { ...T2V, webhook_url: receiver.url("task") });
  if (response.status !== 202) throw new Error(await response.text());
}

/** What is under way when Postern is reported to stop. */
const STAGES: Readonly<Record<string, () => Promise<unknown>>> = {
  "a call that waits as long as its provider asked": async () => {
    provider.next(busy, busy);
    leave(post("/chat/completions", CHAT));
    await provider.arrived(2);
  },
  "a call whose provider is silent": async () => {
    provider.next(hang);
    leave(post("/chat/completions", CHAT));
    await provider.arrived(1);
  },
  "a stream that does not end": async () => {
    provider.next(streamThenHang([contentFrame("Half")]));
    leave(post("/chat/completions", { ...CHAT, stream: true }).then((response) => response.text()));
    await provider.arrived(1);
  },
  "a recorded request, sent again, that waits as long as its provider asked": () => resend(busy, busy),
  "a recorded request, sent again, whose provider is silent": () => resend(hang),
  "a tool that the owner tries, which waits as long as its provider asked": async () => {
    const { data } = await child.control<{ data: { id: string }[] }>("GET", "/keys");
    provider.next(busy, busy);
    const tool = { key: data[0]?.id, tool: "chat", arguments: { model: CHAT.model, prompt: "Hello." } };
    leave(child.control("POST", "/mcp/call", tool));
    await provider.arrived(2);
  },
  "a test of a connection whose provider is silent, with a second key to try": async () => {
    provider.list = hang;
    const before = provider.lists;
    leave(child.control("POST", "/connections/env_openai/test"));
    await until(() => provider.lists > before);
  },
  "a backup": async () => {
    leave(child.control("POST", "/backup"));
  },
  "wrong page tokens that are slowed down": async () => {
    for (let mistake = 0; mistake < 14; mistake += 1)
      leave(
        fetch(`${child.url}/control/session`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ token: "wrong" }),
        }),
      );
    await fetch(`${child.url}/health`);
  },
};

/** Tasks are asked for by the gateway's clock, first after seconds of it. */
const VIDEO_STAGES: typeof STAGES = {
  "a video task that its provider works on": async () => {
    await submit(["running"]);
    await studio.when(() => studio.count("poll") > 0);
  },
  "a question for a video task that is not answered": async () => {
    studio.hold("poll");
    await submit(["running"]);
    await studio.when(() => studio.count("poll") > 0);
  },
  "a submission of a video task that is not answered": async () => {
    studio.hold("submit");
    leave(submit(["running"]));
    await studio.when(() => studio.count("submit") > 0);
  },
  "the file of a video that does not come": async () => {
    studio.hold("file");
    await submit(["succeeded"]);
    await studio.when(() => studio.count("file") > 0);
  },
  "a callback that its receiver does not answer": async () => {
    receiver.hold();
    await submit(["succeeded"]);
    await until(() => receiver.received.length > 0);
  },
  "a callback that is to be made again": async () => {
    receiver.response = () => 503;
    await submit(["succeeded"]);
    await until(() => receiver.received.some(({ status }) => status === 503));
  },
};

/** Every file of the folder: when it was written last, and what is in it. */
async function contents(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const { mtimeMs } = await stat(path);
    found[path] = `${mtimeMs} ${createHash("sha256")
      .update(await readFile(path))
      .digest("hex")}`;
  }
  return found;
}

const requests = (): number => provider.chats.length + provider.lists + studio.seen.length + receiver.received.length;

describe("after a stop nothing is sent, nothing is written, and the process ends by itself", () => {
  it.each([
    ...thin(Object.entries(STAGES), 2).map(([name, begin]) => [name, 1, begin] as const),
    ...thin(Object.entries(VIDEO_STAGES), 3).map(([name, begin]) => [name, 20, begin] as const),
  ])("in the midst of %s", async (_name, speed, begin) => {
    await start({ speed });
    await begin();
    expect(await child.close()).toBe(true);
    const [sent, written] = [requests(), await contents()];
    expect(await child.exited).toBe(0);
    expect(requests()).toBe(sent);
    expect(await contents()).toEqual(written);
  });

  it("while the first lists of models are asked for", async () => {
    provider.list = hang;
    await start();
    await until(() => provider.lists > 0);
    expect(await child.close()).toBe(true);
    const [sent, written] = [requests(), await contents()];
    expect(await child.exited).toBe(0);
    expect(requests()).toBe(sent);
    expect(await contents()).toEqual(written);
  });
});

it("a call that only waits to be repeated does not keep a stop waiting, and is reported why it ended", async () => {
  await start({ drainMs: 600_000 });
  provider.next(busy, busy);
  const call = post("/chat/completions", CHAT);
  await provider.arrived(2);
  const closed = child.close();
  const response = await call;
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ error: { code: "shutting_down" } });
  await closed;
  provider.list = modelList([]);
  provider.usual = completion();
});
