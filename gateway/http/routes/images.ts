import { isRecord } from "../../lib/records.ts";
import type { RunImages } from "../../services/images/run-images.ts";
import { callInput, sendWhole, takeOver } from "../call-input.ts";
import { HttpReply } from "../http-reply.ts";
import type { Context } from "../state.ts";

/** Errors about these models are flat (docs/contract.md#authentication-and-errors). */
const FLAT_PREFIX = "gamma-image";

/** `POST /v1/images/generations`. The story is in services/images/run-images.ts; here it only meets HTTP. */
export function imagesRoute(runImages: RunImages) {
  return async function imageGenerations(context: Context): Promise<void> {
    const { state, res } = context;
    const { raw, body } = state;
    if (raw === null) throw new Error("the body comes first");
    const model = isRecord(body) ? body["model"] : null;
    if (typeof model === "string" && model.startsWith(FLAT_PREFIX)) state.family = "flat";
    const answer = await runImages.run({ ...callInput(context), raw, body }, new HttpReply(res), takeOver(context));
    if (answer !== null) sendWhole(context, answer);
  };
}
