import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { publishInstance, writeControlToken } from "../../../gateway/store/disk/instance.ts";
import { RecordingLog } from "../../../gateway/store/recording-log.ts";
import { png, wav } from "../../support/media-samples.ts";
import { temporaryFolder } from "../../support/running-gateway.ts";
import { addMedia, openMedia } from "../store/media/media-fixtures.ts";
import { NOON, open, putKey, receipt } from "../store/fixtures.ts";
import { numberedTask, openTasks } from "../store/tasks/task-fixtures.ts";

const MONTH_MS = 31 * 86_400_000;

/**
 * A data folder with some of everything that Postern keeps: two states and a journal after them, receipts of two
 * months, a sealed provider key, archived tasks, results, a recording, a backup, a client's file, the desktop's memory.
 */
export async function makeWholeFolder(): Promise<string> {
  const dir = await temporaryFolder();
  const { store } = await open({ dir });
  const secret = await store.secrets.add("sk-a-provider-key-0001");
  await store.commit([
    putKey("a"),
    {
      op: "put",
      in: "connections",
      record: {
        id: "connection_1",
        provider: "openai",
        name: "Mine",
        base_url: "http://127.0.0.1:1/v1",
        priority: 0,
        enabled: true,
        origin: "created",
        created_at: NOON,
        secrets: [{ id: secret, hint: "…0001" }],
      },
    },
  ]);
  await store.usage.settle(receipt("req_1"));
  await store.snapshot();
  await store.commit([putKey("b")]);
  await store.usage.settle(receipt("req_2", { at: NOON + MONTH_MS }));
  await store.backup();
  await store.commit([putKey("c")]);
  await store.usage.settle(receipt("req_3"));
  await store.usage.sync();
  // As a kill leaves it: the journal goes on after the newest state.
  const killed = await temporaryFolder();
  await cp(dir, killed, { recursive: true });
  await store.close();
  const tasks = await openTasks({ dir: killed });
  await tasks.add([1, 2, 3].map((number) => numberedTask(number)));
  await tasks.close();
  const media = await openMedia({ dir: killed });
  for (const [id, bytes] of [
    ["media_1", png(4, 4, 1)],
    ["media_2", wav(20)],
    ["media_3", png(4, 4, 3)],
  ] as const) {
    await addMedia(media, id, bytes, { prompt: `A boat for ${id}`, request_id: `req_${id}`, nano: 40_000_000 });
  }
  await media.close();
  const recordings = new RecordingLog({ dir: killed, hasRoom: async () => true });
  const request = { text: '{"model":"gpt-5"}', form: false, bytes: 17, cut: false, redacted: false, omitted: 0 };
  const recording = {
    id: "req_1",
    at: NOON,
    path: "/v1/chat/completions",
    headers: {},
    request,
    status: 200,
    response: null,
  };
  await recordings.add(JSON.stringify(recording), NOON, 1e9);
  await recordings.close();
  await mkdir(join(killed, "clients", "claude-code"), { recursive: true });
  await writeFile(join(killed, "clients", "claude-code", "2026-11-20T120000"), '{"kept":true}');
  await mkdir(join(killed, "desktop"), { recursive: true });
  await writeFile(join(killed, "desktop", "desktop.json"), '{"window":null,"toldAboutTray":true}\n');
  await publishInstance(killed, { url: "http://127.0.0.1:9", pid: 1, startedAt: NOON });
  await writeControlToken(killed, "a-token-of-an-earlier-start");
  return killed;
}
