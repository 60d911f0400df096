import { readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAID, PaidStage } from "./paid-stage.ts";
import { ERAS, NEW, call, codeOf, messagesOf, rpc, send } from "./wire.ts";

/** The hints by which hosts decide what a model may call without asking: each is proven by what the tool does. */

interface Shown {
  readonly name: string;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

let stage: PaidStage;
let shown: readonly Shown[];
/** A video that was made, and an order for one more. */
let finished = "";
beforeAll(async () => {
  stage = await PaidStage.open();
  stage.reset();
  stage.films.next("queued");
  finished = await ordered();
  await call(stage.gateway, NEW, "cancel_video_task", { id: finished });
  const response = await send(stage.gateway, NEW, rpc(NEW, 1, "tools/list"));
  shown = ((await messagesOf(response))[0]?.result as unknown as { tools: Shown[] } | undefined)?.tools ?? [];
});
afterAll(() => stage.close());

async function ordered(): Promise<string> {
  const { args, model, name } = PAID.find((tool) => tool.route === null) as (typeof PAID)[number];
  const { result } = await call(stage.gateway, NEW, name, { model, ...args });
  return (result.structuredContent?.["task"] as { id: string } | undefined)?.id ?? "";
}

/** Arguments with which each tool that only reads has something to read. */
const READS: Readonly<Record<string, () => Record<string, unknown>>> = {
  get_video_task: () => ({ id: finished, wait_seconds: 1 }),
  list_video_tasks: () => ({}),
  list_models: () => ({}),
  get_quota: () => ({}),
  quote: () => ({ tool: "chat", arguments: { model: "gpt-4.1", ...PAID[0]?.args } }),
};

it("every tool is proven here", () => {
  const known = [...PAID.map(({ name }) => name), ...Object.keys(READS), "cancel_video_task"];
  expect(shown.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
});

it("each hint is given for each tool", () => {
  for (const { name, annotations } of shown) {
    for (const hint of ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const)
      expect(typeof annotations[hint], `${name} ${hint}`).toBe("boolean");
    // What only reads destroys nothing, and may be repeated.
    if (annotations.readOnlyHint)
      expect(annotations, name).toMatchObject({ destructiveHint: false, idempotentHint: true });
  }
});

describe("what is marked as reading", () => {
  it("is what does not cost, and only that", () => {
    const reading = shown.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name);
    expect(reading.toSorted()).toEqual(Object.keys(READS).toSorted());
  });

  /** Everything in the data folder but what a write of the test itself adds, by name and bytes. */
  async function folder(): Promise<Map<string, string>> {
    const files = new Map<string, string>();
    for (const name of await readdir(stage.gateway.dataDir, { recursive: true })) {
      const path = join(stage.gateway.dataDir, name);
      if ((await stat(path).catch(() => null))?.isFile() !== true) continue;
      files.set(name, (await readFile(path)).toString("base64"));
    }
    return files;
  }

  async function stored(): Promise<string> {
    const paths = ["/requests?limit=500", "/tasks?limit=100", "/media?limit=100", "/settings"];
    const views = await Promise.all(paths.map((path) => stage.gateway.ask<unknown>("GET", path)));
    const keys = await stage.gateway.ask<{ data: Record<string, unknown>[] }>("GET", "/keys");
    return JSON.stringify([views, keys.data]);
  }

  it.each(Object.keys(READS))("%s writes nothing, asks no provider and costs nothing", async (name) => {
    const args = READS[name]?.() ?? {};
    // What the sign-in of the test itself writes is there before.
    await stored();
    const before = {
      folder: await folder(),
      kept: await stored(),
      asked: stage.requestCount,
      seen: stage.films.seen.length,
    };
    for (const era of ERAS) {
      for (let n = 0; n < 5; n++) {
        const { result } = await call(stage.gateway, era, name, args, { id: n });
        expect(result.isError, JSON.stringify(result)).toBeUndefined();
      }
    }
    expect(await stored()).toBe(before.kept);
    expect([stage.requestCount, stage.films.seen.length]).toEqual([before.asked, before.seen]);
    expect(await folder()).toEqual(before.folder);
  });
});

describe("what is marked as reaching a provider", () => {
  it.each(PAID.map((tool) => [tool.name, tool] as const))(
    "%s does, once a call, and is never marked as reading",
    async (name, tool) => {
      const hints = shown.find((one) => one.name === name)?.annotations;
      expect(hints).toEqual({
        ...hints,
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: true,
      });
      const before = stage.requestCount;
      for (const _ of [1, 2]) await call(stage.gateway, NEW, name, { model: tool.model, ...tool.args });
      // Not idempotent: the second call is made and paid for as the first.
      expect(stage.requestCount).toBe(before + 2);
    },
  );
});

describe("what is marked as destructive", () => {
  it("is the one that ends something, which a second call does not do again", async () => {
    const destructive = shown.filter(({ annotations }) => annotations.destructiveHint);
    expect(destructive.map(({ name }) => name)).toEqual(["cancel_video_task"]);
    expect(destructive[0]?.annotations).toMatchObject({
      readOnlyHint: false,
      idempotentHint: true,
      openWorldHint: true,
    });
    stage.films.next("queued");
    const id = await ordered();
    const first = await call(stage.gateway, NEW, "cancel_video_task", { id });
    expect(first.result.structuredContent).toMatchObject({ status: "cancelled" });
    const cancels = stage.films.count("cancel");
    const second = await call(stage.gateway, NEW, "cancel_video_task", { id });
    expect([undefined, "not_cancellable"]).toContain(codeOf(second.result) ?? undefined);
    expect(stage.films.count("cancel")).toBe(cancels);
    const { result } = await call(stage.gateway, NEW, "get_video_task", { id });
    expect(result.structuredContent).toMatchObject({ status: "cancelled" });
  });
});
