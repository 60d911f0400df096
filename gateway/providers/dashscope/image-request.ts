import { gammaImageRequestSchema } from "../../contract/images.ts";
import type { GammaImageRequest } from "../../contract/images.ts";
import { GatewayError } from "../../core/errors.ts";
import { withoutNulls } from "../../core/images/image-request.ts";
import type { RequestedModel, ImageBody, ImageRequest } from "../../core/images/image-request.ts";
import { checkSize, findNearestSize, readSides } from "../../core/images/image-rules.ts";
import { validate } from "../../core/validation.ts";

/**
 * The rules of `POST /v1/images/generations` for the gamma-image family (specification's table): one user message, one
 * prompt, reference images as the model needs them, a size that it makes.
 * @throws GatewayError naming what is wrong (400).
 */
export function gammaRequest(body: ImageBody, model: RequestedModel): ImageRequest {
  const request = validate(gammaImageRequestSchema(), body);
  const { content } = onlyMessage(request);
  const texts = content.flatMap(({ text }) => text ?? []);
  const images = content.flatMap(({ image }) => image ?? []);
  if (texts.length === 0) {
    throw new GatewayError(
      "missing_required_parameter",
      "Missing required parameter: 'input.messages[0].content': expected at least one block with text.",
      { param: "input.messages[0].content" },
    );
  }
  checkReferences(images.length, model);
  // The provider requires exactly one text, the specification at least one.
  const prompt = texts.join("\n");
  const { model: _, input, parameters: given } = request;
  const parameters = getParameters(withoutNulls(given ?? {}), model);
  const blocks = [...images.map((image) => ({ image })), { text: prompt }];
  const seed = parameters["seed"];
  return {
    family: "gamma",
    body: { model: request.model, input: { ...input, messages: [{ role: "user", content: blocks }] }, parameters },
    changed: true,
    stream: false,
    count: 1,
    partials: 0,
    prompt,
    references: images.length,
    size: typeof parameters["size"] === "string" ? parameters["size"] : null,
    quality: null,
    seed: typeof seed === "number" ? seed : null,
    parameters,
  };
}

function onlyMessage(request: GammaImageRequest): GammaImageRequest["input"]["messages"][number] {
  const [message] = request.input.messages;
  if (message === undefined) throw new Error("the schema lets exactly one message through");
  return message;
}

function checkReferences(count: number, { id, rules }: RequestedModel): void {
  const { least, most } = rules.references;
  if (count >= least && count <= most) return;
  const needs =
    most === 0
      ? "makes images from text alone: leave the blocks with image out, or use a gamma-image-edit model"
      : least === 0
        ? `takes at most ${most} blocks with image`
        : `edits images: it needs ${least} to ${most} blocks with image`;
  throw new GatewayError(
    "invalid_value",
    `Invalid value for 'input.messages[0].content': ${count} blocks with image; the model "${id}" ${needs}.`,
    { param: "input.messages[0].content" },
  );
}

/** Builds the provider's parameters: the nearest supported size, without settings that the model lacks. */
function getParameters(given: Record<string, unknown>, { id, rules }: RequestedModel): Record<string, unknown> {
  const { size: givenSize, ...rest } = given;
  const { sizes, defaultSize } = rules;
  const parameters: Record<string, unknown> = { ...rest, n: 1 };
  const requestedSize = typeof givenSize === "string" ? givenSize : defaultSize;
  const size = requestedSize === null ? null : (readSides(requestedSize)?.join("*") ?? requestedSize);
  if (size !== null) checkSize(size, sizes, id, "parameters.size");
  if (sizes.kind === "fixed") {
    // Nor does it rewrite prompts.
    delete parameters["prompt_extend"];
    return parameters;
  }
  const made = sizes.kind === "list" ? sizes.made : undefined;
  if (size !== null) parameters["size"] = made === undefined ? size : findNearestSize(size, made);
  return parameters;
}
