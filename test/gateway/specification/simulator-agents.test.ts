import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { KEY } from "../../support/running-gateway.ts";
import { arkChat, chatSimulator, dashscopeChat, geminiChat, xaiChat } from "./simulators/chat-providers.ts";
import { Simulated } from "./simulators/simulated.ts";

/** What four agents really send, to providers that refuse whatever docs/providers does not have. */

interface Captured {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}
const captured = (agent: string): readonly Captured[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../fixtures/agents/${agent}.json`), "utf8")) as Captured[];

const simulated = new Simulated();
beforeAll(() => simulated.start());
beforeEach(() => {
  chatSimulator(simulated.providers.dashscope, simulated.deviations, dashscopeChat);
  chatSimulator(simulated.providers.gemini, simulated.deviations, geminiChat);
  chatSimulator(simulated.providers.ark, simulated.deviations, arkChat);
  chatSimulator(simulated.providers.xai, simulated.deviations, xaiChat);
});
afterEach(() => expect(simulated.deviations.splice(0).join("\n")).toBe(""));
afterAll(() => simulated.close());

const CLOSING: Readonly<Record<string, string>> = {
  "/v1/chat/completions": "data: [DONE]",
  "/v1/messages": "event: message_stop",
  "/v1/responses": "event: response.completed",
};
const MODELS = ["qwen-plus", "gemini-3-pro-preview", "doubao-seed-1-6", "grok-4.3", "grok-code-fast-1"];

describe.each(["claude-code", "codex", "qwen-code", "opencode"])("%s", (agent) => {
  describe.each(MODELS)("on %s", (model) => {
    it.each(captured(agent).map((request, index) => [index + 1, request.path, request] as const))(
      "request %i to %s is taken by the provider and answered to its end",
      async (_number, path, { headers, body }) => {
        const response = await fetch(`${simulated.gateway.url}${path}`, {
          method: "POST",
          headers: { ...headers, authorization: `Bearer ${KEY}` },
          body: JSON.stringify({ ...body, model }),
        });
        const text = await response.text();
        if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
        const closing = body["stream"] === true ? CLOSING[path.split("?")[0] ?? ""] : "{";
        expect(text).toContain(closing);
      },
    );
  });
});
