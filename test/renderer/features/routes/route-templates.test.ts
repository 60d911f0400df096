import { describe, expect, it } from "vitest";
import type { ConnectionView } from "../../../../gateway/contract/connection.ts";
import { getHealthOfModel } from "../../../../renderer/features/routes/model-health.ts";
import { readRoute } from "../../../../renderer/features/routes/route-draft.ts";
import {
  draftOfTemplate,
  freeName,
  insistedNames,
  getLocalNames,
  templates,
} from "../../../../renderer/features/routes/route-templates.ts";
import { fakeModel } from "../../../e2e/browser/fake-models.ts";
import { routeModels } from "../../../e2e/browser/fake-routes.ts";
import { connections } from "../../../e2e/browser/fixtures.ts";

const local = new Set(["Ollama"]);

describe("templates are filled in from the models that are served", () => {
  it("keeps working: opus, then gpt, then what runs here", () => {
    const { name, models } = draftOfTemplate("working", routeModels, local);
    expect([name, models]).toEqual(["keep-working", ["claude-opus-5-5", "gpt-5.4", "qwen3:8b"]]);
  });

  it("sends the background to haiku", () => {
    const { models, rules } = draftOfTemplate("background", routeModels, local);
    expect(models).toEqual(["claude-opus-5-5"]);
    expect(rules).toMatchObject([{ kinds: ["background", "title"], models: ["claude-haiku-4-5"] }]);
  });

  it("sends long prompts to the longest context", () => {
    const { models, rules } = draftOfTemplate("long", routeModels, local);
    expect(models).toEqual(["claude-opus-5-5"]);
    expect(rules).toMatchObject([{ above: "100000", models: ["gpt-4.1"] }]);
  });

  it.each(templates)("%s is a whole route as it stands", (template) => {
    expect(readRoute(draftOfTemplate(template, routeModels, local)).ok).toBe(true);
  });

  it.each(templates)("%s leaves open what no model fits", (template) => {
    expect(readRoute(draftOfTemplate(template, [], local)).ok).toBe(false);
  });

  it("takes the newest by its numbers, and a preview only where there is nothing else", () => {
    const models = ["claude-opus-4-9", "claude-opus-4-10", "claude-opus-4-10-20260101", "gpt-5", "gpt-5.10"].map((id) =>
      fakeModel({ id }),
    );
    expect(draftOfTemplate("working", models, new Set()).models).toEqual(["claude-opus-4-10", "gpt-5.10"]);
  });
});

it("offers the ids that tools insist on, but for names that are taken", () => {
  expect(insistedNames(routeModels, ["claude-haiku-4-5"])).toEqual(["claude-opus-5-5", "gpt-5.4", "gpt-5.4-mini"]);
  expect(insistedNames([], [])).toEqual([]);
});

it("finds a name that is free", () => {
  expect([freeName("a", []), freeName("a", ["a"]), freeName("a", ["a", "a-2"])]).toEqual(["a", "a-2", "a-3"]);
});

it("knows which connections lead to this machine", () => {
  const at = (name: string, base_url: string) => ({ name, base_url, origin: "created" as const });
  const names = getLocalNames([
    at("a", "http://127.0.0.1:11434/v1"),
    at("b", "http://localhost:1234/v1"),
    at("c", "http://[::1]:8080"),
    at("d", "https://127.0.0.1.example.com/v1"),
    at("e", "https://api.openai.com/v1"),
  ]);
  expect([...names]).toEqual(["a", "b", "c"]);
});

describe("the health of a model is that of the best connection that serves it", () => {
  const [openai, ollama, , router] = connections as readonly [
    ConnectionView,
    ConnectionView,
    ConnectionView,
    ConnectionView,
  ];
  const troubled: ConnectionView = {
    ...ollama,
    credentials: ollama.credentials.map((key) => ({
      ...key,
      models: [{ model: "m", state: "open", until: null, since: null, reason: "503", unreachable: false }],
    })),
  };
  const m = (...names: string[]) => ({ id: "m", connections: names, sandbox: false });

  it.each([
    // One of its keys rests, and the other one is there.
    ["OpenAI", m("OpenAI"), [openai], "healthy"],
    ["one that is switched off", m("OpenRouter"), [router], "off"],
    ["a model in trouble", m("Ollama"), [troubled], "degraded"],
    ["another model of it", { ...m("Ollama"), id: "n" }, [troubled], "healthy"],
    ["a model in trouble that another one serves", m("Ollama", "OpenAI"), [troubled, openai], "healthy"],
    ["a connection that is not there", m("Gone"), [openai], undefined],
    ["the sandbox", { ...m("OpenAI"), sandbox: true }, [openai], undefined],
  ])("%s", (_name, model, known, state) => {
    expect(getHealthOfModel(model, known)?.state).toBe(state);
  });
});
