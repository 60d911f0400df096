import { describe, expect, it } from "vitest";
import { startGateway } from "../../support/running-gateway.ts";
import { BODY, COMPLETION, useChatProvider } from "./chat-provider.ts";

/** The numbered rules below the specification's table of `POST /v1/chat/completions`. */

const provider = useChatProvider();
const { sent, refused } = provider;

describe("rules", () => {
  const IGNORED = {
    temperature: 0.3,
    top_p: 0.5,
    stop: ["END"],
    frequency_penalty: 1,
    presence_penalty: 1,
    logit_bias: { "50256": 1 },
    logprobs: true,
    top_logprobs: 3,
    modalities: ["text", "audio"],
    audio: { voice: "alloy", format: "mp3" },
    prediction: { type: "content", content: "x" },
  };

  it.each(["gpt-5", "gpt-5-mini", "o1", "o3", "o4-mini"])(
    "rule 1 › %s ignores what reasoning models ignore, with no error",
    async (model) => {
      expect(Object.keys(await sent({ model, ...IGNORED })).toSorted()).toEqual(["messages", "model"]);
    },
  );

  it("rule 2 › a too small max_completion_tokens is used up by reasoning", async () => {
    const sandbox = await startGateway({ env: { POSTERN_SANDBOX: "on" } });
    try {
      const response = await sandbox.chat({ ...BODY, model: "o3", max_completion_tokens: 8 });
      const body = (await response.json()) as {
        choices: [{ message: { content: string }; finish_reason: string }];
        usage: { completion_tokens: number; completion_tokens_details: { reasoning_tokens: number } };
      };
      expect(body.choices[0].message.content).toBe("");
      expect(body.choices[0].finish_reason).toBe("length");
      expect(body.usage.completion_tokens).toBe(8);
      expect(body.usage.completion_tokens_details.reasoning_tokens).toBe(8);
    } finally {
      await sandbox.close();
    }
  });

  it("rule 3 › an unsupported reasoning_effort is a 400 that lists what the model supports", async () => {
    const { message } = await refused({ model: "o3", reasoning_effort: "minimal" });
    for (const supported of ["low", "medium", "high"]) expect(message).toContain(supported);
    const { message: other } = await refused({ model: "gpt-5.4", reasoning_effort: "minimal" });
    for (const supported of ["none", "low", "medium", "high", "xhigh"]) expect(other).toContain(supported);
  });

  it("rule 4 › 200 is a Chat completion object", async () => {
    const response = await provider.postern.chat(BODY);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(COMPLETION);
  });
});
