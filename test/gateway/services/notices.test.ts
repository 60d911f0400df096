import { expect, test } from "vitest";
import { systemClock } from "../../../gateway/lib/clock.ts";
import { silentLog } from "../../../gateway/lib/log.ts";
import { Events } from "../../../gateway/services/events.ts";
import { Notices } from "../../../gateway/services/notices.ts";
import type { Store } from "../../../gateway/store/store.ts";

test("no more notices are kept than anybody reads: the newest", () => {
  const store = { document: { notices: new Map() } } as unknown as Store;
  const notices = new Notices({ store, clock: systemClock, log: silentLog, events: new Events() });
  for (let number = 1; number <= 1_000; number += 1) notices.add("warning", `Receiver ${number} wants no callbacks.`);
  const messages = notices.list().map(({ message }) => message);
  expect(messages).toHaveLength(200);
  expect(messages).toContain("Receiver 1000 wants no callbacks.");
  expect(messages).not.toContain("Receiver 800 wants no callbacks.");
});
