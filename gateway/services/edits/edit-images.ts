import { imageEditFieldsSchema } from "../../contract/image-edits.ts";
import { fieldsForProvider } from "../../core/edits/edit-fields.ts";
import type { EditRules } from "../../core/edits/edit-rules.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Units } from "../../core/models/model.ts";
import { validate } from "../../core/validation.ts";
import type { Client, StreamWriter } from "../calls/client.ts";
import { ANSWER_PATIENCE, PaidCall, STREAM_PATIENCE } from "../calls/paid-call.ts";
import type { CallInput, PaidCallDeps } from "../calls/paid-call.ts";
import type { WholeAnswer } from "../calls/whole-answer.ts";
import { breakOff } from "../chat/break-off.ts";
import { StreamHead } from "../chat/stream-head.ts";
import { unknownModelIsBadInput } from "../images/image-call.ts";
import { pricedFor, streaming } from "../images/image-candidates.ts";
import type { ImageCall } from "../images/image-call.ts";
import { ImageMoney } from "../images/image-money.ts";
import { IMAGE_STREAM, streamImages } from "../images/stream-images.ts";
import type { ImageStreamDeps } from "../images/stream-images.ts";
import { answerImages } from "../images/whole-images.ts";
import type { Candidate, Route } from "../models/routes.ts";
import { checkPictures } from "./check-pictures.ts";
import type { CheckedPictures } from "./check-pictures.ts";
import { EditCall, editsOf } from "./edit-call.ts";
import type { EditInput } from "./edit-input.ts";
import { orderOf } from "./edit-order.ts";

export interface EditImagesDeps extends PaidCallDeps, ImageStreamDeps {}

/** The story of `POST /v1/images/edits`: fields, model, pictures and rules, hold, provider, bill, library. */
export class EditImages {
  readonly #deps: EditImagesDeps;

  constructor(deps: EditImagesDeps) {
    this.#deps = deps;
  }

  /**
   * @param takeOver called right before a stream begins; from then on `reply` is written to directly.
   * @returns the whole answer; null when it was streamed or nobody is there to take it.
   * @throws GatewayError for everything that ends before a byte was sent.
   */
  async run(
    input: CallInput,
    edit: EditInput,
    reply: Client & StreamWriter,
    takeOver: () => void,
  ): Promise<WholeAnswer | null> {
    const { fields } = edit;
    const paid = new PaidCall(this.#deps, input, "edits", fields["model"], fields["stream"] === true);
    const head = new StreamHead(reply, takeOver, this.#deps.clock, IMAGE_STREAM.heartbeat);
    try {
      const { model } = validate(imageEditFieldsSchema, fields);
      const order = orderOf(edit);
      const found = await paid.route(model, "image_edit");
      await this.#deps.requireRoom();
      const route: Route = { ...found, candidates: pricedFor(order, found.candidates) };
      return await this.#serve(paid, edit, route, reply, head);
    } catch (thrown) {
      const call = { paid, reply, dialect: IMAGE_STREAM };
      return breakOff(call, head, takeOver, unknownModelIsBadInput(thrown));
    }
  }

  async #serve(
    paid: PaidCall,
    edit: EditInput,
    route: Route,
    reply: Client & StreamWriter,
    head: StreamHead,
  ): Promise<WholeAnswer | null> {
    const { fields } = edit;
    const { spec } = route;
    const rules = rulesOf(route);
    const stream = fields["stream"] === true;
    const asked = orderOf(edit);
    const pictures = checkPictures(edit, route.id, rules);
    const candidates = candidatesFor(route, pictures, stream);
    const sent = fieldsForProvider(fields, rules);
    const call = new EditCall({ ...pictures, fields: sent, model: spec, stream }, fields);
    const said = { ...sent, images: pictures.images.map(nameOf), mask: nameOf(pictures.mask) };
    const money = new ImageMoney(asked, spec, candidates, (candidate) => call.allows(candidate));
    const ordered = (candidate: Candidate): Units => money.asked(candidate);
    paid.admit(route, (remaining) => money.cost(remaining), ordered);
    const answered: ImageCall = {
      paid,
      reply,
      endpoint: "edits",
      asked,
      read: (answer, { candidate }) => call.read(answer, candidate),
      toUnits: (usage, { candidate }) => editsOf(candidate.connection.provider).toUnits?.(usage) ?? null,
    };
    const attempts = paid.attempts(
      candidates,
      reply,
      stream ? STREAM_PATIENCE : ANSWER_PATIENCE,
      (candidate, { secret }) => {
        paid.reaches(editsOf(candidate.connection.provider).reaches, said);
        return call.toRequest(candidate, secret, money.boundAt(candidate, paid.record.held));
      },
      ordered,
    );
    if (!stream) return answerImages(this.#deps, answered, attempts);
    await streamImages(this.#deps, answered, attempts, head);
    return null;
  }
}

/** How a picture is named that is not in the request. */
const nameOf = (picture: CheckedPictures["mask"]): unknown => (picture?.kind === "reference" ? picture.value : null);

/** The model's rules, or those of its provider for models that only its list knows. */
function rulesOf({ spec, candidates: [first] }: Route): EditRules | null {
  return spec?.edit ?? (first === undefined ? null : editsOf(first.connection.provider).unlisted);
}

/**
 * Those that can edit these pictures as asked.
 * @throws GatewayError when nobody can.
 */
function candidatesFor(route: Route, { images, mask }: CheckedPictures, stream: boolean): Route["candidates"] {
  const named = [...images, mask].flatMap((picture) => (picture?.kind === "reference" ? [picture.value] : []));
  const byAddress = named.some(({ image_url: address }) => address !== undefined);
  const byId = named.some(({ file_id: file }) => file !== undefined);
  const fetching = route.candidates.filter(({ connection }) => {
    const { addresses, files } = editsOf(connection.provider).fetches;
    return (addresses || !byAddress) && (files || !byId);
  });
  if (fetching.length === 0) {
    throw new GatewayError(
      "unsupported_value",
      `The provider of "${route.id}" does not fetch these pictures itself. Send them as files, or inside the JSON as data:image/png;base64,….`,
      { param: "images" },
    );
  }
  return stream ? streaming(fetching, route.id, editsOf) : fetching;
}
