import { expect, test } from "vitest";
import { createLog } from "../../../gateway/lib/log.ts";

test("says of each line what it was given, whatever the lines before it said under the same names", () => {
  let written = "";
  let now = 0;
  const log = createLog(
    (lines) => (written += lines),
    () => ++now,
  );
  const lines = [
    { id: "a", status: 200, key: undefined, ok: true, none: null },
    { id: "a", status: "200", key: "k", ok: "true", none: "null" },
    { id: 'a "quoted"\n', status: 200, key: "k", ok: false, none: null },
    { key: "sk-abcdefghijklmnopqrstuvwxyz" },
    { key: "sk-abcdefghijklmnopqrstuvwxyz", id: "a" },
    { level: "a field", event: "another" },
  ];
  for (const line of lines) log.info("request", line);
  log.warn("request", { id: "a" });
  log.flush();
  const read = written
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const reports = lines.map(({ key, ...fields }, index) => {
    const shown = key?.startsWith("sk-") === true ? "sk-[redacted]" : key;
    const own = { time: index + 1, level: "info", event: "request", ...fields };
    return shown === undefined ? own : { ...own, key: shown };
  });
  expect(read).toEqual([...reports, { time: 7, level: "warn", event: "request", id: "a" }]);
});
