import { describe, expect, it, vi } from "vitest";
import { Discovery } from "../../../../gateway/services/models/discovery.ts";

/** A Discovery that has been reported to ask soon, and the timer that it waits for. */
function waiting() {
  const stopping = new AbortController();
  const deps = {
    connections: { real: () => [] },
    sandboxReady: () => Promise.resolve(),
    clock: { monotonic: () => 0 },
    stopping: stopping.signal,
  };
  const discovery = new Discovery(deps as never);
  const asked = vi.spyOn(discovery, "refreshAll");
  const cancel = vi.fn<() => void>();
  let rings = (): void => {};
  discovery.refreshSoon(150, (ms, work) => {
    expect(ms).toBe(150);
    rings = work;
    return cancel;
  });
  return { discovery, asked, cancel, ring: () => rings(), stop: () => stopping.abort() };
}

describe("what connections serve, after a start", () => {
  it("is asked when the moment is over", () => {
    const { asked, ring } = waiting();
    expect(asked).not.toHaveBeenCalled();
    ring();
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it("is asked as soon as someone waits for it, once", async () => {
    const { discovery, asked, cancel, ring } = waiting();
    await discovery.waitUntilListed(1_000);
    expect(asked).toHaveBeenCalledTimes(1);
    expect(cancel).toHaveBeenCalledTimes(1);
    await discovery.waitUntilListed(1_000);
    ring();
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it("is not asked any more when Postern stops", () => {
    const { asked, ring, stop } = waiting();
    stop();
    ring();
    expect(asked).not.toHaveBeenCalled();
  });
});
