import { familyOfImages } from "../../services/images/run-images.ts";
import type { RunImages } from "../../services/images/run-images.ts";
import { callInput, recipient, sendWhole } from "../call-input.ts";
import type { Context } from "../state.ts";

/** `POST /v1/images/generations`. The story is in services/images/run-images.ts; here it only meets HTTP. */
export function imagesRoute(runImages: RunImages) {
  return async function imageGenerations(context: Context): Promise<void> {
    const { state } = context;
    const { raw, body } = state;
    if (raw === null) throw new Error("the body comes first");
    state.family = familyOfImages(body);
    sendWhole(context, await runImages.run({ ...callInput(context), raw, body }, recipient(context)));
  };
}
