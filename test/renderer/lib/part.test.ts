import { expect, it, vi } from "vitest";
import { createPart } from "../../../renderer/lib/part.ts";

const Component = () => null;

it("is fetched once, however many ask", async () => {
  const fetchPart = vi.fn<() => Promise<typeof Component>>(async () => Component);
  const part = createPart(fetchPart, { isOutdated: async () => false, hasPageWords: false });
  expect(part.state()).toEqual({ status: "waiting" });
  await Promise.all([part.load(), part.load()]);
  await part.load();
  expect(part.state()).toEqual({ status: "here", component: Component });
  expect(fetchPart).toHaveBeenCalledOnce();
});

it.each([
  [false, "failed"],
  [true, "outdated"],
] as const)(
  "tells why it did not come (outdated: %s), and comes when it is asked for again",
  async (outdated, status) => {
    const fetchPart = vi
      .fn<() => Promise<typeof Component>>(async () => Component)
      .mockRejectedValueOnce(new TypeError("no such file"));
    const part = createPart(fetchPart, { isOutdated: async () => outdated, hasPageWords: false });
    const seen: string[] = [];
    part.subscribe(() => seen.push(part.state().status));
    await part.load();
    await part.load();
    expect(seen).toEqual([status, "waiting", "here"]);
  },
);
