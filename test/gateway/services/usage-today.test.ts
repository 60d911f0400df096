import { expect, test } from "vitest";
import { HOUR_MS } from "../../../gateway/core/usage/usage-period.ts";
import { open, receipt } from "../store/fixtures.ts";
import { makeUsageQueries } from "../../support/usage-queries.ts";
import { temporaryFolder } from "../../support/running-gateway.ts";

/** 01:30 of 21 November in Tokyo, where the day began an hour and a half ago; 20 November in UTC. */
const NOW = Date.UTC(2026, 10, 20, 16, 30);

test.each([
  ["Asia/Tokyo", 1],
  ["America/Los_Angeles", 3],
  ["UTC", 4],
])("today is the day of the machine in %s, also right after a start; the month is that of UTC", async (zone, count) => {
  const dir = await temporaryFolder();
  const { store, clock } = await open({ dir });
  clock.at = NOW;
  for (const hours of [-16, -8, -2, -1]) {
    const at = NOW + hours * HOUR_MS;
    await store.usage.settle(receipt(`req_${hours}`, { at }));
  }
  const ofStart = makeUsageQueries({ dir, store, clock, zone }).usage;
  await ofStart.prepareToday();
  expect(ofStart.today().requests).toBe(count);
  await store.close();
  const again = await open({ dir });
  again.clock.at = NOW;
  const usage = makeUsageQueries({ dir, store: again.store, clock: again.clock, zone }).usage;
  // Before it is prepared there is a figure: that of the UTC day.
  expect(usage.today().requests).toBe(4);
  await usage.prepareToday();
  expect(usage.today().requests).toBe(count);
  await again.store.usage.settle(receipt("late", { at: NOW + 1 }));
  await usage.prepareToday();
  expect([usage.today().requests, usage.month().requests]).toEqual([count + 1, 5]);
  await again.store.close();
});
