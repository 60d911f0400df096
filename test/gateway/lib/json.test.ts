import { expect, it } from "vitest";
import { parseJson } from "../../../gateway/lib/json.ts";

it.each<[string, Buffer, unknown]>([
  ["JSON", Buffer.from('{"a":1}'), { a: 1 }],
  ["null", Buffer.from("null"), null],
  ["JSON behind a byte order mark", Buffer.from('\uFEFF{"a":1}'), { a: 1 }],
  ["nothing", Buffer.alloc(0), undefined],
  ["a page", Buffer.from("<html>"), undefined],
  ["what is not UTF-8", Buffer.from([0x22, 0xff, 0x22]), undefined],
])("reads %s", (_, bytes, value) => {
  expect(parseJson(bytes)).toEqual(value);
});
