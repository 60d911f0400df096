import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrameCutter, MAX_FRAME_BYTES, splitFrames } from "../../../gateway/upstream/frames.ts";

/** What the reference parser makes of a stream: the data of its events. It wants text without the byte order mark. */
function reference(text: string): string[] {
  const events: string[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event.data) });
  // A final CR might still become a CRLF: the comment behind it says that it does not.
  parser.feed(`${text.replace(/^\uFEFF/, "")}: end\n\n`);
  return events;
}

/** What the cutter and the splitter make of a stream that comes in these pieces. */
function cut(pieces: readonly Buffer[]): { bytes: Buffer; data: string[]; runs: number; rest: string } {
  const cutter = new FrameCutter();
  const runs: Buffer[] = [];
  for (const piece of pieces) {
    const run = cutter.push(piece);
    if (run !== null) runs.push(run);
  }
  const data = runs
    .flatMap((run) => splitFrames(run.toString("utf8")))
    .flatMap((frame) => (frame.data === null ? [] : [frame.data]));
  const rest = cutter.rest ?? Buffer.alloc(0);
  return { bytes: Buffer.concat([...runs, rest]), data, runs: runs.length, rest: rest.toString("utf8") };
}

const pieces = (text: string, cuts: readonly number[]): Buffer[] => {
  const bytes = Buffer.from(text, "utf8");
  const places = [...new Set(cuts.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length));
};

/** Line ends between events come in any number. */
const withoutBlanks = (text: string): string => text.replace(/[\r\n]+/g, "\n");

const breaks = fc.constantFrom("\n", "\r\n", "\r");
const line = fc.oneof(
  fc
    .string({ minLength: 1, maxLength: 20, unit: "grapheme" })
    .map((text) => `data: ${text.replaceAll(/[\r\n]/g, "_")}`),
  fc.constantFrom(
    "data:{}",
    "data:  two spaces",
    ": comment",
    "event: message",
    "id: 1",
    "retry: 10",
    "unknown: field",
  ),
);
/** A stream of events whose lines all end the same way, as providers' do. */
const streams = breaks.chain((end) =>
  fc
    .array(fc.array(line, { minLength: 1, maxLength: 3 }), { maxLength: 6 })
    .map((events) => events.map((lines) => lines.map((text) => text + end).join("") + end).join("")),
);

describe("any cut of a stream", () => {
  it("changes no byte and finds the events that the reference parser finds", () => {
    fc.assert(
      fc.property(streams, fc.array(fc.nat(), { maxLength: 12 }), (text, cuts) => {
        const result = cut(pieces(text, cuts));
        expect(withoutBlanks(result.bytes.toString("utf8"))).toBe(withoutBlanks(text));
        expect(result.rest).toBe("");
        expect(result.data).toEqual(reference(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it("makes no difference at any single place of a mixed stream", () => {
    const text =
      '\uFEFFdata: {"a":"ä€😀"}\n\n: ping\r\n\r\ndata: two\rdata: lines\r\rid: 4\ndata:x\n\r\n\n\ndata: [DONE]\r\n\r\n';
    const whole = reference(text);
    for (let place = 0; place <= Buffer.byteLength(text); place++) {
      const result = cut(pieces(text, [place]));
      expect(result.bytes.toString("utf8")).toBe(text.slice(1));
      expect(result.data).toEqual(whole);
    }
  });

  it("passes an event on as soon as its last byte is there", () => {
    for (const end of ["\n\n", "\r\n\r\n", "\r\r"]) {
      const cutter = new FrameCutter();
      const bytes = Buffer.from(`data: one${end}`);
      for (let i = 0; i < bytes.length - 1; i++) expect(cutter.push(bytes.subarray(i, i + 1))).toBeNull();
      expect(cutter.push(bytes.subarray(-1))?.toString()).toBe(`data: one${end}`);
      expect(cutter.rest).toBeNull();
    }
  });
});

it("passes a chunk of whole events on without copying it", () => {
  const chunk = Buffer.from("data: 1\n\ndata: 2\n\n");
  expect(new FrameCutter().push(chunk)).toBe(chunk);
});

it("keeps half an event back", () => {
  const cutter = new FrameCutter();
  expect(cutter.push(Buffer.from("data: 1\n\ndata: ha"))?.toString()).toBe("data: 1\n\n");
  expect(cutter.rest?.toString()).toBe("data: ha");
  expect(cutter.push(Buffer.from("lf\n\n"))?.toString()).toBe("data: half\n\n");
});

it("refuses an endless event, however small its chunks are", () => {
  const cutter = new FrameCutter();
  const chunk = Buffer.alloc(1_024, 97);
  // Joining at each chunk would move 512 GB here.
  expect(() => {
    for (let size = 0; size <= MAX_FRAME_BYTES + chunk.length; size += chunk.length) cutter.push(chunk);
  }).toThrow(RangeError);
});

it.each([
  ["data: x\n\n", ["x"]],
  ["data:x\n\n", ["x"]],
  ["data:  x\n\n", [" x"]],
  ["data: a\ndata: b\n\n", ["a\nb"]],
  ["event: e\nid: 1\ndata: x\n\n", ["x"]],
  ["data: [DONE]\r\n\r\n", ["[DONE]"]],
  [": comment\n\n", []],
  ["\n\n\n", []],
  ["data: x\n\n\n\ndata: y\n\n", ["x", "y"]],
  ["\uFEFFdata: x\n\n", ["x"]],
  ["datax: y\n\n", []],
])("reads %j", (text, data) => {
  expect(splitFrames(text).flatMap((frame) => (frame.data === null ? [] : [frame.data]))).toEqual(data);
  expect(
    splitFrames(text)
      .map((frame) => frame.raw)
      .join("")
      .trim(),
  ).toBe(text.trim());
});

describe("line ends alone", () => {
  it.each(["\n", "\r\n", "\r", "\n\r\n\n"])("are no event, and none after one: %j", (blank) => {
    const cutter = new FrameCutter();
    const many = blank.repeat(1_000);
    expect(cutter.push(Buffer.from(many))).toBeNull();
    expect(cutter.size).toBe(0);
    expect(splitFrames(`data: a\n\n${many}data: b\n\n`).map(({ data }) => data)).toEqual(["a", "b"]);
    expect(splitFrames(many).length).toBeLessThan(3);
  });
});
