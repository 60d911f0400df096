import { describe, expect, onTestFinished, test, vi } from "vitest";
import { nodeStoreFs, renameInTime } from "../../../../gateway/store/disk/store-fs.ts";
import { systemError } from "../sim-fs.ts";

describe("renames on Windows", () => {
  test("are tried again while someone holds the file", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    let tries = 0;
    const renamed = renameInTime("a", "b", async () => {
      tries += 1;
      if (tries <= 5) throw systemError("EPERM");
    });
    await vi.runAllTimersAsync();
    await renamed;
    expect(tries).toBe(6);
  });

  test("fail after two seconds, and at once when trying again cannot help", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const pending = renameInTime("a", "b", () => Promise.reject(systemError("EBUSY"))).catch(String);
    await vi.runAllTimersAsync();
    expect(await pending).toContain("EBUSY");
    await expect(renameInTime("a", "b", () => Promise.reject(systemError("ENOSPC")))).rejects.toThrow("ENOSPC");
  });
});

test("removing or measuring what is not there is no error", async () => {
  await nodeStoreFs.remove("/nonexistent/file");
  expect(await nodeStoreFs.size("/nonexistent/file")).toBeNull();
  expect(await nodeStoreFs.list("/nonexistent/file")).toEqual([]);
});
