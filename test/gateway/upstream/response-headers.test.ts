import type { IncomingHttpHeaders } from "node:http";
import fc from "fast-check";
import { expect, it } from "vitest";
import { getEncoding } from "../../../gateway/upstream/decode.ts";
import { writePlainHeaders } from "../../../gateway/upstream/response-headers.ts";

it("copies nothing where nothing is doubled", () => {
  const headers = { "content-type": "application/json", server: "x" };
  expect(writePlainHeaders(headers)).toBe(headers);
});

it.each([
  [["gzip", "gzip"], "gzip"],
  [["gzip", "identity"], "gzip"],
  [["identity", "identity"], "identity"],
  [["gzip", "br"], "unknown"],
  ["gzip, gzip", "unknown"],
  [" GZip ", "gzip"],
  ["", "identity"],
  ["identity, identity", "identity"],
  ["__proto__", "unknown"],
  [["constructor", "constructor"], "unknown"],
])("a body whose Content-Encoding is %j is packed with %s", (value, coding) => {
  const plain = writePlainHeaders({ "content-encoding": value } as unknown as IncomingHttpHeaders);
  expect(getEncoding(plain["content-encoding"] ?? "")).toBe(coding);
});

it("is one text a name, whatever came, and the first of several", () => {
  const value = fc.oneof(fc.string(), fc.array(fc.string(), { minLength: 1 }), fc.constant(undefined));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value), (headers) => {
      const plain = writePlainHeaders(headers);
      for (const [name, one] of Object.entries(plain)) {
        const given = headers[name];
        if (name !== "content-encoding") expect(one).toBe(Array.isArray(given) ? given[0] : given);
        expect(typeof one).toBe("string");
      }
    }),
  );
});
