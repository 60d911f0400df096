import { beforeEach, describe, expect, it } from "vitest";
import { errorOf, KEY, until } from "../../../support/running-gateway.ts";
import { reply } from "../../../support/wire-provider.ts";
import {
  ask,
  BLIND,
  completion,
  dataUrl,
  describes,
  image,
  nowTakes,
  says,
  seenIn,
  shownTo,
  SIGHTED,
  text,
  told,
  useBlindWorld,
} from "./blind-world.ts";

const POOR = "sk-test-limited-key-0001";
const BARRED = "sk-test-barred-key-0001";
const SINGLE = "sk-test-single-key-0001";

const world = useBlindWorld([
  { key: POOR, name: "poor", limit_usd: 0.05 },
  { key: BARRED, name: "barred", models: [BLIND] },
  { key: SINGLE, name: "single", concurrency: 1, rpm: 1 },
]);
const { blind, sighted, set, heard } = world;

describe("without either setting", () => {
  it("sends the client's bytes as they are", async () => {
    await set({ picture_model: null });
    const body = JSON.stringify(ask(text("What is it?"), image(dataUrl(1))), null, 1);
    const response = await world.postern.chat(body);
    expect(response.status).toBe(400);
    expect(blind.seen[0]?.body.toString()).toContain('{\n     "type": "image_url",');
    expect(sighted.seen).toHaveLength(0);
  });
});

describe("words that say so", () => {
  beforeEach(() => set({ picture_model: null, pictures_as_words: true }));

  it("come into the place of pictures and files, in each dialect", async () => {
    const source = { type: "base64", media_type: "image/png", data: "AAAA" };
    const requests: [string, object][] = [
      ["/chat/completions", ask(text("Look:"), image(dataUrl(1)))],
      [
        "/messages",
        {
          model: BLIND,
          max_tokens: 9,
          messages: [{ role: "user", content: [text("Look:"), { type: "image", source }] }],
        },
      ],
      [
        "/responses",
        {
          model: BLIND,
          input: [
            {
              role: "user",
              content: [
                { type: "input_text", text: "Look:" },
                { type: "input_image", image_url: dataUrl(1) },
              ],
            },
          ],
        },
      ],
      [
        `beta/models/${BLIND}:generateContent`,
        { contents: [{ parts: [text("Look:"), { inlineData: { mimeType: "image/png", data: "AAAA" } }] }] },
      ],
    ];
    for (const [path, body] of requests) {
      expect((await world.postern.post(path, body)).status).toBe(200);
      expect(heard().join(" ")).toMatch(/^Look:\s+\[A picture was here\. deepseek-chat does not see pictures\.\]$/);
    }
    const file = { type: "file", file: { filename: "report.pdf", file_data: "data:application/pdf;base64,AAAA" } };
    expect((await world.postern.chat(ask(file))).status).toBe(200);
    expect(heard()).toEqual(["[A file was here (report.pdf). deepseek-chat does not take files.]"]);
    expect(sighted.seen).toHaveLength(0);
  });

  it("leave a model alone of which nothing is known", async () => {
    const unknown = nowTakes(BLIND, {});
    try {
      expect((await world.postern.chat(ask(image(dataUrl(1))))).status).toBe(400);
      expect(blind.seen.at(-1)?.body.toString()).toContain("image_url");
    } finally {
      unknown.restore();
    }
  });
});

