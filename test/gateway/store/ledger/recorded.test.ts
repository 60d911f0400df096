import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OpenedStore } from "../../../../gateway/store/open-store.ts";
import type { ReceiptQuery } from "../../../../gateway/store/store.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { NOON, open, receipt } from "../fixtures.ts";

let dir: string;
let store: OpenedStore;
const atOf = (n: number): number => NOON + n * 1_000;

beforeEach(async () => {
  dir = await temporaryFolder();
  ({ store } = await open({ dir }));
  for (let n = 1; n <= 10; n += 1) {
    await store.usage.settle(receipt(`req_${n}`, { at: atOf(n), ms: 100, model: n === 3 ? "needle" : "hay" }));
  }
});
afterEach(() => store.close());

const idsOf = async (query: Partial<ReceiptQuery>): Promise<{ ids: string[]; cursor: string | null }> => {
  const { data, cursor } = await store.usage.list({ q: "needle", limit: 50, ...query });
  return { ids: data.map(({ id }) => id), cursor };
};

describe.each([
  ["in memory", () => Promise.resolve()],
  [
    "in the files",
    async () => {
      await store.close();
      ({ store } = await open({ dir }));
    },
  ],
])("receipts %s", (_name, prepare) => {
  beforeEach(prepare);

  test("are found by what was recorded of them, in addition to what they say", async () => {
    const recorded = new Set(["req_8", "req_2", "req_none"]);
    expect(await idsOf({ recorded })).toEqual({ ids: ["req_8", "req_3", "req_2"], cursor: null });
    expect((await idsOf({ recorded, model: "hay" })).ids).toEqual(["req_8", "req_2"]);
  });

  test("whose recordings were not searched are left to the next page", async () => {
    const first = await idsOf({ recorded: new Set(["req_8"]), recordedFrom: atOf(6) - 100 });
    expect(first.ids).toEqual(["req_8"]);
    // No further until they are.
    const again = await idsOf({ recorded: new Set(), recordedFrom: atOf(6) - 100, before: first.cursor ?? "" });
    expect(again).toEqual({ ids: [], cursor: first.cursor });
    const second = await idsOf({ recorded: new Set(["req_5", "req_9"]), before: first.cursor ?? "" });
    expect(second).toEqual({ ids: ["req_5", "req_3"], cursor: null });
  });

  test("that another filter leaves out are not waited for", async () => {
    const all = await idsOf({ recorded: new Set(), recordedFrom: Infinity, model: "needle" });
    expect(all).toEqual({ ids: ["req_3"], cursor: null });
  });

  test("of calls that began before are left, however late they were settled", async () => {
    await store.usage.settle(receipt("req_video", { at: atOf(20), ms: 19_000 }));
    expect(await idsOf({ recorded: new Set(), recordedFrom: atOf(5) })).toMatchObject({ ids: [] });
    expect((await idsOf({ recorded: new Set(["req_video"]), recordedFrom: atOf(1) })).ids[0]).toBe("req_video");
  });
});
