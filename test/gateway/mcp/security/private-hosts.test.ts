import { createServer, type AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dose, thin } from "../../../support/dose.ts";
import { Canaries } from "../../../support/canaries.ts";
import { privateHosts } from "../../../support/private-hosts.ts";
import { PAID, PaidStage } from "./paid-stage.ts";
import { NEW, call, codeOf, textOf } from "./wire.ts";

/** Arguments that are addresses: by none of them does a model make Postern connect to a private host. */

const canaries = new Canaries();
let stage: PaidStage;
beforeAll(() => canaries.listen());
afterAll(() => canaries.close());
beforeEach(async () => {
  stage = await PaidStage.open();
  stage.reset();
  canaries.watch();
});
afterEach(async () => {
  canaries.rest();
  await stage.close();
});

const film = PAID.find(({ name }) => name === "generate_video") as (typeof PAID)[number];

/** Every fifth spelling, in turn without a port, at a canary's and at Postern's own. */
function urls(scheme: string): string[] {
  return privateHosts
    .filter((_, at) => at % 5 === 0)
    .map((host, at) => {
      const port = ["", `:${canaries.port(at)}`, `:${stage.gateway.port}`][at % 3];
      return `${scheme}://${host}${port}/secret-${at}`;
    })
    .filter((url) => URL.canParse(url));
}

function expectNothingReached(): void {
  const { gateway, films, wire } = stage;
  const ours = new Set([gateway.port, films.port, Number(new URL(wire.origin).port)].map(String));
  expect(canaries.started.filter((attempt) => !ours.has(attempt.split(" ")[1] ?? ""))).toEqual([]);
  expect(canaries.connected).toBe(0);
}

describe("webhook_url", () => {
  it("is refused in every spelling, by one sentence, before a provider is asked", { timeout: 300_000 }, async () => {
    const reports = new Set<string>();
    const all = thin([...urls("http"), ...urls("https")], 4);
    expect(all.length).toBeGreaterThan(dose(40, 150));
    for (const url of all) {
      const args = { model: film.model, ...film.args, webhook_url: url };
      const { result } = await call(stage.gateway, NEW, film.name, args);
      reports.add(`${codeOf(result)} ${textOf(result)}`);
    }
    expect([...reports]).toEqual([expect.stringContaining("must be on the open internet")]);
    expect(stage.requestCount).toBe(0);
    expectNothingReached();
  });

  it("tells no one whether a port is open", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const ask = async (): Promise<string> => {
      const args = { model: film.model, ...film.args, webhook_url: `http://127.0.0.1:${port}/` };
      return textOf((await call(stage.gateway, NEW, film.name, args)).result);
    };
    const open = await ask();
    await new Promise((resolve) => server.close(resolve));
    expect(await ask()).toBe(open);
  });

  it("is refused in a quote as in the call", async () => {
    const args = { model: film.model, ...film.args, webhook_url: "http://169.254.169.254/latest/meta-data" };
    const direct = (await call(stage.gateway, NEW, film.name, args)).result;
    const quoted = (await call(stage.gateway, NEW, "quote", { tool: film.name, arguments: args })).result;
    expect(textOf(quoted)).toBe(textOf(direct));
  });
});

describe("addresses of pictures and films go to the provider as text, or nowhere", () => {
  const CALLS: readonly (readonly [string, (url: string) => readonly [string, Record<string, unknown>]])[] = [
    [
      "a picture for chat",
      (url) => [
        "chat",
        { model: "gpt-4.1", messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }] },
      ],
    ],
    ["a picture to edit", (url) => ["edit_image", { model: "delta-image-1", prompt: "x", images: [url] }]],
    ["a mask", (url) => ["edit_image", { model: "delta-image-1", prompt: "x", images: [url], mask: url }]],
    ["a picture to look at", (url) => ["generate_image", { model: "gamma-image-2.0", prompt: "x", images: [url] }]],
    ["a first frame", (url) => ["generate_video", { model: "alpha2.6-t2v", prompt: "x", first_frame_image: url }]],
    ["a film to go on from", (url) => ["generate_video", { model: "alpha2.7-i2v", prompt: "x", source_video: url }]],
    ["a sound", (url) => ["generate_video", { model: "alpha2.6-t2v", prompt: "x", audio_url: url }]],
  ];

  it.each(CALLS)("%s", { timeout: 300_000 }, async (_what, made) => {
    const open = new Set<string>();
    const sample = [
      ...urls("https").filter((_, at) => at % 8 === 0),
      ...urls("http").filter((_, at) => at % 16 === 0),
      "https://localtest.example/",
      "file:///etc/passwd",
      "/etc/passwd",
      "gopher://127.0.0.1/",
      `http://127.0.0.1:${stage.gateway.port}/v1/models`,
    ];
    canaries.names.set("localtest.example", ["127.0.0.1"]);
    for (const url of sample) {
      const [name, args] = made(url);
      const { result } = await call(stage.gateway, NEW, name, args);
      // Refused or passed on: in either case no file of this machine, and nothing of its services, is in the response.
      expect(JSON.stringify(result)).not.toMatch(/root:.*:0:0|"object":"list"/);
      open.add(codeOf(result) ?? "passed on");
    }
    expect(open.has("internal_error")).toBe(false);
    expectNothingReached();
  });
});
