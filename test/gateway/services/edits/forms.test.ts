import { createConnection } from "node:net";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { deltaEdit, fieldsSeen, filesSeen, postBytes, postForm } from "../../../support/edit-acts.ts";
import { field, file, formOf, multipart } from "../../../support/forms.ts";
import { animatedPng, extendedWebp, jpeg, png } from "../../../support/pictures.ts";
import { KEY, errorOf } from "../../../support/running-gateway.ts";
import { reply, type WireSeen } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const MIB = 1024 * 1024;
const wire = useWire();
const postern = useGateway(() => ({
  env: { POSTERN_OPENAI_BASE_URL: `${wire.origin}/v1`, POSTERN_OPENAI_API_KEY: "sk-openai-0001" },
}));
beforeEach(() => {
  wire.reset();
  wire.on("GET /v1/models", reply(200, { object: "list", data: [{ id: "mock-image", object: "model" }] }));
  wire.on("POST /v1/images/edits", reply(200, deltaEdit()));
});

const MODEL = field("model", "delta-image-2");
const PROMPT = field("prompt", "Add a hat");
const FORM = [MODEL, PROMPT, file("image", png())];

function onlySeen(): WireSeen {
  const [seen] = wire.seen;
  if (seen === undefined || wire.seen.length > 1) throw new Error(`${wire.seen.length} requests reached the provider`);
  return seen;
}

async function refusal(
  body: Promise<Response>,
  status: number,
): Promise<{ message: string; param: string | null; code: string | null }> {
  const response = await body;
  const error = await errorOf(response);
  expect([response.status, error.message]).toEqual([status, expect.any(String)]);
  expect(wire.seen).toEqual([]);
  return error;
}

describe("forms as clients write them", () => {
  it.each([
    ["fields behind the files", [file("image", png()), MODEL, PROMPT]],
    ["files between the fields", [MODEL, file("image", png()), PROMPT]],
    ["a file named blob", [MODEL, PROMPT, file("image", png(), "blob")]],
    ["a file without a type", [MODEL, PROMPT, file("image", png(), "a.png", null)]],
    ["a file of a wrong type", [MODEL, PROMPT, file("image", png(), "a.txt", "text/plain")]],
    [
      "a file without a name",
      [
        MODEL,
        PROMPT,
        { headers: ['Content-Disposition: form-data; name="image"', "Content-Type: image/png"], content: png() },
      ],
    ],
    [
      "texts with a type, as .NET and Java send them",
      [
        {
          headers: [
            'Content-Disposition: form-data; name="model"',
            "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: 8bit",
          ],
          content: "delta-image-2",
        },
        PROMPT,
        file("image", png()),
      ],
    ],
    ["an image called image[0]", [MODEL, PROMPT, file("image[0]", png())]],
    ["a mask that nobody chose", [...FORM, file("mask", Buffer.alloc(0), "")]],
    ["a file in a field that nobody knows", [...FORM, file("reference", png())]],
  ])("with %s", async (_name, parts) => {
    const response = await postBytes(postern, multipart("b", parts));
    expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
    expect(await fieldsSeen(onlySeen())).toEqual({ model: "gpt-image-2", prompt: "Add a hat" });
    const files = await filesSeen(onlySeen());
    expect(files.map(({ field: name, type, bytes }) => [name, type, bytes.equals(png())])).toEqual([
      ["image", "image/png", true],
    ]);
    // Providers judge by the ending.
    expect(files[0]?.name).toMatch(/^[\w-]+\.png$/);
  });

  it.each(["image", "image[]"])("with several images under repeated %s", async (name) => {
    await postBytes(postern, multipart("b", [MODEL, PROMPT, file(name, png()), file(name, jpeg())]));
    expect((await filesSeen(onlySeen())).map((seen) => [seen.field, seen.type])).toEqual([
      ["image[]", "image/png"],
      ["image[]", "image/jpeg"],
    ]);
  });

  it("with numbered images, in the order of the form", async () => {
    await postBytes(postern, multipart("b", [MODEL, PROMPT, file("image[0]", png()), file("image[1]", jpeg())]));
    expect((await filesSeen(onlySeen())).map(({ type }) => type)).toEqual(["image/png", "image/jpeg"]);
  });

  it.each([
    ["../../etc/passwd", "passwd.png"],
    ["C:\\pictures\\cat.jpg", "cat.png"],
    ['say \\"hi\\".png', "say _hi_.png"],
    ["naïve.png", "na_ve.png"],
    ["猫.png", "image.png"],
    [`${"x".repeat(5_000)}.png`, /^x{80}\.png$/],
    ["my cat-1.webp", "my cat-1.png"],
  ])("with a file called %j", async (given, expected) => {
    await postBytes(postern, multipart("b", [MODEL, PROMPT, file("image", png(), given)]));
    const [seen] = await filesSeen(onlySeen());
    expect(seen?.name).toEqual(typeof expected === "string" ? expected : expect.stringMatching(expected));
  });

  it("packed", async () => {
    const body = gzipSync(multipart("b", FORM));
    const response = await postBytes(postern, body, undefined, { headers: { "content-encoding": "gzip" } });
    expect(response.status).toBe(200);
    expect((await filesSeen(onlySeen()))[0]?.bytes.equals(png())).toBe(true);
  });

  it("with a list of its own, and fields called like those of every object", async () => {
    const odd = [field("include[]", "a"), field("include[]", "b"), field("__proto__", "1"), field("constructor", "2")];
    const response = await postBytes(postern, multipart("b", [...FORM, ...odd]));
    expect(response.status).toBe(200);
    const text = onlySeen().body.toString("latin1");
    expect(text.match(/name="include\[\]"/g)).toHaveLength(2);
    expect(text).toContain('name="__proto__"');
    expect(text).toContain('name="constructor"');
  });
});

