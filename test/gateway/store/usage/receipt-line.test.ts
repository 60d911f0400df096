import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchesRequest } from "../../../../gateway/contract/matches-request.ts";
import { figureBy, figuresOf, requestFigureSchema } from "../../../../gateway/contract/request-figures.ts";
import { frame } from "../../../../gateway/store/disk/line.ts";
import { lineFilter } from "../../../../gateway/store/usage/line-filter.ts";
import { ReceiptLine } from "../../../../gateway/store/usage/receipt-line.ts";
import { openCall, receipt } from "../fixtures.ts";
import { anyReceipt, anySearch } from "./any-receipt.ts";

const written = (value: object): Buffer => Buffer.from(frame(JSON.stringify(value)));

/** Among other bytes, as lines lie in a file. */
function lineOf(value: object, line = new ReceiptLine()): { line: ReceiptLine; kind: string } {
  const bytes = Buffer.concat([Buffer.from("before\n"), written(value), Buffer.from("after")]);
  return { line, kind: line.read(bytes, 7, bytes.length - 6) };
}

test("a line says what the receipt in it says, line after line", () => {
  const line = new ReceiptLine();
  fc.assert(
    fc.property(anyReceipt, fc.nat(), (value, n) => {
      expect(lineOf({ n, receipt: value }, line).kind).toBe("receipt");
      expect(JSON.parse(line.source())).toEqual(value);
      expect(line.isWhole()).toBe(true);
      const { at, status, ms, first_ms, nano, stream, sandbox } = value;
      expect(line).toMatchObject({ n, at, status, ms, first_ms, nano, stream, sandbox });
      for (const field of ["id", "key", "model", "provider", "client", "outcome"] as const) {
        expect(line.text(field)).toBe(value[field]);
      }
      expect(line.text("code")).toBe(value.code ?? "");
      expect(line.text("route")).toBe(value.route?.name ?? "");
      for (const field of ["session", "project", "agent"] as const) expect(line.text(field)).toBe(value[field] ?? "");
      const cached = value.terms.filter(({ unit }) => unit.startsWith("cached_"));
      expect(line.cached_tokens).toBe(cached.reduce((sum, { quantity }) => sum + quantity, 0));
      for (const by of requestFigureSchema.options) {
        expect(figureBy(line, by)).toEqual(figureBy(figuresOf(value), by));
      }
    }),
    { numRuns: 500 },
  );
});

test("its filter lets in what the filter of receipts does", () => {
  let [inside, outside] = [0, 0];
  fc.assert(
    fc.property(anyReceipt, anySearch, (value, filter) => {
      // One field in three, or nearly nothing would be let in.
      const some = Object.fromEntries(Object.entries(filter).filter((_, index) => (index + value.at) % 3 === 0));
      const expected = matchesRequest(value, some);
      if (expected) inside += 1;
      else outside += 1;
      expect(lineFilter(some)(lineOf({ n: 1, receipt: value }).line)).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
  expect(Math.min(inside, outside)).toBeGreaterThan(10);
});

describe("what is no receipt as it is written here", () => {
  const { endpoint: _endpoint, ...old } = receipt("req_1");
  test.each([
    ["a call", { n: 1, call: openCall("req_1") }, "call"],
    ["one that lacks a field", { n: 1, receipt: old }, "unknown"],
    ["a figure that is text", { n: 1, receipt: { ...receipt("req_1"), ms: "12" } }, "unknown"],
    ["a number that is none", { n: null, receipt: receipt("req_1") }, "unknown"],
    [
      "a route that does not begin with its name",
      { n: 1, receipt: { ...receipt("req_1"), route: { passed: [], name: "r" } } },
      "unknown",
    ],
    ["an unsafe price", { n: 1, receipt: receipt("req_1", { nano: 2 ** 60 }) }, "unknown"],
    ["something else", { n: 1, other: {} }, "unknown"],
  ])("%s", (_name, value, kind) => {
    expect(lineOf(value).kind).toBe(kind);
  });

  test("a line with fields that a later version adds is one", () => {
    const later = {
      ...receipt("req_1"),
      wait_ms: 1.5,
      connect_ms: null,
      attempts: 2,
      more: { nano: [1, "}"] },
      yes: true,
    };
    const { line, kind } = lineOf({ n: 1, receipt: later });
    expect(kind).toBe("receipt");
    expect(line).toMatchObject({ ms: 12, nano: 10, first_ms: 5 });
    expect(JSON.parse(line.source())).toEqual(later);
  });

  test("any byte that is changed is noticed by the checksum, and any cut by its end", () => {
    const bytes = written({ n: 1, receipt: receipt("req_1") });
    const line = new ReceiptLine();
    for (let place = 0; place < bytes.length - 1; place += 1) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 1;
      const kind = line.read(changed, 0, changed.length - 1);
      expect(kind === "receipt" && line.isWhole()).toBe(false);
      expect(line.read(bytes.subarray(0, place), 0, place)).toBe("unknown");
    }
  });
});
