import { beforeEach, expect } from "vitest";
import { GAMMA_ROUTE, OPENAI_ROUTE, deltaResponse, gammaResponse, pixelFile } from "../../../support/image-acts.ts";
import { errorOf, providersAt } from "../../../support/running-gateway.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";
import { reply, type WireSeen } from "../../../support/wire-provider.ts";

type Body = Readonly<Record<string, unknown>>;

export const PROMPT = "A red fox in the snow";

/** A gateway with DashScope's images behind it, for the tests of a file. */
export function useGamma() {
  const wire = useWire();
  const postern = useGateway(() => ({
    env: providersAt({ DASHSCOPE: wire.origin }),
  }));
  const fileUrl = (): string => `${wire.origin}/result.png?Expires=1&Signature=x%2By`;
  beforeEach(() => {
    wire.reset();
    wire.on(GAMMA_ROUTE, reply(200, gammaResponse(fileUrl()))).on("GET /result.png", pixelFile);
  });
  /** Calls that reached the provider; the library fetches results in addition. */
  const asked = (): readonly WireSeen[] => wire.seen.filter(({ method }) => method === "POST");
  return {
    wire,
    postern,
    fileUrl,
    asked,
    /** The first of them. */
    sent(): WireSeen & { readonly json: Record<string, never> } {
      const [first] = asked();
      if (first === undefined) throw new Error("nothing reached the provider");
      return first as WireSeen & { readonly json: Record<string, never> };
    },
    async accepted(body: unknown): Promise<Record<string, unknown>> {
      const response = await postern.post("/images/generations", body);
      const text = await response.text();
      expect([response.status, text]).toEqual([200, expect.anything()]);
      return JSON.parse(text) as Record<string, unknown>;
    },
  };
}

/** A gateway with OpenAI's images behind it, for the tests of a file. */
export function useDelta() {
  const wire = useWire();
  const postern = useGateway(() => ({
    env: providersAt({ OPENAI: `${wire.origin}/v1` }),
  }));
  beforeEach(() => {
    wire.reset();
    wire.on(OPENAI_ROUTE, reply(200, deltaResponse())).on("GET /result.png", pixelFile);
  });
  const asked = (): readonly WireSeen[] => wire.seen.filter(({ method }) => method === "POST");
  return {
    wire,
    postern,
    asked,
    /** What reaches the provider for a request, its model and prompt left out. */
    async sent(body: Body): Promise<Record<string, unknown>> {
      wire.seen.length = 0;
      const response = await postern.post("/images/generations", { prompt: PROMPT, ...body });
      expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
      const [seen] = asked();
      if (seen === undefined) throw new Error("nothing reached the provider");
      const { model: _model, prompt: _prompt, ...rest } = seen.json as Record<string, unknown>;
      return rest;
    },
    async refused(body: Body): Promise<{ message: string; param: string | null }> {
      wire.seen.length = 0;
      const response = await postern.post("/images/generations", { prompt: PROMPT, ...body });
      expect(response.status).toBe(400);
      expect(asked()).toEqual([]);
      return errorOf(response);
    },
  };
}
