import { expect, it } from "vitest";
import { LogRing } from "../../../gateway/lib/log-ring.ts";
import { createLog } from "../../../gateway/lib/log.ts";

it("passes every line on and remembers the newest, oldest first", () => {
  const written: string[] = [];
  let now = 0;
  const ring = new LogRing(
    createLog(
      (lines) => void written.push(...lines.trimEnd().split("\n")),
      () => now,
    ),
    () => now,
    3,
  );
  for (const event of ["a", "b", "c", "d", "e"]) {
    now += 1;
    if (event === "d") ring.error(event, { message: "m" });
    else ring.info(event);
  }
  ring.flush();
  expect(written).toHaveLength(5);
  expect(ring.lines()).toStrictEqual([
    { time: 3, level: "info", event: "c", fields: {} },
    { time: 4, level: "error", event: "d", fields: { message: "m" } },
    { time: 5, level: "info", event: "e", fields: {} },
  ]);
});
