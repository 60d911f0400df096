import { describe, expect, it } from "vitest";
import * as z from "zod";
import { publicOperations } from "../../../gateway/contract/operations.ts";
import { openApiDocument } from "../../../gateway/http/openapi/document.ts";
import { readSource } from "../../arch/source-tree.ts";
import { KEY } from "../../support/running-gateway.ts";
import { useGateway } from "../../support/use-gateway.ts";

const postern = useGateway(() => ({ env: { POSTERN_SANDBOX: "on" } }));

/** `METHOD path` of every route of app.ts below /v1, with `{id}` for what a pattern catches. */
function routes(): string[] {
  const source = readSource("gateway/http/app.ts");
  const found = [...source.matchAll(/\bv1\.(get|post|put|patch|delete)\(\s*(?:"([^"]+)"|\/\^(\S+?)\$\/)/g)];
  return found.map(([, method, path, pattern]) => {
    const written =
      path?.replaceAll(/:(\w+)/g, "{$1}") ??
      (pattern ?? "").replaceAll("\\/", "/").replaceAll(/\(\?<(\w+)>[^)]*\)/g, "{$1}");
    return `${method} ${written}`;
  });
}

describe("the OpenAPI document", () => {
  it("has every route of the public API, and no other", () => {
    const documented = publicOperations.map(({ method, path }) => `${method} ${path}`);
    expect(routes().length).toBeGreaterThan(10);
    expect(documented.toSorted()).toEqual(routes().toSorted());
  });

  it("is served without a key, and its references lead somewhere", async () => {
    const response = await fetch(`${postern.url}/openapi.json`);
    expect(response.status).toBe(200);
    const text = await response.text();
    const document = JSON.parse(text) as { openapi: string; components: { schemas: Record<string, unknown> } };
    expect(document).toEqual(JSON.parse(JSON.stringify(openApiDocument("1.0.0"))));
    expect(document.openapi).toMatch(/^3\.1\./);
    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1] ?? "");
    expect(references.filter((name) => document.components.schemas[name] === undefined)).toEqual([]);
    expect(text).not.toContain(postern.dataDir);
  });

  it("shows every operation on videos, with its path's id, its query and its forms", () => {
    interface Operation {
      readonly parameters?: readonly { readonly name: string; readonly in: string }[];
      readonly requestBody?: { readonly content: object };
      readonly responses: object;
    }
    const { paths } = JSON.parse(JSON.stringify(openApiDocument("1.0.0"))) as {
      paths: Record<string, Record<string, Operation>>;
    };
    const shown = Object.entries(paths).flatMap(([path, operations]) =>
      path.startsWith("/v1/videos") ? Object.keys(operations).map((method) => `${method} ${path}`) : [],
    );
    expect(shown.toSorted()).toEqual([
      "delete /v1/videos/generations/{id}",
      "delete /v1/videos/{id}",
      "get /v1/videos",
      "get /v1/videos/generations",
      "get /v1/videos/generations/{id}",
      "get /v1/videos/{id}",
      "get /v1/videos/{id}/content",
      "post /v1/videos",
      "post /v1/videos/generations",
    ]);
    const namesOf = (method: string, path: string): readonly string[] =>
      (paths[path]?.[method]?.parameters ?? []).map((one) => `${one.in} ${one.name}`);
    expect(namesOf("get", "/v1/videos/generations/{id}")).toContain("path id");
    expect(namesOf("get", "/v1/videos/generations")).toEqual(
      expect.arrayContaining(["query limit", "query after", "query status", "query model"]),
    );
    expect(namesOf("post", "/v1/videos/generations")).toEqual(
      expect.arrayContaining(["query wait", "query wait_seconds"]),
    );
    const generations = paths["/v1/videos/generations"] as Record<string, Operation>;
    const { requestBody, responses } = generations["post"] as Operation;
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(["200", "202"]));
    expect(Object.keys(requestBody?.content ?? {})).toEqual(["application/json"]);
    expect(Object.keys(paths["/v1/videos"]?.["post"]?.requestBody?.content ?? {}).toSorted()).toEqual([
      "application/json",
      "multipart/form-data",
    ]);
  });

  it("has a page that shows every operation", async () => {
    const response = await fetch(`${postern.url}/openapi`);
    expect(response.headers.get("content-type")).toContain("text/html");
    const html = await response.text();
    for (const { method, path } of publicOperations) expect(html).toContain(`${method.toUpperCase()} ${path}`);
    expect((await fetch(`${postern.url}/openapi.css`)).status).toBe(200);
  });
});

/** A value that no field of the API takes: an array of arrays of a number and an object. */
const WRONG = [[{ wrong: true }, 7]];
/** Fields that take anything by the specification or the provider. */
const ANYTHING = new Set(["user", "metadata"]);