describe("forms that are refused before anything is sent", () => {
  it("of 20 files", async () => {
    const files = Array.from({ length: 20 }, () => file("image[]", png()));
    const { param, message } = await refusal(postBytes(postern, multipart("b", [MODEL, PROMPT, ...files])), 400);
    expect([param, message]).toEqual(["image", expect.stringMatching(/20.*at most 16/)]);
  });

  it.each([
    ["an animated PNG", animatedPng(), /animated/],
    ["an animated WebP", extendedWebp(0x02), /animated/],
    ["a bomb", png({ width: 50_000, height: 50_000 }), /50000x50000.*64 million pixels/],
    ["an empty file", Buffer.alloc(0), /empty/],
    ["half a picture", png().subarray(0, 20), /damaged/],
    ["an SVG", Buffer.from("<svg/>"), /PNG, JPEG or WebP/],
  ])("of %s", async (_name, bytes, words) => {
    const { param, message } = await refusal(
      postBytes(postern, multipart("b", [MODEL, PROMPT, file("image", bytes)])),
      400,
    );
    expect([param, message]).toEqual(["image", expect.stringMatching(words)]);
  });

  it("of an animated mask", async () => {
    const { param } = await refusal(postBytes(postern, multipart("b", [...FORM, file("mask", animatedPng())])), 400);
    expect(param).toBe("mask");
  });

  it.each([
    ["n", [...FORM, field("n", "1"), field("n", "2")]],
    ["mask", [...FORM, file("mask", png()), file("mask", png())]],
  ])("with %s twice", async (name, parts) => {
    const { param, message } = await refusal(postBytes(postern, multipart("b", parts)), 400);
    expect([param, message]).toEqual([name, expect.stringMatching(/more than once/)]);
  });

  it.each([
    ["cut off", multipart("b", FORM).subarray(0, -30), undefined],
    ["of another boundary than its type names", multipart("other", FORM), undefined],
    ["whose type names no boundary", multipart("b", FORM), "multipart/form-data"],
    ["empty", Buffer.alloc(0), undefined],
  ])("%s", async (_name, body, type) => {
    expect(await refusal(postBytes(postern, body, type), 400)).toMatchObject({ code: "invalid_body" });
  });

  it.each(["application/x-www-form-urlencoded", "text/plain", "multipart/mixed; boundary=b"])(
    "of the type %s",
    async (type) => {
      expect(await refusal(postBytes(postern, multipart("b", FORM), type), 415)).toMatchObject({
        code: "unsupported_media_type",
      });
    },
  );

  it("with a text of more than 1 MiB", async () => {
    const form = multipart("b", [MODEL, field("prompt", "x".repeat(MIB + 1)), file("image", png())]);
    expect(await refusal(postBytes(postern, form), 413)).toMatchObject({ code: "request_too_large", param: "prompt" });
  });

  it("with a file of 64 MiB and one byte; one of 64 MiB is a matter of its model", async () => {
    const padding = 64 * MIB - png().length - 12;
    const largest = png({ padding });
    expect(largest.length).toBe(64 * MIB);
    const tooLarge = formOf({ model: "mock-image", prompt: "x" }, [["image", png({ padding: padding + 1 })]]);
    expect(await refusal(postForm(postern, tooLarge), 413)).toMatchObject({
      code: "request_too_large",
      param: "image",
    });

    const byRule = formOf({ model: "delta-image-2", prompt: "x" }, [["image", largest]]);
    expect((await refusal(postForm(postern, byRule), 400)).message).toMatch(/64 MiB.*below 50 MiB/);
    expect((await postForm(postern, formOf({ model: "mock-image", prompt: "x" }, [["image", largest]]))).status).toBe(
      200,
    );
    expect((await filesSeen(onlySeen()))[0]?.bytes.equals(largest)).toBe(true);
  });

  it("of more than 96 MiB by its own account, without reading it", async () => {
    const response = await new Promise<string>((resolve, reject) => {
      const socket = createConnection(postern.port, "127.0.0.1");
      socket.write(
        `POST /v1/images/edits HTTP/1.1\r\nHost: 127.0.0.1:${postern.port}\r\nAuthorization: Bearer ${KEY}\r\n` +
          `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${97 * MIB}\r\n\r\n`,
      );
      socket.on("data", (bytes) => resolve(bytes.toString())).on("error", reject);
    });
    expect(response).toMatch(/^HTTP\/1\.1 413 /);
    expect(response).toContain("96 MiB");
  });

  it("without a key, before its body is read", async () => {
    const response = await postBytes(postern, multipart("b", FORM), undefined, { headers: { authorization: "" } });
    expect(response.status).toBe(401);
  });
});

describe("a model that only a provider's list knows", () => {
  it("is sent what the client sent", async () => {
    const fields = [field("size", "7x7"), field("quality", "hd"), field("strength", "0.5")];
    const form = multipart("b", [field("model", "mock-image"), PROMPT, ...fields, file("image", png())]);
    expect((await postBytes(postern, form)).status).toBe(200);
    expect(await fieldsSeen(onlySeen())).toEqual({
      model: "mock-image",
      prompt: "Add a hat",
      size: "7x7",
      quality: "hd",
      strength: "0.5",
    });
  });

  it("leaves masks to the provider", async () => {
    const form = multipart("b", [
      field("model", "mock-image"),
      PROMPT,
      file("image", png()),
      file("mask", png({ width: 9 })),
    ]);
    expect((await postBytes(postern, form)).status).toBe(200);
  });
});
