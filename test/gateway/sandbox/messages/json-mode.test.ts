import { describe, expect, it } from "vitest";
import { useGateway } from "../../../support/use-gateway.ts";
import { requests, useMessages } from "./running.ts";

const running = useMessages();
const postern = useGateway(() => ({ env: { POSTERN_SANDBOX: "on" } }));

const JSON_ONLY = "Answer with one JSON object and nothing else.";

describe("a JSON object without a schema, which Anthropic's dialect can only ask for in words", () => {
  it.each(["claude-sonnet-5-5", "claude-haiku-4-5", "gpt-4.1"])("is what %s answers in JSON mode", async (model) => {
    const { choices } = await postern.sdk().chat.completions.create({
      model,
      messages: requests("A city, in JSON"),
      response_format: { type: "json_object" },
    });
    expect(JSON.parse(choices[0]?.message.content ?? "")).toMatchObject({ source: "sandbox" });
  });

  it.each([
    ["the instructions ask for it", { system: `Be brief. ${JSON_ONLY}`, messages: requests("A city") }, true],
    [
      "an instruction between the turns does",
      { messages: [{ role: "system", content: JSON_ONLY }, ...requests("x")] },
      true,
    ],
    ["only the user quotes it", { messages: requests(JSON_ONLY) }, false],
    [
      "the instructions merely speak of JSON",
      { system: "Tools take one JSON object.", messages: requests("x") },
      false,
    ],
  ])("when %s", async (_case, request, isJson) => {
    const response = await running.send(request);
    const { content } = (await response.json()) as { content: readonly { text: string }[] };
    expect(content[0]?.text.startsWith("{")).toBe(isJson);
  });
});
