import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { GatewayError } from "../../../../gateway/core/errors.ts";
import { getBoundary, splitParts } from "../../../../gateway/http/middleware/multipart-parts.ts";
import { field, file, multipart } from "../../../support/forms.ts";

const BYTES = Buffer.from([0, 13, 10, 45, 45, 255, 13, 10, 13, 10]);

function split(body: Buffer | string, boundary = "b"): { name: string; fileName: string | null; bytes: Buffer }[] {
  return splitParts(Buffer.from(body), boundary);
}

function refusal(run: () => unknown): GatewayError {
  try {
    run();
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("the boundary", () => {
  test.each([
    ["multipart/form-data; boundary=abc", "abc"],
    ['multipart/form-data; boundary="a b:c"', "a b:c"],
    ["Multipart/Form-Data;charset=utf-8;BOUNDARY=abc", "abc"],
    ["multipart/form-data; boundary=----WebKitFormBoundaryx1", "----WebKitFormBoundaryx1"],
    ["multipart/form-data; boundary=abc; charset=utf-8", "abc"],
  ])("of %s is %s", (type, expected) => {
    expect(getBoundary(type)).toBe(expected);
  });

  test.each(["application/json", "multipart/mixed; boundary=x", "", "multipart/form-dataish; boundary=x"])(
    "%s is no form",
    (type) => {
      expect(getBoundary(type)).toBeNull();
    },
  );

  it("has to be named", () => {
    expect(refusal(() => getBoundary("multipart/form-data"))).toMatchObject({ code: "invalid_body", status: 400 });
  });
});

describe("a form", () => {
  it("gives its parts in their order, their bytes as they are", () => {
    const parts = split(multipart("b", [field("prompt", "a b"), file("image", BYTES), field("n", "2")]));
    expect(parts.map(({ name, fileName }) => [name, fileName])).toEqual([
      ["prompt", null],
      ["image", "picture.png"],
      ["n", null],
    ]);
    expect(parts[1]?.bytes.equals(BYTES)).toBe(true);
    expect(parts[0]?.bytes.toString()).toBe("a b");
  });

  it("has 128 parts at most, and lines that look like its boundary 10,000 at most", () => {
    const fields = (count: number): Buffer =>
      multipart(
        "b",
        Array.from({ length: count }, () => field("a", "1")),
      );
    const lines = (count: number): Buffer => multipart("b", [field("a", "\r\n--bx".repeat(count))]);
    expect(split(fields(128))).toHaveLength(128);
    expect(refusal(() => split(fields(129))).message).toContain("more than 128 parts");
    expect(split(lines(10_000))).toHaveLength(1);
    expect(refusal(() => split(lines(10_001))).message).toContain("more than 10000 lines");
  });

  it("copies nothing: parts are windows into the body", () => {
    const body = multipart("b", [file("image", BYTES)]);
    expect(splitParts(body, "b")[0]?.bytes.buffer).toBe(body.buffer);
  });

  test.each([
    ["a line break before the first boundary", `\r\n${multipart("b", [field("a", "1")]).toString()}`],
    ["text before the first boundary", `preamble\r\n${multipart("b", [field("a", "1")]).toString()}`],
    ["text behind the last one", `${multipart("b", [field("a", "1")]).toString()}epilogue`],
    ["spaces behind a boundary", '--b  \t\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--'],
    ["no line break at the very end", '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--'],
    [
      "headers in any case, types and encodings beside",
      '--b\r\nX-Other: 1\r\nCONTENT-TYPE: text/plain; charset=utf-8\r\ncontent-transfer-encoding:7bit\r\ncontent-disposition:form-data;name="a"\r\n\r\n1\r\n--b--\r\n',
    ],
  ])("may have %s", (_name, body) => {
    expect(split(body)).toMatchObject([{ name: "a", bytes: Buffer.from("1") }]);
  });

  test.each([
    ["empty", '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n--b--\r\n'],
    ["empty without a line break of its own", '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n--b--\r\n'],
  ])("may have a part that is %s", (_name, body) => {
    expect(split(body)).toMatchObject([{ name: "a", bytes: Buffer.alloc(0) }]);
  });

  it("of no parts has none", () => {
    expect(split("--b--\r\n")).toEqual([]);
  });

  it("keeps bytes that look like the boundary and go on differently", () => {
    const tricky = Buffer.from("x\r\n--boundary\r\n--bX\r\n--b-\r\n--bX-\r\n--b\r\r\n--bX\n\r\n--b.");
    expect(split(multipart("b", [file("image", tricky)]))[0]?.bytes.equals(tricky)).toBe(true);
  });

  it("is what Node's own encoder makes of any fields and files", async () => {
    const texts = fc.array(
      fc.tuple(fc.stringMatching(/^[\w[\]-]{1,12}$/), fc.string({ unit: "binary", maxLength: 60 })),
      { maxLength: 6 },
    );
    const files = fc.array(fc.tuple(fc.stringMatching(/^image(\[\d?\])?$/), fc.uint8Array({ maxLength: 300 })), {
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(texts, files, async (fields, pictures) => {
        const form = new FormData();
        for (const [name, value] of fields) form.append(name, value);
        for (const [name, bytes] of pictures) form.append(name, new Blob([new Uint8Array(bytes)]), `ü"${name}`);
        const encoded = new Response(form);
        const boundary = getBoundary(encoded.headers.get("content-type") ?? "");
        const parts = splitParts(Buffer.from(await encoded.arrayBuffer()), boundary ?? "");
        expect(
          parts.filter(({ fileName }) => fileName === null).map(({ name, bytes }) => [name, bytes.toString()]),
        ).toEqual(
          // The encoder writes line ends of texts as forms have them.
          fields.map(([name, value]) => [name, value.toWellFormed().replaceAll(/\r\n|\r|\n/g, "\r\n")]),
        );
        const read = parts.filter(({ fileName }) => fileName !== null);
        expect(read.map(({ name, fileName }) => [name, fileName])).toEqual(
          pictures.map(([name]) => [name, `ü"${name}`]),
        );
        expect(read.map(({ bytes }) => [...bytes])).toEqual(pictures.map(([, bytes]) => [...bytes]));
      }),
      { numRuns: 60 },
    );
  });
});

describe("what is no form is refused with words", () => {
  const good = multipart("b", [field("prompt", "x"), file("image", BYTES)]);
  test.each([
    ["nothing", "", /boundary is nowhere/],
    ["another boundary than named", multipart("other", [field("a", "1")]), /boundary is nowhere/],
    ["cut off in a file", good.subarray(0, good.length - 12), /ended before its closing boundary/],
    ["cut off in headers", good.subarray(0, 30), /headers of a part do not end/],
    ["without a closing boundary", good.subarray(0, good.length - 7), /ended before its closing boundary/],
    ["a part without a name", "--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--", /no name/],
    ["a part without headers", "--b\r\n\r\n1\r\n--b--", /no name/],
    [
      "base64 parts",
      '--b\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64'.padEnd(140, "x") +
        "\r\n\r\nAA==\r\n--b--",
      /Content-Transfer-Encoding base64x{34}; send files as they are/,
    ],
    ["endless headers", `--b\r\nX: ${"y".repeat(20_000)}\r\n\r\n1\r\n--b--`, /headers of a part do not end/],
    [
      "hundreds of parts",
      multipart(
        "b",
        Array.from({ length: 200 }, (_, index) => field(`f${index}`, "1")),
      ),
      /more than 128 parts/,
    ],
  ])("%s", (_name, body, why) => {
    const error = refusal(() => split(body));
    expect(error).toMatchObject({ code: "invalid_body", status: 400 });
    expect(error.message).toMatch(why);
  });

  it("random bytes, always with a sentence", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), fc.boolean(), (bytes, begins) => {
        const body = begins ? Buffer.concat([Buffer.from("--b\r\n"), bytes]) : Buffer.from(bytes);
        try {
          splitParts(body, "b");
        } catch (error) {
          expect(error).toBeInstanceOf(GatewayError);
        }
      }),
    );
  });
});
