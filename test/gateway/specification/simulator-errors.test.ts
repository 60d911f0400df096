import { afterEach, beforeEach, expect, it } from "vitest";
import { reply } from "../../support/wire-provider.ts";
import { KEYS } from "./simulators/chat-providers.ts";
import { ERROR_ROWS } from "../../fixtures/simulated-errors.ts";
import { Simulated } from "./simulators/simulated.ts";

/** What five providers say when something is wrong, told to the client. Each on a gateway of its own: keys are given up. */

let simulated: Simulated;
beforeEach(async () => {
  simulated = new Simulated();
  await simulated.start();
});
afterEach(() => simulated.close());

it.each(
  ERROR_ROWS.map((row) => [`${row[0]} ${row[2][0]} ${row[3]} ${JSON.stringify(row[4]).slice(0, 90)}`, row] as const),
)("%s", async (_name, [name, route, [path, body], said, words, status, code, shown, headers = {}]) => {
  const provider = simulated.providers[name].on(route, reply(said, words, headers));
  const response = await simulated.gateway.post(path, body);
  const text = await response.text();
  expect([response.status, text]).toEqual([status, expect.stringContaining(shown)]);
  for (const key of Object.values(KEYS)) expect(text).not.toContain(key);
  const told = JSON.parse(text) as { code?: string; error?: { code: string | null } };
  if (code !== "") expect(told.error === undefined ? told.code : told.error.code).toBe(code);
  if (status === 429) expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(3_000);
  expect(provider.seen).toHaveLength(1);
  expect(await simulated.gateway.receipt()).toMatchObject({ outcome: "failed", status, nano: 0 });
});
