import { describe, expect, it } from "vitest";
import type { OpenedStore } from "../../../gateway/store/open-store.ts";
import { StoreWriteError } from "../../../gateway/store/store.ts";
import { open, putKey, storedKey } from "./fixtures.ts";
import { SimFs } from "./sim-fs.ts";

const DIR = "/data";

async function opened(): Promise<{ fs: SimFs; store: OpenedStore }> {
  const fs = new SimFs({ files: new Map(), folders: new Set([DIR]) });
  const { store } = await open({ dir: DIR, fs });
  await store.commit([putKey("a")]);
  return { fs, store };
}

describe("a change of a record", () => {
  it("is made of what the change before it left", async () => {
    const { store } = await opened();
    await Promise.all([
      store.change("keys", "a", (newest) => ({ ...storedKey("a"), ...newest, name: "first" })),
      store.change("keys", "a", (newest) => ({ ...storedKey("a"), ...newest, rpm: 5 })),
    ]);
    expect(store.document.keys.get("a")).toMatchObject({ name: "first", rpm: 5 });
  });

  it("finds nothing after the record was deleted, and brings nothing back", async () => {
    const { store } = await opened();
    const seen: unknown[] = [];
    await Promise.all([
      store.change("keys", "a", () => null),
      store.change("keys", "a", (newest) => {
        seen.push(newest);
        return newest;
      }),
    ]);
    expect(seen).toEqual([undefined]);
    expect(store.document.keys.has("a")).toBe(false);
  });

  it("writes nothing where nothing is to be changed", async () => {
    const { fs, store } = await opened();
    const before = fs.calls;
    await store.change("keys", "a", (newest) => newest);
    await store.change("keys", "b", () => null);
    await store.change("keys", "b", () => undefined);
    expect(fs.calls).toBe(before);
  });

  it("that the disk refuses is not the one that the next is made of", async () => {
    const { fs, store } = await opened();
    fs.fault = { call: fs.calls, code: "ENOSPC", calls: 3 };
    const refused = store.change("keys", "a", (newest) => ({ ...storedKey("a"), ...newest, name: "refused" }));
    const next = store.change("keys", "a", (newest) => newest);
    await expect(refused).rejects.toThrow(StoreWriteError);
    expect(await next).toMatchObject({ name: "a" });
  });

  it("that throws changes nothing and lets the next one through", async () => {
    const { store } = await opened();
    const refused = store.change("keys", "a", () => {
      throw new Error("no");
    });
    await expect(refused).rejects.toThrow("no");
    expect(await store.change("keys", "a", () => storedKey("a", "after"))).toMatchObject({ name: "after" });
  });
});

describe("a change that waits in its midst", () => {
  it("keeps later changes of the same records waiting, and no others", async () => {
    const { store } = await opened();
    const gate = Promise.withResolvers<void>();
    const long = store.transact([{ in: "keys", id: "a" }], async (commit) => {
      await gate.promise;
      await commit([putKey("a", "long")]);
    });
    const after = store.change("keys", "a", (newest) => ({ ...storedKey("a"), ...newest, rpm: 7 }));
    await store.change("keys", "b", () => storedKey("b"));
    expect(store.document.keys.get("a")).toMatchObject({ name: "a", rpm: null });
    gate.resolve();
    await Promise.all([long, after]);
    expect(store.document.keys.get("a")).toMatchObject({ name: "long", rpm: 7 });
  });

  it("can change no record but its own, and none when it is over", async () => {
    const { store } = await opened();
    const stored = await store.transact([{ in: "keys", id: "a" }], async (commit) => {
      await expect(commit([putKey("b")])).rejects.toThrow("out of its turn");
      return commit;
    });
    await expect(stored([putKey("a", "late")])).rejects.toThrow("out of its turn");
    expect(store.document.keys.get("a")).toMatchObject({ name: "a" });
  });

  it("has the whole collection to itself where its records depend on each other", async () => {
    const { store } = await opened();
    const alias = (id: string) => ({ id, model: "gpt-5", created_at: 1 });
    const counts: number[] = [];
    await Promise.all(
      ["x", "y", "z"].map((id) =>
        store.transact([{ in: "aliases" }], async (commit) => {
          counts.push(store.document.aliases.size);
          await commit([{ op: "put", in: "aliases", record: alias(id) }]);
        }),
      ),
    );
    expect(counts).toEqual([0, 1, 2]);
  });
});