describe("a model that describes them", () => {
  it("is asked once in a session of five turns, and has its own receipt", async () => {
    const url = dataUrl(11);
    const read = (id: string) => ({
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: id,
          content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: url.split(",")[1] } }],
        },
      ],
    });
    const call = {
      role: "assistant",
      content: [{ type: "tool_use", id: "toolu_1", name: "Read", input: { path: "a.png" } }],
    };
    const messages: object[] = [{ role: "user", content: "Read a.png" }, call, read("toolu_1")];
    for (let turn = 0; turn < 5; turn++) {
      const response = await world.postern.post("/messages", { model: BLIND, max_tokens: 50, messages }, KEY, {
        "user-agent": "claude-cli/2.1.0 (external)",
      });
      expect(response.status).toBe(200);
      expect(heard().filter((words) => words.includes("described by"))).toEqual([told(url)]);
      messages.push({ role: "assistant", content: "I see." }, { role: "user", content: `And ${turn}?` });
    }
    expect(sighted.seen).toHaveLength(1);
    expect(sighted.seen[0]?.json).toMatchObject({ model: SIGHTED });
    const receipts = (await world.postern.receipts(6)).toReversed();
    expect(receipts.map(({ endpoint, model, client }) => [endpoint, model, client])).toEqual([
      ["chat", SIGHTED, "postern-pictures"],
      ...Array.from({ length: 5 }, () => ["messages", BLIND, "claude-cli"]),
    ]);
    // 1,000 × $0.40 and 50 × $1.60 a million.
    expect(receipts[0]).toMatchObject({ outcome: "completed", nano: 480_000 });
  });

  it("describes each of several once, and calls that come together ask once", async () => {
    const [one, two] = [dataUrl(21), dataUrl(22)];
    const content = [text("Compare"), image(one), image(two), image(one)];
    const responses = await Promise.all([world.postern.chat(ask(...content)), world.postern.chat(ask(...content))]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(sighted.seen.map(shownTo).toSorted()).toEqual([one, two].toSorted());
    // DeepSeek gets texts for lists of text.
    expect(heard()).toEqual([["Compare", told(one), told(two, 2), told(one, 3)].join("\n\n")]);
  });

  it("is handed the address of what is elsewhere", async () => {
    const url = "https://example.invalid/a.png";
    expect((await world.postern.chat(ask(image(url)))).status).toBe(200);
    expect(sighted.seen.map(shownTo)).toEqual([url]);
  });

  it("describes files, too", async () => {
    const data = "data:application/pdf;base64,JVBERi0xLjQ=";
    const file = { type: "file", file: { filename: "a.pdf", file_data: data } };
    expect((await world.postern.chat(ask(file))).status).toBe(200);
    expect(heard()).toEqual([`[File 1 (a.pdf), described by ${SIGHTED}: ${seenIn(data)}]`]);
  });

  it("streams what the other model says of it", async () => {
    blind.on("POST /v1/chat/completions", (_seen, outgoing) => {
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" };
      const choice = { index: 0, delta: { role: "assistant", content: "streamed" }, finish_reason: "stop" };
      outgoing.end(`data: ${JSON.stringify({ ...chunk, choices: [choice] })}\n\ndata: [DONE]\n\n`);
    });
    const response = await world.postern.chat({ ...ask(image(dataUrl(31))), stream: true });
    expect(await response.text()).toContain("streamed");
    expect(heard()[0]).toContain("described by");
  });

  it("is asked for requests of many megabytes as for small ones", async () => {
    const url = dataUrl(3_000_000);
    expect((await world.postern.chat(ask(image(url)))).status).toBe(200);
    expect(heard()).toEqual([told(url)]);
  });

  it("counts with its pictures as one request of its key", async () => {
    const response = await world.postern.chat(ask(image(dataUrl(41)), image(dataUrl(42)), image(dataUrl(43))), SINGLE);
    expect(response.status).toBe(200);
    expect(heard().every((words) => words.includes("described by"))).toBe(true);
    expect(sighted.seen).toHaveLength(3);
    // The key's request of this minute is made: nothing is described, and paid, for one that is refused.
    expect((await world.postern.chat(ask(image(dataUrl(44))), SINGLE)).status).toBe(429);
    expect(sighted.seen).toHaveLength(3);
  });

  it("is asked for no request that the key has no money for", async () => {
    const { secret, view } = await world.postern.limitedKey(0.002);
    const response = await world.postern.chat({ ...ask(text("words ".repeat(20_000)), image(dataUrl(45))) }, secret);
    expect((await errorOf(response)).code).toBe("insufficient_quota");
    expect([sighted.seen.length, (await view()).spent_nano]).toEqual([0, 0]);
  });
});

