import { afterAll, beforeAll, expect, it } from "vitest";
import { LocalRecipient } from "../../../../gateway/services/calls/local-recipient.ts";
import { chatDialect } from "../../../../gateway/services/chat/dialects/chat.ts";
import { completionText } from "../../../support/acts.ts";
import { toolStage, type ToolStage } from "../../../support/tool-harness.ts";
import { reply } from "../../../support/wire-provider.ts";
import { useWire } from "../../../support/use-gateway.ts";
import { providersAt } from "../../../support/running-gateway.ts";

const wire = useWire();
let stage: ToolStage;
beforeAll(async () => {
  wire.on("POST /v1/chat/completions", reply(200, JSON.parse(completionText())));
  stage = await toolStage({ env: providersAt({ OPENAI: `${wire.origin}/v1` }) });
  await stage.services.manageRoutes.set({ name: "work", models: ["gpt-4.1-nano", "gpt-4.1"] });
});
afterAll(() => stage.close());

it.each(["gpt-4.1", "work"])(
  "sends no request for a client that leaves while a large request of %s is planned",
  async (model) => {
    const body = { model, messages: [{ role: "user", content: "word ".repeat(300_000) }] };
    const leaving = new AbortController();
    const call = stage.services.runChat.run(
      chatDialect,
      {
        requestId: `req_${model}`,
        arrivedAt: 0,
        key: stage.key(),
        app: "test",
        raw: Buffer.from(JSON.stringify(body)),
        body,
        headers: {},
        note: () => undefined,
        noteProvider: () => undefined,
      },
      new LocalRecipient(leaving.signal),
    );
    // It is planned in turns of the event loop.
    leaving.abort();
    expect(await call).toBeNull();
    expect(wire.seen).toEqual([]);
    const { data } = await stage.store.usage.list({ limit: 1 });
    expect(data[0]).toMatchObject({ id: `req_${model}`, outcome: "cancelled", status: 499, attempts: null, nano: 0 });
  },
);
