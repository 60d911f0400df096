import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TaskDetail, TaskPage, TaskRow } from "../../../../gateway/contract/tasks.ts";
import { dose, thin } from "../../../support/dose.ts";
import { Canaries } from "../../../support/canaries.ts";
import { PRIVATE_V4, PRIVATE_V6, privateHosts } from "../../../support/private-hosts.ts";
import { errorOf, until } from "../../../support/running-gateway.ts";
import { T2V, VideoStage } from "../../../support/video-acts.ts";
import { useWire } from "../../../support/use-gateway.ts";

/**
 * Every way in which a video task can make Postern connect to somewhere, with every spelling of a private host, on a
 * running gateway: not one connection is started to anything but the provider that the owner has connected.
 */

const canaries = new Canaries();
/** A storage host that the owner has allowed, and that redirects. */
const storage = useWire();
let stage: VideoStage;

beforeAll(() => canaries.listen());
afterAll(async () => {
  canaries.close();
});
beforeEach(async () => {
  stage = await VideoStage.open();
  const storageTarget = storage.origin.slice("http://".length);
  await stage.gateway.ask("PATCH", "/settings", { allow_targets: [storageTarget] });
  canaries.watch();
});
afterEach(async () => {
  canaries.rest();
  storage.reset();
  await stage.close();
});

/** Each spelling once, in turn without a port, at a canary's and at Postern's own. */
function privateUrls(scheme: string): string[] {
  return privateHosts.map((host, at) => {
    const port = ["", `:${canaries.port(at)}`, `:${canaries.port(at + 1)}`, `:${stage.gateway.port}`][at % 4];
    return `${scheme}://${host}${port}/secret-${at}`;
  });
}

function expectNothingReached(): void {
  const ours = new Set([stage.gateway.port, stage.provider.port, Number(new URL(storage.origin).port)].map(String));
  expect(canaries.started.filter((attempt) => !ours.has(attempt.split(" ")[1] ?? ""))).toEqual([]);
  expect(canaries.connected).toBe(0);
}

it("is seen by this test when it happens", async () => {
  for (const port of canaries.ports) await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
  expect(canaries.connected).toBeGreaterThan(0);
  expect(canaries.started).toContain(`127.0.0.1 ${canaries.port(0)}`);
});

const detailOf = (id: string): Promise<TaskDetail> => stage.gateway.ask<TaskDetail>("GET", `/tasks/${id}`);

/** What became of the first attempts to call back, each kind once. */
async function firstAttempts(tasks: readonly { id: string }[]): Promise<string[]> {
  const errors = new Set<string>();
  for (const { id } of tasks) {
    await until(async () => (await detailOf(id)).deliveries[0]?.attempts[0] !== undefined, 20_000);
    errors.add((await detailOf(id)).deliveries[0]?.attempts[0]?.error ?? "delivered");
  }
  return [...errors].toSorted();
}

describe("webhook_url", () => {
  it("is refused at submission in every spelling, by one sentence, before a provider is asked", async () => {
    const reports = new Set<string>();
    // What is no host at all says so.
    const urls = thin([...privateUrls("http"), ...privateUrls("https")], 9).filter((url) => URL.canParse(url));
    expect(urls.length).toBeGreaterThan(dose(80, 800));
    await inTurns(urls, async (url) => {
      const response = await stage.gateway.post("/videos/generations", { ...T2V, webhook_url: url });
      expect(response.status, url).toBe(400);
      reports.add((await errorOf(response)).message);
    });
    expect([...reports]).toEqual([expect.stringContaining("must be on the open internet")]);
    expect(stage.provider.count("submit")).toBe(0);
    expectNothingReached();
  });

  it("that resolves to a private address only when it is delivered to is reached by no one", async () => {
    const { provider } = stage;
    provider.plan = ["failed"];
    const all = [...PRIVATE_V4, ...PRIVATE_V6, "127.0.0.1 ::1", "::ffff:169.254.169.254"];
    for (const [at, address] of all.entries()) canaries.names.set(`receiver-${at}.example`, [address]);
    const tasks = await Promise.all(
      all.map((_address, at) =>
        stage.submit({ ...T2V, webhook_url: `${at % 2 === 0 ? "http" : "https"}://receiver-${at}.example/hook` }),
      ),
    );
    expect(await firstAttempts(tasks)).toEqual([expect.stringContaining("must be on the open internet")]);
    expectNothingReached();
  });

  it("whose receiver redirects is not followed anywhere", async () => {
    const targets = privateUrls("http").slice(0, 40);
    stage.provider.plan = ["failed"];
    for (const [at, location] of targets.entries())
      storage.on(`POST /hook-${at}`, (_seen, outgoing) => {
        outgoing.writeHead([301, 302, 307, 308][at % 4] as number, { location: encodeURI(location) }).end();
      });
    const tasks = await Promise.all(
      targets.map((_target, at) => stage.submit({ ...T2V, webhook_url: `${storage.origin}/hook-${at}` })),
    );
    expect(await firstAttempts(tasks)).toEqual(
      [301, 302, 307, 308].map((status) => `The receiver responded with ${status}. Redirects are not followed.`),
    );
    expectNothingReached();
  });
});

