import { describe, expect, it } from "vitest";
import { errorRegistry } from "../../../gateway/core/errors.ts";
import { formatCodeInWords, formatRefusalInWords } from "../../../renderer/lib/error-sentence.ts";
import { en } from "../../../renderer/locales/en.ts";
import { zh } from "../../../renderer/locales/zh.ts";

const english = { language: "en", t: en } as const;
const chinese = { language: "zh", t: zh } as const;
const codes = Object.keys(errorRegistry).toSorted();

describe.each([
  ["English", en.errors.codes, /^[A-Z].*\.$/],
  ["Chinese", zh.errors.codes, /\p{Script=Han}.*。$/u],
])("the errors in %s", (_language, sentences, form) => {
  it("have a sentence for every code of the gateway, and none for others", () => {
    expect(Object.keys(sentences).toSorted()).toEqual(codes);
    expect(new Set(Object.values(sentences)).size).toBe(codes.length);
  });

  it("are whole sentences", () => {
    expect(Object.values(sentences).filter((sentence) => !form.test(sentence))).toEqual([]);
  });
});

it("keeps the gateway's own sentence in English, which has the details", () => {
  expect(formatRefusalInWords({ code: "conflict", message: "A key named “A” exists." }, english)).toBe(
    "A key named “A” exists.",
  );
  expect(formatRefusalInWords({ code: null, message: "Odd." }, english)).toBe("Odd.");
});

it("says in Chinese what a code means, and quotes what the gateway adds", () => {
  expect(formatRefusalInWords({ code: "paused", message: "Postern is paused. Resume it." }, chinese)).toBe(
    "Postern 已暂停。",
  );
  expect(formatRefusalInWords({ code: "conflict", message: "A key named “A” exists." }, chinese)).toBe(
    "此更改与当前状态不符。原文：“A key named “A” exists.”",
  );
});

it("quotes a provider whose code is its own, whatever that is called", () => {
  for (const code of ["DataInspectionFailed", "constructor", "", null]) {
    expect(formatCodeInWords(code, zh.errors)).toBeNull();
    expect(formatRefusalInWords({ code, message: "Inspection failed." }, chinese)).toBe("原文：“Inspection failed.”");
  }
});
