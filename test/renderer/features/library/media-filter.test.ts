import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listMediaSchema } from "../../../../gateway/contract/media.ts";
import { getFilter, filters } from "../../../../renderer/features/library/media-filter.ts";

const filter = (text: string) => getFilter(new URLSearchParams(text));

describe("the filter of an address", () => {
  it("is empty where nothing is asked for", () => {
    expect(filter("")).toEqual({});
    expect(filter("media=med_1&q=++&kind=&cost=")).toEqual({});
  });

  it("takes each filter by its name", () => {
    expect(filter("q=red+fox&kind=video&model=m1&key=k1&cost=0.05")).toEqual({
      q: "red fox",
      kind: "video",
      model: "m1",
      key: "k1",
      min_nano: 50_000_000,
    });
  });

  it("means days whole, from the first midnight to the one after the last", () => {
    expect(filter("since=2026-11-20&until=2026-11-20")).toEqual({
      since: new Date(2026, 10, 20).getTime(),
      until: new Date(2026, 10, 21).getTime(),
    });
    expect(filter("until=2026-12-31").until).toBe(new Date(2027, 0, 1).getTime());
  });

  it.each(["2026-02-31", "2026-13-01", "2026-1-1", "20261120", "yesterday", "2026-11-20T10:00"])(
    "leaves out %s, which is no day",
    (day) => {
      expect(getFilter(new URLSearchParams({ since: day, until: day }))).toEqual({});
    },
  );

  it("is one that the gateway takes, whatever the address says", () => {
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom("image", "2026-11-20", "0000-01-01", "9999-12-31", "0.5", "$7"),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(filters.none)), value), (params) => {
        const request = getFilter(new URLSearchParams(params));
        expect(listMediaSchema.safeParse(request).error).toBeUndefined();
      }),
    );
  });
});
