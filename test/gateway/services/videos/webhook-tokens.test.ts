import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import type { TaskDetail, WebhooksView } from "../../../../gateway/contract/tasks.ts";
import { until } from "../../../support/running-gateway.ts";
import { useWire } from "../../../support/use-gateway.ts";
import { T2V, VideoStage } from "../../../support/video-acts.ts";
import { reply } from "../../../support/wire-provider.ts";

const TOKEN = "hook-token-0123456789";
const receiver = useWire();
let stage: VideoStage;
afterEach(async () => {
  await stage.close();
  receiver.reset();
});

async function open(): Promise<void> {
  stage = await VideoStage.open();
  await stage.gateway.ask("PATCH", "/settings", { allow_targets: [receiver.origin.slice("http://".length)] });
}

async function filesWith(text: string): Promise<readonly string[]> {
  const entries = await readdir(stage.gateway.dataDir, { recursive: true, withFileTypes: true });
  const names = entries.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const found = await Promise.all(names.map(async (name) => ((await readFile(name)).includes(text) ? [name] : [])));
  return found.flat();
}

it("a token in a webhook URL reaches its receiver, after a restart and when repeated, and no file or page", async () => {
  receiver.on("POST /hook", reply(500, {}));
  await open();
  const webhook_url = `${receiver.origin}/hook?token=${TOKEN}&x=1?2`;
  stage.provider.next("succeeded");
  const { id } = await stage.submit({ ...T2V, webhook_url });
  await until(async () => receiver.seen.length > 0);
  expect(await filesWith(TOKEN)).toEqual([]);
  expect(await filesWith(`${receiver.origin}/hook`)).not.toEqual([]);
  const detail = await stage.gateway.ask<TaskDetail>("GET", `/tasks/${id}`);
  expect(JSON.stringify([detail, await stage.gateway.ask("GET", "/webhooks")])).not.toContain(TOKEN);
  expect(detail).toMatchObject({ webhook_url: `${receiver.origin}/hook` });

  await stage.restart();
  receiver.seen.length = 0;
  receiver.on("POST /hook", reply(204, null));
  await stage.gateway.ask("POST", `/tasks/${id}/resend`);
  stage.provider.next("succeeded");
  await stage.gateway.ask("POST", `/tasks/${id}/repeat`);
  await until(async () => receiver.seen.length > 1);
  for (const { query } of receiver.seen) expect([query.get("token"), query.get("x")]).toEqual([TOKEN, "1?2"]);
  await stage.gateway.stop();
  expect(await filesWith(TOKEN)).toEqual([]);
}, 60_000);

it("a receiver with a token that responded with 410 is shown without it and enabled again", async () => {
  receiver.on("POST /hook", reply(410, {}));
  await open();
  stage.provider.next("succeeded");
  await stage.submit({ ...T2V, webhook_url: `${receiver.origin}/hook?token=${TOKEN}` });
  const view = (): Promise<WebhooksView> => stage.gateway.ask("GET", "/webhooks");
  await until(async () => (await view()).disabled.length > 0);
  const [disabled] = (await view()).disabled;
  expect(disabled?.url).toBe(`${receiver.origin}/hook`);
  expect(await filesWith(TOKEN)).toEqual([]);
  await stage.gateway.ask("POST", "/webhooks/enable", { url: disabled?.url });
  expect((await view()).disabled).toEqual([]);
});
