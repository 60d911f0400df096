import { expect, it } from "vitest";
import type { MediaPage, MediaView } from "../../../../gateway/contract/media.ts";
import { until } from "../../../support/running-gateway.ts";
import { useGateway } from "../../../support/use-gateway.ts";

const gateway = useGateway(() => ({ env: { POSTERN_SANDBOX: "on" } }));

async function listed(query: string, count: number): Promise<readonly MediaView[]> {
  const list = (): Promise<MediaPage> => gateway.ask<MediaPage>("GET", `/media?${query}`);
  await until(async () => (await list()).data.length >= count);
  return (await list()).data;
}

it("what the models made is in the library, with its request, key, price and words", async () => {
  const image = await gateway.post("/images/generations", {
    model: "gpt-image-1",
    prompt: "A boat.",
    size: "1024x1024",
  });
  expect(image.status).toBe(200);
  const data = ((await image.json()) as { data: { b64_json: string }[] }).data[0]?.b64_json ?? "";
  const receipt = await gateway.receipt();
  const [view] = await listed("kind=image", 1);
  expect(view).toMatchObject({
    type: "image/png",
    width: 1_024,
    height: 1_024,
    origin: {
      request_id: receipt.id,
      key: receipt.key,
      endpoint: "images",
      model: receipt.model,
      provider: "sandbox",
      prompt: "A boat.",
      parameters: { size: "1024x1024" },
      nano: receipt.nano,
      sandbox: true,
    },
  });
  const file = await fetch(`${gateway.url}${view?.link}`);
  expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from(data, "base64"));
});

it("the same sound twice is one file and two results", async () => {
  const body = { model: "tts-1", input: "Good evening.", voice: "alloy", response_format: "wav" };
  const sounds = [];
  for (let round = 0; round < 2; round += 1) {
    sounds.push(Buffer.from(await (await gateway.post("/audio/speech", body)).arrayBuffer()));
  }
  expect(sounds[0]).toEqual(sounds[1]);
  const [second, first] = await listed("kind=audio", 2);
  expect(second?.sha256).toBe(first?.sha256);
  expect(second?.id).not.toBe(first?.id);
  expect(second?.origin).toMatchObject({ endpoint: "speech", prompt: "Good evening." });
  expect(second?.duration_ms).toBeGreaterThan(0);
});