type Say = (url: string) => Readonly<Record<string, unknown>>;

/** How each provider names where its result is. */
const RESULTS: readonly (readonly [string, object, (id: string) => Say])[] = [
  ["DashScope", T2V, (id) => (url) => ({ output: { task_id: id, task_status: "SUCCEEDED", video_url: url } })],
  [
    "Ark",
    { model: "doubao-seedance-2-0-260128", input: { prompt: "A fox" }, parameters: { return_last_frame: true } },
    () => (url) => ({ content: { video_url: url, last_frame_url: url } }),
  ],
  ["xAI", { model: "grok-imagine-video", input: { prompt: "A kite" } }, () => (url) => ({ video: { url } })],
];

/**
 * Submits as many tasks as there are addresses, whose provider then says that each result lies at one of them.
 * @returns what the owner's list says of them when all have ended, the newest first
 */
async function resultsAt(order: object, say: (id: string) => Say, urls: readonly string[]): Promise<TaskRow[]> {
  const { provider } = stage;
  provider.plan = ["running"];
  await inTurns(urls, async (_url, at) => {
    await stage.submit({ ...order, input: { prompt: `Number ${at}` } });
  });
  for (const task of provider.tasks) {
    const url = urls[Number(task.ordered.prompt.slice("Number ".length))] ?? "";
    task.override = say(task.id)(url);
    provider.advance(task.id, "succeeded");
  }
  let page: TaskPage;
  do {
    page = await stage.gateway.ask<TaskPage>("GET", "/tasks?limit=1");
    await new Promise((resolve) => setTimeout(resolve, 20));
  } while (page.active > 0);
  expect(page.total).toBe(urls.length);
  const more: TaskRow[][] = [];
  for (let offset = 0; offset < page.total; offset += 200)
    more.push((await stage.gateway.ask<TaskPage>("GET", `/tasks?limit=200&offset=${offset}`)).data);
  return more.flat();
}

/** Thirty at a time. */
async function inTurns<T>(items: readonly T[], work: (item: T, at: number) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += 30)
    await Promise.all(items.slice(start, start + 30).map((item, at) => work(item, start + at)));
}

describe.each(RESULTS)("a result of %s", (_name, order, say) => {
  it("at a private address, in every spelling, is not fetched; its client is informed nothing of what is there", async () => {
    const urls = thin([...privateUrls("http"), ...privateUrls("https").slice(0, 60)], 16);
    const rows = await resultsAt(order, say, urls);
    expect(rows.filter(({ media }) => media !== null)).toEqual([]);
    const reports = new Set<string>();
    for (const { id, prompt } of rows.filter((_row, at) => at % dose(1, 8) === 0)) {
      const { error = null, content = null } = await stage.read(id);
      const note = (await detailOf(id)).timeline.at(-1)?.note ?? null;
      // What does not resolve at all is tried again for a while.
      if (/localhost/i.test(urls[Number(prompt.slice("Number ".length))] ?? "")) continue;
      reports.add(JSON.stringify([error, content?.local_url ?? null, note]));
    }
    // Saved nowhere, or no address at all.
    expect([...reports].toSorted()).toEqual([
      expect.stringContaining("could not be fetched"),
      ...(reports.size > 1 ? [expect.stringContaining("result_missing")] : []),
    ]);
    expectNothingReached();
    const { notices } = await stage.gateway.ask<{ notices: { message: string }[] }>("GET", "/state");
    expect(notices.length).toBeLessThanOrEqual(2);
  }, 600_000);

  it("is not followed to where it may not be: redirects, loops, and names that change their mind", async () => {
    const targets = thin(privateUrls("http"), 8).filter((_url, at) => at % 5 === 0);
    for (const [at, location] of targets.entries())
      storage.on(`GET /to-${at}`, (_seen, outgoing) => {
        outgoing.writeHead([301, 302, 303, 307, 308][at % 5] as number, { location: encodeURI(location) }).end();
      });
    storage.on("GET /loop", (_seen, outgoing) => void outgoing.writeHead(302, { location: "/loop" }).end());
    storage.on("GET /name", (_seen, outgoing) => {
      outgoing.writeHead(302, { location: "https://rebinding.example/" }).end();
    });
    storage.on("GET /nowhere", (_seen, outgoing) => void outgoing.writeHead(302).end());
    storage.on("GET /file", (_seen, outgoing) => {
      outgoing.writeHead(302, { location: "file:///etc/passwd" }).end();
    });
    canaries.names.set("rebinding.example", ["127.0.0.1", "10.0.0.1", "169.254.169.254"]);
    const paths = [...targets.map((_target, at) => `/to-${at}`), "/loop", "/name", "/nowhere", "/file"];
    const rows = await resultsAt(order, say, [
      ...paths.map((path) => `${storage.origin}${path}`),
      "https://rebinding.example/1.mp4",
      "http://rebinding.example/1.mp4",
    ]);
    expect(rows.filter(({ media }) => media !== null)).toEqual([]);
    // Three redirects are followed and no more; an address is tried a few times, and its provider asked for another once.
    expect(storage.seen.filter(({ path }) => path === "/loop").length).toBeLessThanOrEqual(4 * 4 * 2 * 2);
    expectNothingReached();
  }, 600_000);
});

