import { beforeAll, expect, it } from "vitest";
import { completionBody } from "../../../support/acts.ts";
import { dose } from "../../../support/dose.ts";
import { KEY } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";
import { reply } from "../../../support/wire-provider.ts";
import { seededRandom } from "../../store/fixtures.ts";

/** Random chains with models that fail: the first healthy model of the chain that was chosen responds. */
const clock = new TestClock();
const house = useWire();
const MODELS = ["house-1", "house-2", "house-3", "house-4", "house-5"];
const ACTS = {
  ok: reply(200, completionBody("Here.")),
  down: reply(503, { error: { message: "down", type: "server_error", code: null } }),
  gone: reply(404, { error: { message: "gone", type: "invalid_request_error", code: "model_not_found" } }),
};
const modelOf = ({ json }: { readonly json: unknown }): string => (json as { model: string }).model;

beforeAll(() =>
  house.on("GET /v1/models", reply(200, { object: "list", data: MODELS.map((id) => ({ id, object: "model" })) })),
);
const postern = useGateway(() => ({ clock, env: { POSTERN_COMPATIBLE_BASE_URL: `${house.origin}/v1` } }));

it.each(Array.from({ length: dose(12, 200) }, (_, seed) => seed))("chain of seed %i", async (seed) => {
  const random = seededRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const chainOf = (): string[] =>
    MODELS.map((id) => ({ id, at: random() }))
      .toSorted((a, b) => a.at - b.at)
      .slice(0, 1 + Math.floor(random() * 5))
      .map(({ id }) => id);
  const [own, ruled] = [chainOf(), chainOf()];
  const byRule = random() < 0.5;
  // A route may have the name of one of its models.
  const name = pick(["work", ...own]);
  const acts = new Map(MODELS.map((id) => [id, pick(["ok", "down", "gone"] as const)]));
  const rules = [{ when: { clients: ["acme*"], input_tokens_above: 0 }, models: ruled, enabled: true }];
  await postern.ask("POST", "/routes", { name, models: own, rules });
  house.on("POST /v1/chat/completions", (seen, outgoing) => ACTS[acts.get(modelOf(seen)) ?? "ok"](seen, outgoing));
  house.seen.length = 0;
  const body = { model: name, messages: [{ role: "user", content: "Who is there?" }] };
  const response = await postern.post("/chat/completions", body, KEY, { "user-agent": byRule ? "acme/1" : "other/1" });
  await response.text();
  const chain = byRule ? ruled : own;
  const healthy = chain.findIndex((id) => acts.get(id) === "ok");
  expect(response.ok).toBe(healthy !== -1);
  const requests = house.seen.filter(({ path }) => path.endsWith("/completions")).map(modelOf);
  expect([...new Set(requests)]).toEqual(healthy === -1 ? chain : chain.slice(0, healthy + 1));
  const { model, route } = await postern.receipt();
  expect([route?.name, route?.rule]).toEqual([name, byRule ? 1 : undefined]);
  if (healthy !== -1) {
    expect(model).toBe(chain[healthy]);
    expect(route?.passed.map((passed) => [passed.model, passed.reason])).toEqual(
      chain.slice(0, healthy).map((id) => [id, "failed"]),
    );
  }
  await postern.ask("POST", "/routes/remove", { name });
  clock.advance(30 * 60_000);
});
