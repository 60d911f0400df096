import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Discovery } from "../../../../gateway/services/models/discovery.ts";
import { ListModels } from "../../../../gateway/services/models/list-models.ts";
import { createNoModelError } from "../../../../gateway/services/routes/none-fits.ts";
import { ResolveModel } from "../../../../gateway/services/models/resolve-model.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LONG_MS = 600_000;
const served = { id: "m", spec: null, capabilities: ["chat"], candidates: [{}] };
const routes = { find: () => undefined, list: () => [] };
const clock = { monotonic: () => 0 };

/** A Postern whose sandbox is on its way, and serves one model from then on. */
function starting() {
  let serves = false;
  let serve = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    serve = () => {
      serves = true;
      resolve();
    };
  });
  const index = {
    find: (id: string) => (serves && id === "m" ? served : undefined),
    getTarget: () => undefined,
    findUnlisted: () => undefined,
    offers: () => (serves ? [{ name: "m", servedModel: served }] : []),
  };
  const deps = { connections: { real: () => [] }, sandboxReady: () => ready, clock };
  const discovery = new Discovery(deps as never);
  return {
    serve,
    resolveModel: new ResolveModel(index as never, discovery, routes),
    listModels: new ListModels(index as never, discovery, routes),
  };
}

const key = { record: { models: null } } as never;

it.each([
  ["a call", ({ resolveModel }: ReturnType<typeof starting>) => resolveModel.find("m", "chat")],
  [
    "the list of models",
    async ({ listModels }: ReturnType<typeof starting>) => {
      await listModels.waitUntilListed();
      return listModels.getIds(key, "chat").map((id) => ({ id }));
    },
  ],
])("%s waits for the sandbox that starts, however long it takes", async (_, ask) => {
  const postern = starting();
  let ended = false;
  const pending = ask(postern).finally(() => {
    ended = true;
  });
  await vi.advanceTimersByTimeAsync(LONG_MS);
  expect(ended).toBe(false);
  postern.serve();
  await vi.advanceTimersByTimeAsync(LONG_MS);
  expect(JSON.stringify(await pending)).toContain('"id":"m"');
});

it("does not know what the sandbox does not serve either", async () => {
  const { resolveModel, serve } = starting();
  serve();
  await expect(resolveModel.find("n", "chat")).rejects.toMatchObject({ code: "model_not_found" });
});

describe("while the first list of a provider is under way", () => {
  /** One whose list comes when it is ordered to, and has model `m`. */
  function awaiting() {
    let tell = (): void => undefined;
    const reported = new Promise<object>((resolve) => {
      tell = () => resolve({ status: 200, headers: {}, collect: () => Promise.resolve(Buffer.from("{}")) });
    });
    const models = { toRequest: () => ({ path: "/models", headers: {} }), fromResponse: () => [{ id: "m" }] };
    const connection = {
      id: "c",
      name: "Slow one",
      discovered: null as readonly { readonly id: string }[] | null,
      learned: [],
      credentials: [{ secret: null, locked: false, credit: null, health: { reportList: () => undefined } }],
      provider: { models, label: "Slow" },
      baseUrl: "http://127.0.0.1:9/v1",
      origin: "http://127.0.0.1:9",
      secretInUrl: null,
    };
    const index = {
      find: (id: string) => (connection.discovered !== null && id === "m" ? served : undefined),
      getTarget: (id: string) => (id === "mine" ? "m" : undefined),
      findUnlisted: () => undefined,
      offers: () => [],
    };
    const discovery = new Discovery({
      connections: { real: () => [connection], notifyChange: () => undefined },
      sandboxReady: () => Promise.resolve(),
      providerClient: { open: () => ({ response: reported }) },
      store: { commitRelaxed: () => undefined },
      clock: { monotonic: () => 0, now: () => 0 },
      log: { warn: () => undefined },
      stopping: new AbortController().signal,
    } as never);
    void discovery.test(connection as never);
    const listModels = new ListModels(index as never, discovery, routes);
    return { tell, resolveModel: new ResolveModel(index as never, discovery, routes), listModels };
  }
  type Awaiting = ReturnType<typeof awaiting>;

  const ways: readonly (readonly [string, (postern: Awaiting, id: string) => Promise<unknown>])[] = [
    ["a call", ({ resolveModel }, id) => resolveModel.find(id, "chat")],
    ["a look at one model", ({ listModels }, id) => listModels.one(key, id, "openai")],
  ];

  it.each(ways)("%s does not learn that a model does not exist, but when to come again", async (_, ask) => {
    const postern = awaiting();
    for (const id of ["m", "n", "mine"]) {
      const refused = expect(ask(postern, id)).rejects.toMatchObject({
        code: "model_list_pending",
        status: 503,
        message: expect.stringContaining("the first list of Slow one is still being fetched") as unknown,
        details: { param: "model", retryAfter: 5 },
      });
      // Bounded, whatever the provider does.
      await vi.advanceTimersByTimeAsync(8_000);
      await refused;
    }
    postern.tell();
    await vi.advanceTimersByTimeAsync(0);
    await expect(ask(postern, "n")).rejects.toMatchObject({ code: "model_not_found" });
  });

  it("a route does not report that none of its models exists", () => {
    const passed = (reason: "not_served" | "capability") => [{ model: "m", reason }];
    expect(createNoModelError("work", passed("not_served"), ["Slow one", "Other"])).toMatchObject({
      code: "model_list_pending",
      message: expect.stringContaining("the first lists of Slow one, Other are still being fetched") as unknown,
    });
    expect(createNoModelError("work", passed("not_served"))).toMatchObject({ code: "model_not_found" });
    expect(createNoModelError("work", passed("capability"), ["Slow one"])).toMatchObject({ code: "unsupported_value" });
  });

  it("a call gets a model that comes with the list", async () => {
    const postern = awaiting();
    const found = postern.resolveModel.find("m", "chat");
    await vi.advanceTimersByTimeAsync(3_000);
    postern.tell();
    await vi.advanceTimersByTimeAsync(0);
    await expect(found).resolves.toMatchObject({ id: "m" });
  });
});
