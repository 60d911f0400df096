import { readFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { USAGE_FOLDER } from "../../../gateway/store/folder/data-folder.ts";
import type { TaskFacts } from "../../../gateway/mcp/videos/video-task-response.ts";
import { dose } from "../../support/dose.ts";
import { McpKillStage, type Era } from "../../support/mcp-kills.ts";
import { temporaryFolder, until } from "../../support/running-gateway.ts";

// Each starts processes of its own.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const ORDER = { model: "alpha2.6-t2v", prompt: "A lighthouse at dusk.", idempotency_key: "order-1" };

interface Ordered {
  readonly task: TaskFacts;
  readonly repeated: boolean;
}

describe.each<[Era]>(dose([["auto"]], [["auto"], ["legacy"]]))(
  "over revisions of the era %s, a gateway that is killed",
  (era) => {
    let dataDir: string;
    let stage: McpKillStage;
    beforeEach(async () => {
      dataDir = await temporaryFolder();
      stage = await McpKillStage.open(dataDir, era);
    });
    afterEach(async () => {
      await stage.close();
      await rm(dataDir, { recursive: true, force: true });
    });

    const listed = async (): Promise<readonly TaskFacts[]> =>
      (await stage.ask<{ tasks: TaskFacts[] }>("list_video_tasks")).tasks;

    /** One film, one receipt, one charge. */
    async function settledOnce(id: string): Promise<void> {
      const task = await stage.ask<TaskFacts>("get_video_task", { id, wait_seconds: 600 });
      expect(task).toMatchObject({ id, status: "succeeded", cost_usd: 0.5 });
      expect(stage.videos.accepted(ORDER.prompt)).toHaveLength(1);
      expect((await stage.receipts()).map(({ nano, outcome }) => [nano, outcome])).toEqual([
        [500_000_000, "completed"],
      ]);
      expect(await stage.ask("get_quota")).toMatchObject({ used_usd: 0.5 });
    }

    it("while its provider is asked for a video has one task of it, found by its name and in the list", async () => {
      const release = stage.videos.hold("submit");
      const { response } = await stage.begin("generate_video", ORDER);
      await stage.videos.when(() => stage.videos.count("submit") === 1);
      await stage.kill();
      expect(await response).toBeNull();
      // The provider takes the order of a client that is not there any more.
      release();
      await stage.start();
      const [task] = await listed();
      const again = await stage.ask<Ordered>("generate_video", ORDER);
      expect(again).toMatchObject({ repeated: true, task: { id: task?.id } });
      expect(await listed()).toHaveLength(1);
      await settledOnce(again.task.id);
    });

    it("while somebody waits for a video goes on with it, and can be waited for again", async () => {
      stage.videos.plan = ["running"];
      const { task } = await stage.ask<Ordered>("generate_video", ORDER);
      const waits = Promise.withResolvers<void>();
      const { response } = await stage.begin("get_video_task", { id: task.id, wait_seconds: 600 }, waits.resolve);
      await waits.promise;
      await stage.kill();
      expect(await response).toBeNull();
      stage.videos.advance(stage.videos.last.id, "succeeded");
      await stage.start();
      expect((await listed()).map(({ id }) => id)).toEqual([task.id]);
      await settledOnce(task.id);
    });

    it("while it chats lists the call as unknown, once, with an estimate of its prompt", async () => {
      stage.chats.usual = () => {};
      const { response } = await stage.begin("chat", { model: "gpt-4.1", prompt: "Say hello." });
      await stage.chats.arrived(1);
      // Calls that last are noted a moment after they begin.
      await until(async () => (await noted(dataDir)).includes('"call":'));
      await stage.kill();
      expect(await response).toBeNull();
      await stage.start();
      expect(await stage.receipts()).toMatchObject([{ endpoint: "chat", outcome: "unknown", estimated: true }]);
      const [receipt] = await stage.receipts();
      expect(receipt?.nano).toBeGreaterThan(0);
      expect(stage.chats.chats).toHaveLength(1);
      expect(await stage.ask("get_quota")).toMatchObject({ used_usd: (receipt?.nano ?? 0) / 1e9 });
    });
  },
);

/** The usage log as it is on the disk. */
async function noted(dataDir: string): Promise<string> {
  const folder = join(dataDir, USAGE_FOLDER);
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), "latin1")));
  return files.join("");
}
