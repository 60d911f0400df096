import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import type { McpCall, McpView } from "../../../gateway/contract/mcp.ts";
import { MOST_CALLS, receiveCalls, withCalls } from "../../../renderer/api/live.ts";
import { queryNames } from "../../../renderer/api/query-names.ts";

function callOf(id: string, at: number, change: Partial<McpCall> = {}): McpCall {
  return {
    id,
    at,
    tool: "chat",
    key: "key_1",
    client: "test",
    model: "m1",
    status: "running",
    code: null,
    ms: null,
    nano: null,
    sandbox: false,
    progress: null,
    ...change,
  };
}

const idsOf = (calls: readonly McpCall[]): string[] => calls.map(({ id }) => id);

describe("calls that come by events", () => {
  it("stand on top, the newest first, and change in their place", () => {
    const before = [callOf("b", 2), callOf("a", 1)];
    const done = callOf("a", 1, { status: "done", ms: 5 });
    const after = withCalls({ calls: before }, [callOf("c", 3), done, callOf("d", 4)]);
    expect(idsOf(after)).toEqual(["d", "c", "b", "a"]);
    expect(after[3]).toBe(done);
    expect(after[2]).toBe(before[0]);
  });

  it("do not run again when they are over", () => {
    const over = callOf("a", 1, { status: "failed" });
    expect(withCalls({ calls: [over] }, [callOf("a", 1, { progress: "3 s" })])).toEqual([over]);
  });

  it("push the oldest out, and do not come back when they were pushed out", () => {
    const full = Array.from({ length: MOST_CALLS }, (_, index) => callOf(`c${index}`, 1_000 - index));
    const after = withCalls({ calls: full }, [callOf("new", 2_000), callOf("gone", 1, { status: "done" })]);
    expect([after.length, after[0]?.id, after.at(-1)?.id]).toEqual([MOST_CALLS, "new", `c${MOST_CALLS - 2}`]);
  });
});

describe("the cached view", () => {
  const view: McpView = { url: "u", protocol_versions: [], tools: [], calls: [], sessions: 0 };

  it("takes them, and is left alone before it has been asked for", () => {
    const cache = new QueryClient();
    expect(receiveCalls(cache, [callOf("a", 1)])).toEqual([]);
    expect(cache.getQueryData([queryNames.mcp])).toBeUndefined();
    cache.setQueryData([queryNames.mcp], view);
    expect(receiveCalls(cache, [callOf("a", 1)])).toEqual([]);
    expect(cache.getQueryData<McpView>([queryNames.mcp])?.calls.map(({ id }) => id)).toEqual(["a"]);
  });

  it("is asked for again when its response is under way and may be older", async () => {
    const cache = new QueryClient();
    let response: (view: McpView) => void = () => undefined;
    const pending = cache.fetchQuery({
      queryKey: [queryNames.mcp],
      queryFn: () => new Promise<McpView>((resolve) => (response = resolve)),
    });
    expect(receiveCalls(cache, [callOf("a", 1)])).toEqual([queryNames.mcp]);
    response(view);
    await pending;
  });
});
