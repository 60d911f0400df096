import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { imageEditResponseSchema } from "../../../../gateway/contract/image-edits.ts";
import { EDIT_USAGE, deltaEdit, epsilonEdit } from "../../../support/edit-acts.ts";
import { errorOf } from "../../../support/running-gateway.ts";
import { reply } from "../../../support/wire-provider.ts";
import { EditHarness, IMAGE, POOR_KEY } from "./edit-harness.ts";

/** What POST /v1/images/edits answers, by the specification. */

const harness = new EditHarness();
beforeAll(() => harness.open());
beforeEach(() => harness.reset());
afterAll(() => harness.close());

describe("specification, Image result, edits endpoint", () => {
  it("is the provider's own response, byte for byte, where nothing is missing", async () => {
    const text = JSON.stringify({ ...deltaEdit(), extra: [1.0] }, null, 1);
    harness.reset((_seen, outgoing) => void outgoing.writeHead(200, { "content-type": "application/json" }).end(text));
    expect(await (await harness.edit()).text()).toBe(text);
    expect(imageEditResponseSchema().parse(JSON.parse(text))).toMatchObject({ usage: EDIT_USAGE });
  });

  it("has what epsilon does not echo filled in", async () => {
    harness.reset(reply(200, epsilonEdit(2)));
    const body = await harness.response({ model: "epsilon-2", size: "512x512", n: "2" });
    expect(imageEditResponseSchema().parse(body)).toMatchObject({
      created: 1_713_833_628,
      data: [{}, {}],
      background: "auto",
      output_format: "png",
      quality: "auto",
      size: "512x512",
      usage: {
        input_tokens: 0,
        output_tokens: 0,
        total_tokens: 0,
        input_tokens_details: { text_tokens: 0, image_tokens: 0 },
      },
    });
  });

  it("says what size auto came to", async () => {
    harness.reset(reply(200, epsilonEdit()));
    expect(await harness.response({ model: "epsilon-2" })).toMatchObject({ size: "32x32" });
  });
});

describe("specification, Errors", () => {
  it("402 when the balance does not cover the edit, before anything is sent", async () => {
    const response = await harness.edit({}, IMAGE, POOR_KEY);
    expect(response.status).toBe(402);
    expect(await errorOf(response)).toMatchObject({
      type: "insufficient_quota",
      code: "insufficient_quota",
      message: expect.stringMatching(/poor.*left/) as string,
    });
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect(harness.asked).toEqual([]);
  });

  it("the upstream's error text is passed through", async () => {
    const refusal = {
      message: "Your request was rejected by the safety system. safety_violations=[sexual].",
      type: "image_generation_user_error",
      param: null,
      code: "moderation_blocked",
    };
    harness.reset(reply(400, { error: refusal }));
    const response = await harness.edit();
    expect([response.status, await errorOf(response)]).toEqual([400, refusal]);
  });
});
