import type { PaidCall } from "../calls/paid-call.ts";
import type { Credential } from "../connections/connection.ts";
import type { ImageRequest } from "../../core/images/image-request.ts";
import type { ModelSpec, Units } from "../../core/models/model.ts";
import type { ImagesAdapter, ProviderImages, ImagesCall } from "../../providers/images.ts";
import type { Provider } from "../../providers/provider.ts";
import type { WireRequest } from "../../providers/wire-request.ts";
import type { Candidate, ServedModel } from "../models/served-model.ts";
import { readAskedForm } from "./requested-form.ts";
import type { RequestedForm } from "./requested-form.ts";
import type { ImageWork } from "./image-call.ts";
import { priceCandidates, streaming } from "./image-candidates.ts";
import { ImageMoney } from "./image-money.ts";

/** A checked image request to be sent to its candidates. */
export class Generation implements ImageWork {
  readonly endpoint = "images";
  readonly request: ImageRequest;
  readonly stream: boolean;
  readonly form: RequestedForm;
  readonly candidates: readonly Candidate[];
  readonly money: ImageMoney;
  readonly #model: ModelSpec | null;
  readonly #raw: Buffer;
  readonly #call: PaidCall;

  /** @throws GatewayError if a stream is requested and no candidate supports it. */
  constructor(call: PaidCall, request: ImageRequest, servedModel: ServedModel, raw: Buffer) {
    this.#call = call;
    this.request = request;
    this.stream = request.stream;
    const able = request.stream
      ? streaming(servedModel.candidates, servedModel.id, getAdapter)
      : servedModel.candidates;
    this.candidates = priceCandidates(request, able);
    const { spec } = servedModel;
    this.form = readAskedForm(request.body["response_format"], spec, request.stream || spec?.image?.family === "delta");
    this.#model = servedModel.spec;
    this.#raw = raw;
    this.money = new ImageMoney(request, servedModel.spec, this.candidates, (candidate) => {
      return getAdapter(candidate.connection.provider).allows?.(this.#callTo(candidate, Infinity)) ?? null;
    });
  }

  wire(candidate: Candidate, { secret }: Credential): WireRequest {
    const adapter = getAdapter(candidate.connection.provider);
    this.#call.checkFieldPermissions(candidate, "images", this.request.body);
    const bound = this.money.getBound(candidate, this.#call.record.availableHold);
    return adapter.toRequest(this.#callTo(candidate, bound), secret);
  }

  read(response: unknown, candidate: Candidate): ProviderImages | null {
    return getAdapter(candidate.connection.provider).fromResponse(response, this.#callTo(candidate, null));
  }

  toUnits(usage: unknown, { connection }: Candidate): Units | null {
    return getAdapter(connection.provider).toUnits?.(usage) ?? null;
  }

  #callTo({ upstreamModel }: Candidate, bound: number | null): ImagesCall {
    const { body, changed, stream } = this.request;
    return { raw: changed ? null : this.#raw, body, upstreamModel, model: this.#model, stream, bound };
  }
}

function getAdapter({ id, images }: Provider): ImagesAdapter {
  if (images === null) throw new Error(`${id} makes no images`);
  return images;
}
