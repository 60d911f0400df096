import { afterEach, beforeEach, expect, it } from "vitest";
import { PIXEL_BASE64 } from "../../support/image-acts.ts";
import { reply } from "../../support/wire-provider.ts";
import type { WireAct } from "../../support/wire-provider.ts";
import { KEYS } from "./simulators/chat-providers.ts";
import { simulateMedia } from "./simulators/media-providers.ts";
import { Simulated } from "./simulators/simulated.ts";

/** How the providers' own lists of models are asked for and read, and models that only such a list knows. */

let simulated: Simulated;
beforeEach(() => {
  simulated = new Simulated();
});
afterEach(() => simulated.close());

const common = (...ids: readonly string[]): object => ({
  object: "list",
  data: ids.map((id) => ({ id, object: "model", created: 1_770_000_000, owned_by: "provider" })),
});

/** A list that is given for the provider's key alone, and nothing else. */
function listed(body: object, header: string, value: string, asked: string[]): WireAct {
  return (seen, outgoing) => {
    asked.push(`${seen.path} ${seen.headers[header] === value ? "with its key" : JSON.stringify(seen.headers)}`);
    const strays = Object.keys(seen.headers).filter((name) => ["cookie", "origin", "referer"].includes(name));
    return seen.headers[header] === value && strays.length === 0
      ? reply(200, body)(seen, outgoing)
      : reply(401, { error: { message: "No API key" } })(seen, outgoing);
  };
}

it("lists what each provider lists, each asked with its own key, and makes images with a listed Imagen", async () => {
  const { providers } = simulated;
  const asked: string[] = [];
  const bearer = (name: keyof typeof KEYS) => [`authorization`, `Bearer ${KEYS[name]}`] as const;
  const imagen = {
    name: "models/imagen-4.0-generate-001",
    displayName: "Imagen 4",
    supportedGenerationMethods: ["predict"],
  };
  await simulated.start(() => {
    providers.dashscope.on(
      "GET /compatible-mode/v1/models",
      listed(common("qwen-of-the-list"), ...bearer("dashscope"), asked),
    );
    providers.ark.on("GET /api/v3/models", listed(common("doubao-of-the-list"), ...bearer("ark"), asked));
    providers.xai.on("GET /v1/models", listed(common("grok-of-the-list"), ...bearer("xai"), asked));
    providers.gemini.on("GET /v1beta/models", listed({ models: [imagen] }, "x-goog-api-key", KEYS.gemini, asked));
    providers.gemini.on(
      "GET /v1beta/openai/models",
      listed(common("models/imagen-4.0-generate-001"), ...bearer("gemini"), asked),
    );
  });
  const ids: string[] = [];
  for await (const { id } of simulated.gateway.sdk().models.list()) ids.push(id);
  expect(ids).toEqual(expect.arrayContaining(["qwen-of-the-list", "doubao-of-the-list", "grok-of-the-list"]));
  expect(asked.filter((line) => !line.endsWith("with its key"))).toEqual([]);
  expect(asked.length).toBeGreaterThanOrEqual(4);

  simulateMedia(simulated);
  const body = { model: "imagen-4.0-generate-001", prompt: "A fox", size: "1024x1024", n: 1 };
  const response = await simulated.gateway.post("/images/generations", body);
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.anything()]);
  expect(JSON.parse(text)).toMatchObject({ data: [{ b64_json: PIXEL_BASE64 }] });
  expect(simulated.deviations).toEqual([]);
});
