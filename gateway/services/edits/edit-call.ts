import { imageEditFieldsSchema } from "../../contract/image-edits.ts";
import { completeEdit } from "../../core/edits/edit-response.ts";
import { createFieldsForProvider } from "../../core/edits/edit-fields.ts";
import type { EditRules } from "../../core/edits/edit-rules.ts";
import { GatewayError } from "../../core/errors.ts";
import type { PictureHeader } from "../../core/media/picture-header.ts";
import { readPicture } from "../../core/media/picture-type.ts";
import type { Units } from "../../core/models/model.ts";
import { validate } from "../../core/validation.ts";
import type { EditsAdapter, EditsCall, EncodedEdit } from "../../providers/edits.ts";
import type { AllowedDrawing, ProviderImages } from "../../providers/images.ts";
import type { Provider } from "../../providers/provider.ts";
import type { WireRequest } from "../../providers/wire-request.ts";
import type { PaidCall } from "../calls/paid-call.ts";
import type { Credential } from "../connections/connection.ts";
import { readAskedForm } from "../images/requested-form.ts";
import type { RequestedForm } from "../images/requested-form.ts";
import type { ImageCallRequest, ImageWork } from "../images/image-call.ts";
import { streaming } from "../images/image-candidates.ts";
import { ImageMoney } from "../images/image-money.ts";
import { findOwnedSpec } from "../models/served-model.ts";
import type { Candidate, ServedModel } from "../models/served-model.ts";
import { checkPictures } from "./check-pictures.ts";
import type { CheckedPictures } from "./check-pictures.ts";
import type { EditInput } from "./edit-input.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A checked edit to be sent to its candidates. */
export class EditCall implements ImageWork {
  readonly endpoint = "edits";
  readonly request: ImageCallRequest;
  readonly stream: boolean;
  readonly form: RequestedForm;
  readonly candidates: readonly Candidate[];
  readonly money: ImageMoney;
  readonly #call: PaidCall;
  readonly #edit: Omit<EditsCall, "upstreamModel" | "bound">;
  /** The client's fields, which answers echo. */
  readonly #fields: Fields;
  /** Outgoing fields that a key's permissions apply to. */
  readonly #statedFields: Fields;
  readonly #encoded = new Map<string, EncodedEdit>();

  /** @throws GatewayError for pictures and fields that the model does not take, or when no one can edit them. */
  constructor(call: PaidCall, edit: EditInput, images: ImageCallRequest, servedModel: ServedModel) {
    const { fields } = edit;
    const { spec } = servedModel;
    const rules = getRules(servedModel);
    const stream = fields["stream"] === true;
    if (rules !== null) validate(imageEditFieldsSchema(), fields);
    const pictures = checkPictures(edit, servedModel.id, rules);
    const sent = createFieldsForProvider(fields, rules, spec?.edit?.response === "base64");
    this.request = images;
    this.stream = stream;
    this.form = readAskedForm(sent["response_format"], spec, stream || spec?.edit?.response === "base64");
    this.candidates = getCandidates(servedModel, pictures, stream);
    this.#call = call;
    this.#fields = fields;
    this.#edit = { ...pictures, fields: sent, model: spec, stream };
    this.#statedFields = { ...sent, images: pictures.images.map(getName), mask: getName(pictures.mask) };
    this.money = new ImageMoney(images, spec, this.candidates, (candidate) => this.#allows(candidate));
  }

  /** Returns the output that the request allows a candidate's model; null if images are ordered. */
  #allows({ connection, upstreamModel }: Candidate): AllowedDrawing | null {
    return getEdits(connection.provider).allows?.({ ...this.#edit, upstreamModel, bound: Infinity }) ?? null;
  }

  /** The request for a candidate. Its body holds all pictures, so it is made once for each protocol, model id and bound. */
  wire(candidate: Candidate, { secret }: Credential): WireRequest {
    const { connection, upstreamModel } = candidate;
    const adapter = getEdits(connection.provider);
    this.#call.checkFieldPermissions(candidate, "edits", this.#statedFields);
    const bound = this.money.getBound(candidate, this.#call.record.availableHold);
    const key = `${connection.provider.id} ${upstreamModel} ${bound}`;
    let encoded = this.#encoded.get(key);
    if (encoded === undefined) {
      encoded = adapter.encode({ ...this.#edit, upstreamModel, bound });
      this.#encoded.set(key, encoded);
    }
    return adapter.toRequest(encoded, secret);
  }

  /** The candidate's response, with everything that the specification shows of it. */
  read(document: unknown, { connection, upstreamModel }: Candidate): ProviderImages | null {
    const response = getEdits(connection.provider).fromResponse(document, {
      ...this.#edit,
      upstreamModel,
      bound: null,
    });
    return response === null
      ? null
      : { ...response, body: completeEdit(response.body, this.#fields, findFirstPicture(response)) };
  }

  toUnits(usage: unknown, { connection }: Candidate): Units | null {
    return getEdits(connection.provider).toUnits?.(usage) ?? null;
  }
}

/** How a picture is named that is not in the request. */
const getName = (picture: CheckedPictures["mask"]): unknown => (picture?.kind === "reference" ? picture.value : null);

/** Returns the edit rules of the model's owner, or of its provider for models that only its list names. */
function getRules(servedModel: ServedModel): EditRules | null {
  const [first] = servedModel.candidates;
  return (
    findOwnedSpec(servedModel)?.edit ?? (first === undefined ? null : getEdits(first.connection.provider).unlisted)
  );
}

/**
 * Returns the candidates that can edit these pictures as requested.
 * @throws GatewayError if no candidate can.
 */
function getCandidates(
  servedModel: ServedModel,
  { images, mask }: CheckedPictures,
  stream: boolean,
): ServedModel["candidates"] {
  const named = [...images, mask].flatMap((picture) => (picture?.kind === "reference" ? [picture.value] : []));
  const byAddress = named.some(({ image_url: address }) => address !== undefined);
  const byId = named.some(({ file_id: file }) => file !== undefined);
  const fetching = servedModel.candidates.filter(({ connection }) => {
    const { addresses, files } = getEdits(connection.provider).fetches;
    return (addresses || !byAddress) && (files || !byId);
  });
  if (fetching.length === 0) {
    throw new GatewayError(
      "unsupported_value",
      `The provider of "${servedModel.id}" does not fetch these pictures itself. Send them as files, or inside the JSON as data:image/png;base64,….`,
      { param: "images" },
    );
  }
  return stream ? streaming(fetching, servedModel.id, getEdits) : fetching;
}

/** Enough of a picture in base64 to find its size in. */
const HEAD_CHARACTERS = 87_380;

/** Returns the first picture if the response contains it. */
function findFirstPicture({ images }: ProviderImages): PictureHeader | null {
  const first = images[0];
  if (first?.kind !== "base64") return null;
  return readPicture(Buffer.from(first.data.slice(0, HEAD_CHARACTERS), "base64"));
}

export function getEdits({ id, edits }: Provider): EditsAdapter {
  if (edits === null) throw new Error(`${id} does not edit images`);
  return edits;
}