it("a file after the provider's own key is not followed to another place", async () => {
  const { provider } = stage;
  provider.plan = ["succeeded"];
  const targets = [storage.origin, ...privateUrls("http").slice(0, 20)];
  for (const location of targets)
    provider.fault("content", { do: "answer", status: 302, headers: { location: `${encodeURI(location)}/1.mp4` } });
  while (provider.tasks.length < targets.length) {
    const { id } = await stage.submit({ model: "sora-2", input: { prompt: "A fox" } });
    expect((await stage.over(id)).content?.local_url).toBeNull();
  }
  expect(storage.seen).toEqual([]);
  expectNothingReached();
});

describe("what the owner allows", () => {
  it("is exactly that host and port", async () => {
    const port = canaries.port(0);
    await stage.gateway.ask("PATCH", "/settings", { allow_targets: [`127.0.0.1:${port}`, `private.example:${port}`] });
    canaries.names.set("private.example", ["127.0.0.1"]);
    canaries.names.set("other.example", ["127.0.0.1"]);
    const status = async (url: string): Promise<number> => {
      const response = await stage.gateway.post("/videos/generations", { ...T2V, webhook_url: url });
      await response.arrayBuffer();
      return response.status;
    };
    for (const host of ["127.0.0.1", "localhost", "[::1]", "LOCALHOST", "127.1", "private.example", "PRIVATE.example."])
      expect(await status(`http://${host}:${port}/hook`), host).toBe(202);
    for (const host of ["127.0.0.2", "10.0.0.1", "0.0.0.0", "[::]", "other.example", "sub.private.example"])
      expect(await status(`http://${host}:${port}/hook`), host).toBe(400);
    for (const other of [port + 1, 80, 443, 22, stage.gateway.port])
      expect(await status(`http://127.0.0.1:${other}/hook`), String(other)).toBe(400);
  });

  it("is no target that leads to metadata, to everything, or nowhere", async () => {
    for (const [entry, why] of [
      ["169.254.169.254:80", "link-local"],
      ["[fe80::1]:80", "link-local"],
      ["[::ffff:169.254.169.254]:80", "link-local"],
      ["[64:ff9b::a9fe:a9fe]:80", "link-local"],
      ["100.100.100.200:80", "metadata"],
      ["[fd00:ec2::254]:80", "metadata"],
      ["0.0.0.0:3000", ""],
      ["[::]:3000", ""],
      ["2852039166:80", "link-local"],
      ["*:80", ""],
      ["*.local:80", ""],
      ["10.0.0.0/8:80", "host:port"],
      ["nas.local", "host:port"],
      ["http://nas.local:80", "host:port"],
      ["user@nas.local:80", "host:port"],
      ["nas.local:80/path", "host:port"],
      ["nas.local:0x50", "host:port"],
      ["nas.local:99999", "host:port"],
      ["nas.local :80", "host:port"],
      ["", ""],
    ] as const) {
      const response = await stage.gateway.control("PATCH", "/settings", { allow_targets: [entry] });
      expect(response.status, entry).toBe(400);
      expect((await errorOf(response)).message).toContain(why);
    }
  });

  it("is not Postern's own port by any name of this machine", async () => {
    const own = stage.gateway.port;
    canaries.names.set("myself.example", ["127.0.0.1"]);
    const targets = [`127.0.0.1:${own}`, `localhost:${own}`, `myself.example:${own}`];
    await stage.gateway.ask("PATCH", "/settings", { allow_targets: targets });
    stage.provider.plan = ["succeeded"];
    for (const host of ["127.0.0.1", "localhost", "[::1]", "127.8.8.8"]) {
      const url = `http://${host}:${own}/v1/models`;
      expect((await stage.gateway.post("/videos/generations", { ...T2V, webhook_url: url })).status).toBe(400);
    }
    const { id } = await stage.submit({ ...T2V, webhook_url: `http://myself.example:${own}/hook` });
    await until(async () => (await detailOf(id)).deliveries[0]?.attempts[0] !== undefined);
    expect((await detailOf(id)).deliveries[0]?.attempts[0]).toMatchObject({
      status: null,
      error: expect.stringContaining("must be on the open internet"),
    });
  });
});
