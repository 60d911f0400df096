import { afterEach, expect, it } from "vitest";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { WebhooksView } from "../../../../gateway/contract/tasks.ts";
import { dose } from "../../../support/dose.ts";
import { KEY, until } from "../../../support/running-gateway.ts";
import { T2V, VideoStage } from "../../../support/video-acts.ts";
import { reply, replyBytes } from "../../../support/wire-provider.ts";
import { useWire } from "../../../support/use-gateway.ts";

/** What no line of the log and no notice may hold, on every way that a task can go. */
const PROMPT = "canary-of-the-prompt";
const HOOK = "canary-of-the-hook";
const SIGNATURE = "canary-of-the-signature";
const receiver = useWire();
const logged: string[] = [];
let stage: VideoStage;
afterEach(async () => {
  await stage.close();
  receiver.reset();
});

const order = (hook: string) => ({
  ...T2V,
  input: { prompt: `A lighthouse, ${PROMPT}.` },
  webhook_url: `${receiver.origin}/${HOOK}/${hook}?token=${HOOK}`,
});

interface Reported {
  readonly notices: readonly { readonly message: string }[];
}

it("a log tells what happens to tasks, and no prompt, key, secret or link; troubles are reported once", async () => {
  stage = await VideoStage.open({ logged });
  const { provider, gateway } = stage;
  const allow_targets = [receiver.origin.slice("http://".length)];
  await gateway.ask("PATCH", "/settings", { allow_targets });
  const { secret } = await gateway.ask<WebhooksView>("GET", "/webhooks");
  const hooks = [
    reply(204, null),
    reply(500, { error: HOOK }),
    reply(410, {}),
    reply(302, {}, { location: `http://169.254.169.254/${HOOK}` }),
    replyBytes("text/html", HOOK, 404),
  ];
  for (const [at, act] of hooks.entries()) receiver.on(`POST /${HOOK}/${at}`, act);
  const files = [
    reply(403, { SIGNATURE }),
    replyBytes("text/html", "<html>"),
    reply(302, {}, { location: "/nowhere" }),
  ];
  for (const [at, act] of files.entries()) receiver.on(`GET /${at}.mp4`, act);

  const ids: string[] = [];
  const run = async (hook: number, act: () => void): Promise<void> => {
    act();
    const response = await gateway.post("/videos/generations", order(String(hook)));
    const { id } = (await response.json()) as { id?: string };
    if (id !== undefined) ids.push(id);
  };
  for (let round = 0; round < dose(2, 4); round += 1) {
    await run(0, () => provider.next("succeeded"));
    await run(1, () => provider.next("failed"));
    await run(2, () => provider.next("expired"));
    await run(3, () => provider.next("running", "absent"));
    await run(4, () => provider.fault("submit", { do: "drop" }));
    await run(0, () => provider.fault("submit", { do: "drop", after: true }));
    await run(0, () => provider.fault("submit", { do: "answer", status: 500, body: { message: PROMPT } }));
    await run(0, () => provider.fault("submit", { do: "answer", status: 200, body: "<html>" }));
    await run(1, () =>
      provider.fault("poll", { do: "drop" }, { do: "answer", status: 500, body: { message: "oops" } }),
    );
    for (const at of files.keys()) {
      await run(at, () => provider.next("running"));
      const address = `${receiver.origin}/${at}.mp4?Signature=${SIGNATURE}`;
      provider.last.override = { output: { task_id: provider.last.id, task_status: "SUCCEEDED", video_url: address } };
    }
    const other = `https://${"x".repeat(20)}.invalid/${SIGNATURE}.mp4?Signature=${SIGNATURE}`;
    await run(1, () => provider.next("running"));
    provider.last.override = { output: { task_id: provider.last.id, task_status: "SUCCEEDED", video_url: other } };
  }
  const settled = ["succeeded", "failed", "cancelled", "unknown"];
  for (const id of ids) await stage.when(id, ({ status }) => settled.includes(status));
  await until(async () => (await gateway.ask<WebhooksView>("GET", "/webhooks")).disabled.length > 0);
  await gateway.control("POST", `/tasks/${ids[0]}/resend`);
  await gateway.ask("POST", "/webhooks/rotate");
  const { notices } = await gateway.ask<Reported>("GET", "/state");
  expect(logged.length).toBeGreaterThan(dose(25, 50));
  expect(notices.length).toBeLessThanOrEqual(8);
  const text = [...logged, ...notices.map(({ message }) => message)].join("\n");
  const secrets = [PROMPT, HOOK, SIGNATURE, KEY, secret, secret.slice("whsec_".length), "-provider-key", "signature="];
  expect(secrets.filter((one) => text.includes(one))).toEqual([]);
  // Nor is a secret in the folder as it is left: a running Postern replaces its files.
  await gateway.stop();
  const names = await readdir(gateway.dataDir, { recursive: true, withFileTypes: true });
  for (const entry of names.filter((one) => one.isFile())) {
    const text = (await readFile(join(entry.parentPath, entry.name))).toString("latin1");
    for (const one of [KEY, secret, "dashscope-provider-key"]) expect(text.includes(one), entry.name).toBe(false);
  }
}, 300_000);
