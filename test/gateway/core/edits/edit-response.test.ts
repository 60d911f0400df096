import { expect, it, test } from "vitest";
import { completeEdit } from "../../../../gateway/core/edits/edit-response.ts";

const MADE = { mediaType: "image/jpeg", width: 512, height: 256, alpha: false, animated: false } as const;
const USAGE = {
  input_tokens: 1,
  output_tokens: 2,
  total_tokens: 3,
  input_tokens_details: { text_tokens: 1, image_tokens: 0 },
};
const WHOLE = {
  created: 1,
  data: [],
  background: "opaque",
  output_format: "webp",
  quality: "high",
  size: "1024x1024",
  usage: USAGE,
};

it("passes a whole response on as the very same object", () => {
  expect(completeEdit(WHOLE, { size: "512x512", quality: "low" }, MADE)).toBe(WHOLE);
});

test.each([
  [
    "what was asked for",
    { size: "512x512", quality: "hd", background: "opaque", output_format: "png" },
    null,
    { size: "512x512", quality: "hd", background: "opaque", output_format: "png" },
  ],
  ["auto where nothing was", {}, null, { size: "auto", quality: "auto", background: "auto", output_format: "png" }],
  [
    "what auto came to",
    { size: "auto" },
    MADE,
    { size: "512x256", quality: "auto", background: "auto", output_format: "jpeg" },
  ],
])("fills in %s", (_name, request, made, expected) => {
  expect(completeEdit({ created: 1, data: [] }, request, made)).toEqual({
    created: 1,
    data: [],
    ...expected,
    usage: {
      input_tokens: 0,
      output_tokens: 0,
      total_tokens: 0,
      input_tokens_details: { text_tokens: 0, image_tokens: 0 },
    },
  });
});

it("keeps what a provider reports of usage, and adds what is missing", () => {
  const response = completeEdit({ created: 1, data: [], usage: { cost_in_usd_ticks: 5, total_tokens: 9 } }, {}, null);
  expect(response["usage"]).toEqual({
    input_tokens: 0,
    output_tokens: 0,
    total_tokens: 9,
    input_tokens_details: { text_tokens: 0, image_tokens: 0 },
    cost_in_usd_ticks: 5,
  });
});
