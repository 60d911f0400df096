import { expect, it } from "vitest";
import type { RingKey } from "../../../../gateway/services/keys/key-ring.ts";
import type { ServedModel } from "../../../../gateway/services/models/served-model.ts";
import { DescribeMedium } from "../../../../gateway/services/chat/describe-medium.ts";
import { MediaInWords } from "../../../../gateway/services/chat/media-in-words.ts";
import { initialSettings, type Settings } from "../../../../gateway/contract/settings.ts";
import { Events } from "../../../../gateway/services/events.ts";
import { TestClock } from "../../../support/test-clock.ts";

const model = (id: string, pictures?: boolean): ServedModel => ({
  id,
  spec: null,
  discovered: {
    id,
    owned_by: null,
    created: null,
    context_length: null,
    max_output: null,
    price: null,
    ...(pictures === undefined ? {} : { abilities: { pictures } }),
  },
  capabilities: ["chat"],
  candidates: [],
});
const key = { record: { id: "key_1", concurrency: null } } as RingKey;
const body = {
  messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }] }],
};

function mediaInWords(settings: Partial<Settings>, events = new Events()): MediaInWords {
  const values = { ...initialSettings, ...settings };
  return new MediaInWords({
    settings: { get: (name) => values[name] },
    events,
    resolveModel: { find: (id) => Promise.resolve(model(id)) },
    describe: new DescribeMedium({
      converse: () => Promise.reject(new Error("an estimate asks nobody")),
      admission: { isMetered: () => false },
      clock: new TestClock(),
    }),
  });
}

const estimated = (servedModel: ServedModel) =>
  mediaInWords({ picture_model: "seer" }).replace({ dialect: "chat", body, servedModel, key, client: null });

it("sends no request for an estimate, and counts what is not described as a note", async () => {
  expect(await estimated(model("blind", false))).toEqual({
    messages: [{ role: "user", content: [{ type: "text", text: "[Picture 1, described by seer: …]" }] }],
  });
});

it.each([
  ["sees", model("sighted", true)],
  ["is unknown", model("unknown")],
])("leaves a model alone that %s", (_name, servedModel) => {
  expect(estimated(servedModel)).toBeNull();
});

it("is on while one of the two settings is", () => {
  expect(mediaInWords({}).on).toBe(false);
  expect(mediaInWords({ picture_model: "seer" }).on).toBe(true);
  expect(mediaInWords({ pictures_as_words: true }).on).toBe(true);
});
