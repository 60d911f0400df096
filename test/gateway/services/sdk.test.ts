import { beforeEach, expect, it } from "vitest";
import OpenAI from "openai";
import { contentFrame, endlessStream, failure, stream, streamFrames } from "../../support/acts.ts";
import { useGateway, useProvider } from "../../support/use-gateway.ts";

const provider = useProvider();
const messages = [{ role: "user" as const, content: "Say hello." }];

const postern = useGateway(() => ({ provider }));
beforeEach(() => provider.reset());

it("answers the OpenAI SDK whole and streamed", async () => {
  const whole = await postern.sdk().chat.completions.create({ model: "gpt-4.1", messages });
  expect(whole.choices[0]?.message.content).toBe("Hello from the provider.");
  expect(whole.usage?.total_tokens).toBe(15);

  provider.next(stream());
  const parts: string[] = [];
  for await (const chunk of await postern.sdk().chat.completions.create({ model: "gpt-4.1", messages, stream: true })) {
    parts.push(chunk.choices[0]?.delta.content ?? "");
    expect(chunk.choices).toHaveLength(1);
  }
  expect(parts.join("")).toBe("Hello from the provider.");
});

it("shows the SDK the usage that it asked for, last and once", async () => {
  provider.next(stream());
  const usages: unknown[] = [];
  const options = { model: "gpt-4.1", messages, stream: true, stream_options: { include_usage: true } } as const;
  for await (const chunk of await postern.sdk().chat.completions.create(options)) {
    if (chunk.usage != null) usages.push([chunk.choices.length, chunk.usage.total_tokens]);
  }
  expect(usages).toEqual([[0, 15]]);
});

it("raises the SDK's own error classes", async () => {
  const calls: readonly (readonly [() => Promise<unknown>, new (...args: never[]) => Error])[] = [
    [() => postern.sdk("sk-wrong").chat.completions.create({ model: "gpt-4.1", messages }), OpenAI.AuthenticationError],
    [() => postern.sdk().chat.completions.create({ model: "no-such-model", messages }), OpenAI.NotFoundError],
    [
      () => postern.sdk().chat.completions.create({ model: "gpt-4.1", messages, temperature: 9 }),
      OpenAI.BadRequestError,
    ],
  ];
  for (const [call, kind] of calls) await expect(call()).rejects.toBeInstanceOf(kind);
});

it("ends a stream that fails midway with an error that the SDK throws", async () => {
  provider.next(
    stream([contentFrame("Half"), 'data: {"error":{"message":"it broke","type":"server_error","code":null}}\n\n']),
  );
  const read = async (): Promise<void> => {
    for await (const _ of await postern.sdk().chat.completions.create({ model: "gpt-4.1", messages, stream: true }));
  };
  await expect(read()).rejects.toBeInstanceOf(OpenAI.APIError);
});

it("stops the provider when the SDK aborts", async () => {
  provider.next(endlessStream(contentFrame("word "), 5));
  const response = await postern.sdk().chat.completions.create({ model: "gpt-4.1", messages, stream: true });
  for await (const _ of response) break;
  response.controller.abort();
  expect(await provider.last.aborted).toBeGreaterThan(0);
});

it("lets the SDK retry what may be retried, and only that", async () => {
  const sdk = new OpenAI({ apiKey: "sk-test-unlimited-key-0001", baseURL: `${postern.url}/v1`, maxRetries: 2 });
  provider.usual = failure(400, { code: "invalid_value", type: "invalid_request_error" });
  await expect(sdk.chat.completions.create({ model: "gpt-4.1", messages })).rejects.toBeInstanceOf(
    OpenAI.BadRequestError,
  );
  expect(provider.chats).toHaveLength(1);
});

it("streams as many answers at once as are asked for", async () => {
  provider.usual = stream(streamFrames(), 2);
  const one = async (): Promise<string> => {
    let text = "";
    for await (const chunk of await postern
      .sdk()
      .chat.completions.create({ model: "gpt-4.1", messages, stream: true })) {
      text += chunk.choices[0]?.delta.content ?? "";
    }
    return text;
  };
  const texts = await Promise.all(Array.from({ length: 30 }, one));
  expect(new Set(texts)).toEqual(new Set(["Hello from the provider."]));
});