describe("a description that fails", () => {
  it.each<[string, () => unknown, string, RegExp]>([
    [
      "with the provider",
      () => sighted.on("POST /v1/chat/completions", reply(400, { error: { message: "bad picture" } })),
      KEY,
      /could not describe it: .*bad picture/,
    ],
    [
      "because nothing is said",
      () => sighted.on("POST /v1/chat/completions", says(" ")),
      KEY,
      /could not describe it: its response had no words/,
    ],
    [
      "with an empty account",
      () => sighted.on("POST /v1/chat/completions", reply(402, { error: { message: "no credit" } })),
      KEY,
      /could not describe it/,
    ],
    [
      "because nobody serves the model",
      () => set({ picture_model: "no-such-model" }),
      KEY,
      /no-such-model could not describe it/,
    ],
    [
      "because the model sees nothing itself",
      () => set({ picture_model: BLIND }),
      KEY,
      /could not describe it: it takes none either/,
    ],
    [
      "because the key may not use the model",
      () => undefined,
      BARRED,
      /could not describe it: The key "barred" may not use/,
    ],
  ])("%s is reported in the picture's place", async (_name, arrange, key, words) => {
    await arrange();
    const response = await world.postern.chat(ask(image(dataUrl(51))), key);
    expect(response.status).toBe(200);
    expect(heard()[0]).toMatch(/^\[A picture was here\. deepseek-chat does not see pictures, and /);
    expect(heard()[0]).toMatch(words);
    expect(heard()[0]).not.toContain("\n");
  });

  it("is tried again with the next request", async () => {
    const url = dataUrl(61);
    sighted.on("POST /v1/chat/completions", reply(400, { error: { message: "not now" } }), describes);
    await world.postern.chat(ask(image(url)));
    await world.postern.chat(ask(image(url)));
    expect(heard()).toEqual([told(url)]);
  });

  it("is a stored picture, which no one else can see", async () => {
    const body = { model: BLIND, input: [{ role: "user", content: [{ type: "input_image", file_id: "file_1" }] }] };
    expect((await world.postern.post("/responses", body)).status).toBe(200);
    expect(heard().join()).toContain("it is named by an id");
    expect(sighted.seen).toHaveLength(0);
  });
});

describe("the money of descriptions", () => {
  it("is the key's: it is held, charged, and where none is left the call is refused before anything is sent", async () => {
    const expensive = { prompt_tokens: 100_000, completion_tokens: 5_000, total_tokens: 105_000 };
    sighted.on("POST /v1/chat/completions", reply(200, completion("dear", expensive)));
    const first = await world.postern.chat(ask(image(dataUrl(71))), POOR);
    // 100,000 × $0.40 and 5,000 × $1.60 a million are $0.048 of the key's $0.05.
    expect(await world.postern.spentCents(POOR)).toBeCloseTo(4.8, 1);
    expect(sighted.seen[0]?.json).toMatchObject({ max_completion_tokens: 8_000 });
    sighted.seen.length = 0;
    blind.seen.length = 0;
    await first.text();
    await set({ picture_model: "gpt-4.1" });
    const second = await world.postern.chat(ask(image(dataUrl(72)), image(dataUrl(73))), POOR);
    expect(second.status).toBe(402);
    expect((await errorOf(second)).code).toBe("insufficient_quota");
    expect(blind.seen).toHaveLength(0);
    expect(sighted.seen).toHaveLength(0);
    const [main, describing] = await world.postern.receipts(2);
    expect([main, describing].map((receipt) => [receipt?.model, receipt?.status, receipt?.nano])).toEqual([
      [BLIND, 402, 0],
      ["gpt-4.1", 402, 0],
    ]);
  });
});

it("ends the description when its client leaves", async () => {
  const closed = Promise.withResolvers<void>();
  sighted.on("POST /v1/chat/completions", (_seen, outgoing) => {
    outgoing.once("close", () => closed.resolve());
  });
  const leaving = new AbortController();
  const call = world.postern.chat(ask(image(dataUrl(81))), KEY, { signal: leaving.signal });
  await until(() => sighted.seen.length === 1);
  leaving.abort();
  await expect(call).rejects.toThrow(/abort/);
  await closed.promise;
  await until(async () => {
    const receipts = await world.postern.receipts(2);
    return (
      receipts.every(({ status }) => status === 499) && receipts.some(({ client }) => client === "postern-pictures")
    );
  });
  expect(blind.seen).toHaveLength(0);
});

it("gives another call what the first one gave up", async () => {
  const url = dataUrl(91);
  const asked = Promise.withResolvers<void>();
  sighted.on("POST /v1/chat/completions", () => asked.resolve(), describes);
  const leaving = new AbortController();
  const first = world.postern.chat(ask(image(url)), KEY, { signal: leaving.signal });
  await asked.promise;
  const second = world.postern.chat(ask(image(url)));
  leaving.abort();
  await expect(first).rejects.toThrow(/abort/);
  expect((await second).status).toBe(200);
  expect(heard()).toEqual([told(url)]);
});
