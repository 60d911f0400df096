import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Discovery } from "../../../../gateway/services/models/discovery.ts";
import { ListModels } from "../../../../gateway/services/models/list-models.ts";
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
    targetOf: () => undefined,
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
      await listModels.settled();
      return listModels.idsFor(key, "chat").map((id) => ({ id }));
    },
  ],
])("%s waits for the sandbox that starts, however long it takes", async (_, ask) => {
  const postern = starting();
  let ended = false;
  const asked = ask(postern).finally(() => {
    ended = true;
  });
  await vi.advanceTimersByTimeAsync(LONG_MS);
  expect(ended).toBe(false);
  postern.serve();
  await vi.advanceTimersByTimeAsync(LONG_MS);
  expect(JSON.stringify(await asked)).toContain('"id":"m"');
});

it("does not know what the sandbox does not serve either", async () => {
  const { resolveModel, serve } = starting();
  serve();
  await expect(resolveModel.find("n", "chat")).rejects.toMatchObject({ code: "model_not_found" });
});
