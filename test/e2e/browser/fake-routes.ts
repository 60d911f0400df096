import type { ModelView } from "../../../gateway/contract/model-view.ts";
import type { RouteEffect, RouteView } from "../../../gateway/contract/route-operations.ts";
import { setRouteSchema, type SetRoute } from "../../../gateway/contract/routes.ts";
import { initialSettings } from "../../../gateway/contract/settings.ts";
import type { FakeControl } from "./fake-control.ts";
import { fakeModel, priceOf, serveModels } from "./fake-models.ts";

/** Routes behind the pages: kept as the gateway keeps them, with an effect that a test puts in. */

const DOLLAR_A_MILLION = 1_000_000_000;
const cost = (input: number, output: number) =>
  priceOf({ input: input * DOLLAR_A_MILLION, output: output * DOLLAR_A_MILLION });

/** What someone has who is connected to two companies and runs a model of their own. */
export const routeModels: readonly ModelView[] = [
  fakeModel({
    id: "claude-opus-5-5",
    owner: "anthropic",
    provider: "anthropic",
    group: "Anthropic",
    connections: ["Anthropic"],
    context_length: 200_000,
    price: cost(5, 25),
  }),
  fakeModel({
    id: "claude-haiku-4-5",
    owner: "anthropic",
    provider: "anthropic",
    group: "Anthropic",
    connections: ["Anthropic"],
    context_length: 200_000,
    price: cost(1, 5),
  }),
  fakeModel({ id: "gpt-5.4", connections: ["OpenAI"], price: cost(2.5, 15) }),
  fakeModel({ id: "gpt-5.4-mini", connections: ["OpenAI"], price: cost(0.75, 4.5) }),
  fakeModel({ id: "gpt-4.1", connections: ["OpenAI"], context_length: 1_047_576, price: cost(2, 8) }),
  fakeModel({
    id: "qwen3:8b",
    owner: "qwen",
    provider: "openai-compatible",
    group: "Ollama",
    connections: ["Ollama"],
    context_length: 40_960,
    price: cost(0, 0),
  }),
  fakeModel({ id: "text-embedding-3-small", capabilities: ["embedding"], context_length: 8_192 }),
  fakeModel({ id: "gone-away", served: false, connections: [], provider: "" }),
];

export const someRoutes: readonly RouteView[] = [
  routeView({
    name: "keep-working",
    models: ["claude-opus-5-5", "gpt-5.4", "gone-away", "qwen3:8b"],
    rules: [
      { when: { kinds: ["background", "title"] }, models: ["claude-haiku-4-5"], enabled: true },
      {
        when: { input_tokens_above: 150_000, clients: ["Claude Code"], hours: { from: "09:00", until: "17:30" } },
        models: ["gpt-4.1"],
        enabled: false,
      },
    ],
    unserved: ["gone-away"],
  }),
  routeView({
    name: "gpt-5.4-mini",
    models: ["qwen3:8b", "gpt-5.4-mini"],
    order: "cheapest",
    sticky: true,
    enabled: false,
    hides: "gpt-5.4-mini",
  }),
];

export function routeView(over: Partial<RouteView> & Pick<RouteView, "name" | "models">): RouteView {
  return {
    order: "listed",
    sticky: false,
    rules: [],
    enabled: true,
    created_at: 1_795_000_000_000,
    hides: null,
    unserved: [],
    ...over,
  };
}

export const noEffect: RouteEffect = { looked_at: 0, since: null, moved: [] };

/** Puts models and settings next to the routes of the fake. */
export function furnishRoutes(fake: FakeControl): void {
  serveModels(fake, routeModels);
  fake.responses.set("GET /control/settings", { status: 200, body: initialSettings });
}

/** What the gateway answers about routes; undefined for other requests. */
export function routesResponse(fake: FakeControl, route: string, body: Record<string, unknown>): unknown {
  switch (route) {
    case "GET /control/routes":
      return { data: fake.routes };
    case "POST /control/routes": {
      const route = setRouteSchema.parse(body);
      const { renames = route.name } = route;
      const set = viewOf(route);
      const at = fake.routes.findIndex(({ name }) => name === renames);
      fake.routes = at === -1 ? [...fake.routes, set] : fake.routes.with(at, set);
      return set;
    }
    case "POST /control/routes/remove":
      fake.routes = fake.routes.filter(({ name }) => name !== body["name"]);
      return { ok: true };
    case "POST /control/routes/effect":
      return fake.effectOf(setRouteSchema.parse(body));
    default:
      return undefined;
  }
}

function viewOf({ name, models, order, sticky, rules, enabled }: SetRoute): RouteView {
  return routeView({
    name,
    models,
    order: order ?? "listed",
    sticky: sticky ?? false,
    rules: rules ?? [],
    enabled: enabled ?? true,
    hides: routeModels.find(({ id, served }) => served && id === name)?.id ?? null,
    unserved: models.filter((id) => !routeModels.some((model) => model.id === id && model.served)),
  });
}