interface FieldCase {
  readonly operation: string;
  readonly path: string;
  readonly field: string;
}

/** Every documented top-level field of every JSON body that is not free-form. */
function fieldCases(): FieldCase[] {
  return publicOperations.flatMap(({ id, path, request }) => {
    const schema = request?.["application/json"];
    if (schema === undefined) return [];
    const { properties, anyOf } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    const forms = properties === undefined ? ((anyOf ?? []) as { properties?: object }[]) : [{ properties }];
    const names = new Set(forms.flatMap((form) => Object.keys(form.properties ?? {})));
    return [...names].map((field) => ({ operation: id, path, field }));
  });
}

/** A good body for each operation, so that only the field under test is wrong. */
const GOOD: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  createChatCompletion: [
    {
      model: "gpt-4.1",
      messages: [{ role: "user", content: "Hi" }],
      tools: [{ type: "function", function: { name: "f" } }],
    },
  ],
  createModeration: [{ model: "omni-moderation-latest", input: "Hi" }],
  createMessage: [{ model: "claude-sonnet-5-5", max_tokens: 10, messages: [{ role: "user", content: "Hi" }] }],
  countTokens: [{ model: "claude-sonnet-5-5", messages: [{ role: "user", content: "Hi" }] }],
  createCompletion: [{ model: "gpt-4.1", prompt: "Hi" }],
  countResponseTokens: [{ model: "gpt-4.1", input: "Hi" }],
  createResponse: [{ model: "gpt-4.1", input: "Hi" }],
  generateContent: [{ model: "gpt-4.1", contents: [{ parts: [{ text: "Hi" }] }] }],
  streamGenerateContent: [{ model: "gpt-4.1", contents: [{ parts: [{ text: "Hi" }] }] }],
  countGeminiTokens: [{ model: "gpt-4.1", contents: [{ parts: [{ text: "Hi" }] }] }],
  embedContent: [{ model: "text-embedding-3-small", content: { parts: [{ text: "Hi" }] } }],
  batchEmbedContents: [{ model: "text-embedding-3-small", requests: [{ content: { parts: [{ text: "Hi" }] } }] }],
  ollamaChat: [{ model: "gpt-4.1", messages: [{ role: "user", content: "Hi" }] }],
  ollamaGenerate: [{ model: "gpt-4.1", prompt: "Hi" }],
  ollamaEmbed: [{ model: "text-embedding-3-small", input: "Hi" }],
  ollamaEmbeddings: [{ model: "text-embedding-3-small", prompt: "Hi" }],
  showOllamaModel: [{ model: "gpt-4.1", name: "gpt-4.1" }],
  createEmbeddings: [{ model: "text-embedding-3-small", input: "Hi" }],
  createSpeech: [{ model: "tts-1", input: "Hi", voice: "alloy" }],
  createImage: [
    { model: "gamma-image-2.0", input: { messages: [{ role: "user", content: [{ text: "A cat" }] }] } },
    { model: "delta-image-1", prompt: "A cat" },
    { model: "doubao-seedream-4-0-250828", prompt: "A cat" },
    { model: "grok-imagine-image", prompt: "A cat" },
    { model: "gemini-2.5-flash-image", contents: [{ role: "user", parts: [{ text: "A cat" }] }] },
  ],
  createVideoTask: [
    { model: "alpha2.7-t2v", input: { prompt: "A kite" } },
    { model: "doubao-seedance-2-0-260128", input: { prompt: "A kite" } },
  ],
  createVideo: [{ model: "alpha2.7-t2v", prompt: "A kite" }],
  editImage: [{ model: "delta-image-1", prompt: "A hat", images: [{ image_url: "data:image/png;base64,AAAA" }] }],
};

describe("no documented field is unvalidated", () => {
  const cases = fieldCases().filter(({ field }) => !ANYTHING.has(field));
  it("of which there are many", () => expect(cases.length).toBeGreaterThan(60));

  it.each(cases)("$operation refuses a wrong $field", async ({ operation, path, field }) => {
    const responses = await Promise.all(
      (GOOD[operation] ?? []).map((body) => {
        const address = path.replace("{id}", String(body["model"]));
        return fetch(`${postern.url}${address}`, {
          method: "POST",
          headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
          body: JSON.stringify({ ...body, [field]: WRONG }),
        });
      }),
    );
    const texts = await Promise.all(responses.map((response) => response.text()));
    expect(
      responses.map(({ status }) => status),
      texts.join("\n"),
    ).toContain(400);
    expect(
      texts.some((text) => text.includes(field)),
      texts.join("\n"),
    ).toBe(true);
  });
});
