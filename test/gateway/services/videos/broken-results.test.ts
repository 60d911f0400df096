import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { MediaPage } from "../../../../gateway/contract/media.ts";
import type { VideoTask } from "../../../../gateway/contract/videos.ts";
import { nodeMediaDisk } from "../../../../gateway/store/media/media-disk.ts";
import { until, type TestOptions } from "../../../support/running-gateway.ts";
import { T2V, VideoStage } from "../../../support/video-acts.ts";
import { VideoProvider, mp4 } from "../../../support/video-provider.ts";
import { replyBytes, type WireAct } from "../../../support/wire-provider.ts";
import { useWire } from "../../../support/use-gateway.ts";

/** A storage host that gives anything but the video that its provider has made. */
const storage = useWire();
let stage: VideoStage;
afterEach(async () => {
  await stage.close();
  storage.reset();
});

const MIB = 1024 ** 2;
const GROK = { model: "grok-imagine-video", input: { prompt: "A kite" }, resolution: "480p" } as const;

async function open(options: TestOptions = {}, speed?: number): Promise<VideoStage> {
  stage = await VideoStage.open(options, speed);
  const allow_targets = [storage.origin.slice("http://".length)];
  // A token for the pages may have expired before it is used: time runs fast here.
  await until(async () => (await stage.gateway.control("PATCH", "/settings", { allow_targets })).ok);
  stage.provider.plan = ["running"];
  return stage;
}

/** A task whose result lies at that path of the storage host. */
async function madeAt(path: string): Promise<VideoTask> {
  const task = await stage.submit();
  const { id } = stage.provider.last;
  const output = { task_id: id, task_status: "SUCCEEDED", video_url: `${storage.origin}${path}` };
  stage.provider.last.override = { output };
  stage.provider.advance(id, "succeeded");
  return task;
}

const library = (): Promise<MediaPage> => stage.gateway.ask<MediaPage>("GET", "/media?limit=100");
const incoming = (): Promise<string[]> => readdir(join(stage.gateway.dataDir, "media", "incoming"));

/** A head, and then a byte now and again. */
const trickle: WireAct = (_seen, outgoing) => {
  outgoing.writeHead(200, { "content-type": "video/mp4" });
  outgoing.write(mp4("slow").subarray(0, 64));
  const timer = setInterval(() => outgoing.write("x"), 20);
  outgoing.on("close", () => clearInterval(timer));
};

describe("a result that is no video", () => {
  it.each<[string, WireAct]>([
    ["nothing", replyBytes("video/mp4", "")],
    ["a page", replyBytes("text/html", "<html><script>alert(1)</script></html>")],
    ["a page that says it is a video", replyBytes("video/mp4", "<html><script>alert(1)</script></html>")],
    ["an SVG", replyBytes("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")],
    ["an SVG that says it is a video", replyBytes("video/mp4", "<svg onload='alert(1)'/>".padEnd(4_000, " "))],
    ["JSON", replyBytes("application/json", '{"error":"expired"}')],
    ["403", replyBytes("application/xml", "<Error/>", 403)],
    ["204", (_seen, outgoing) => void outgoing.writeHead(204).end()],
    ["a part", (_seen, outgoing) => void outgoing.writeHead(206, { "content-type": "video/mp4" }).end(mp4("1"))],
  ])("(%s) ends the task with its provider's address, billed once, and leaves nothing behind", async (_name, act) => {
    await open();
    storage.on("GET /1.mp4", act);
    const task = await madeAt("/1.mp4");
    const done = await stage.over(task.id);
    expect(done).toMatchObject({ status: "succeeded", content: { local_url: null } });
    await until(async () => (await library()).pending === 0);
    expect((await library()).data).toEqual([]);
    expect(await incoming()).toEqual([]);
    expect(await stage.gateway.receipts()).toHaveLength(1);
  });
});

describe("a storage that sends a byte now and again", () => {
  it("keeps no other provider's results from the library", async () => {
    const other = await new VideoProvider().listen();
    try {
      // Slow enough that a busy machine downloads a small file within its time limit.
      await open({ env: { POSTERN_XAI_BASE_URL: other.baseUrl("xai") } }, 20);
      storage.on("GET /slow.mp4", trickle);
      for (let count = 0; count < 8; count += 1) await madeAt("/slow.mp4");
      await until(() => storage.seen.length >= 4);
      const done = await stage.over((await stage.submit(GROK)).id);
      expect(done.content?.local_url).toContain("/media/");
      // Nor are all eight fetched at once.
      expect(storage.seen.length).toBe(4);
    } finally {
      await other.close();
    }
  });
});

it("a result does not fill the disk to its brim: what comes in is left when room becomes short", async () => {
  let free = 2 * 1024 * MIB;
  const disk = { ...nodeMediaDisk, freeBytes: () => Promise.resolve(free) };
  await open({ disk }, 10);
  let sent = 0;
  storage.on("GET /1.mp4", (_seen, outgoing) => {
    outgoing.writeHead(200, { "content-type": "video/mp4" });
    outgoing.write(mp4("1"));
    const chunk = Buffer.alloc(MIB);
    const more = (): void => {
      while (!outgoing.destroyed && sent < 512) {
        sent += 1;
        // Others fill it too: hundreds of megabytes would take a loaded machine longer than a download may take.
        free -= MIB * 16;
        if (!outgoing.write(chunk)) return;
      }
      outgoing.end();
    };
    outgoing.on("drain", more);
    more();
  });
  await madeAt("/1.mp4");
  await until(async () => {
    const { notices } = await stage.gateway.ask<{ notices: { message: string }[] }>("GET", "/state");
    return notices.some(({ message }) => message.includes("must stay free"));
  });
  expect(sent).toBeLessThan(200);
  await until(async () => (await incoming()).length === 0);
  // The next order is refused before its provider is asked.
  expect((await stage.gateway.post("/videos/generations", T2V)).status).toBe(503);
});
