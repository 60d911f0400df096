import { writeCamelCase } from "../../codecs/gemini-to-chat/camel-case.ts";
import { readGeminiAddress } from "../../contract/gemini-address.ts";
import type { Recording, ResendObstacle, Resent } from "../../contract/requests.ts";
import { GatewayError } from "../../core/errors.ts";
import { identityFrom } from "../../core/sessions/identity.ts";
import type { Clock } from "../../lib/clock.ts";
import { newRequestId } from "../../lib/ids.ts";
import { isRecord } from "../../lib/records.ts";
import { ObservedRecipient } from "../calls/call-observer.ts";
import type { CallObserver } from "../calls/call-observer.ts";
import type { StreamedResponse } from "../calls/call-steps.ts";
import type { Recipient } from "../calls/client.ts";
import { LocalRecipient } from "../calls/local-recipient.ts";
import type { CallInput } from "../calls/paid-call.ts";
import type { WholeResponse } from "../calls/whole-response.ts";
import { chatDialect } from "../chat/dialects/chat.ts";
import { completionsDialect } from "../chat/dialects/completions.ts";
import { messagesDialect } from "../chat/dialects/messages.ts";
import { geminiDialect } from "../chat/dialects/gemini.ts";
import { responsesDialect } from "../chat/dialects/responses.ts";
import type { Dialect } from "../chat/dialect.ts";
import type { RunChat } from "../chat/run-chat.ts";
import { readDocument } from "../edits/read-document.ts";
import type { EditImages } from "../edits/edit-images.ts";
import type { RunEmbeddings } from "../embeddings/run-embeddings.ts";
import type { RunImages } from "../images/run-images.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { Moderate } from "../moderations/moderate.ts";
import type { SynthesizeSpeech } from "../speech/synthesize-speech.ts";
import type { CreateVideo } from "../videos/submission/create-video.ts";
import { RECORDED_PATHS } from "./recorder.ts";
import { findRequest, getObstacle } from "./request-log.ts";
import type { FindDeps } from "./request-log.ts";

/** The user agent of the owner's own calls. */
const APP = "Postern";
const MOST_RESPONSE_CHARACTERS = 64 * 1024;
/** Max bytes per character in UTF-8. */
const BYTES_PER_CHARACTER = 4;

const DIALECTS: Readonly<Record<string, Dialect>> = {
  [RECORDED_PATHS.chat]: chatDialect,
  [RECORDED_PATHS.messages]: messagesDialect,
  [RECORDED_PATHS.responses]: responsesDialect,
  [RECORDED_PATHS.completions]: completionsDialect,
};

const OBSTACLES: Readonly<Record<ResendObstacle, string>> = {
  not_recorded: "Nothing of this request was recorded. Switch recording on, and send it again from its app.",
  incomplete:
    "Media, keys or the end of this request were not recorded, so it cannot be replayed from here. Send it again from its app.",
  key_gone: "The key of this request was revoked. Send the request with another key.",
  not_repeatable: "Requests of this kind cannot be replayed from here.",
};

export interface ResendDeps extends FindDeps {
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly runChat: RunChat;
  readonly runEmbeddings: RunEmbeddings;
  readonly synthesizeSpeech: SynthesizeSpeech;
  readonly runImages: RunImages;
  readonly editImages: EditImages;
  readonly moderate: Moderate;
  readonly createVideo: CreateVideo;
}

/** Resends a recorded request through the same services as client requests: same rules, limits, prices and receipts. */
export class ResendRequest {
  readonly #deps: ResendDeps;

  constructor(deps: ResendDeps) {
    this.#deps = deps;
  }

  /**
   * @param model in the place of the recorded one; null for the same
   * @returns how it ended, also when it failed
   * @throws GatewayError not_found; conflict when it cannot be sent again
   */
  async run(id: string, model: string | null): Promise<Resent> {
    const { keyRing, clock } = this.#deps;
    const { receipt, recording } = await findRequest(this.#deps, id);
    const obstacle = getObstacle(recording, receipt, keyRing);
    const key = keyRing.get(receipt.key);
    if (obstacle !== null || recording === null || key === undefined) {
      throw new GatewayError("conflict", OBSTACLES[obstacle ?? "not_recorded"]);
    }
    const objection = keyRing.objection(key);
    if (objection !== null) throw new GatewayError("conflict", objection.message);
    const requestId = newRequestId();
    const input: CallInput = {
      requestId,
      arrivedAt: clock.monotonic(),
      key,
      app: APP,
      // The cost counts for the project; the call is not a turn of the session.
      identity: identityFrom({ project: receipt.project }),
      note: () => undefined,
      noteProvider: () => undefined,
    };
    // The call goes on after the user leaves the page.
    const owner = new LocalRecipient(new AbortController().signal);
    const streamed = new Excerpt();
    try {
      const response = await this.#send(recording, input, model, new ObservedRecipient(owner, streamed));
      const whole = response !== null && "body" in response ? response : null;
      const text = whole === null ? streamed.text : whole.body.toString("utf8").slice(0, MOST_RESPONSE_CHARACTERS);
      return { id: requestId, status: whole?.status ?? 200, code: null, response: text };
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return { id: requestId, status: error.status, code: error.code, response: error.message };
    } finally {
      owner.release();
    }
  }

  /** @returns responses that are not a complete document are written to `to` */
  async #send(
    { path, headers, request }: Recording,
    input: CallInput,
    model: string | null,
    to: Recipient,
  ): Promise<WholeResponse | StreamedResponse | null> {
    const recorded: unknown = JSON.parse(request.text);
    const google = readGeminiAddress(path);
    if (google !== null && isRecord(recorded)) {
      const stream = google.operation === "streamGenerateContent";
      const body = { ...writeCamelCase(recorded), model: model ?? google.model, ...(stream ? { stream } : {}) };
      return this.#deps.runChat.run(geminiDialect, { ...input, raw: Buffer.from(request.text), body, headers }, to);
    }
    const changed = model !== null && isRecord(recorded);
    const body: unknown = changed ? { ...recorded, model } : recorded;
    const raw = Buffer.from(changed ? JSON.stringify(body) : request.text);
    const sent = { ...input, raw, body };
    const dialect = DIALECTS[path];
    if (dialect !== undefined) return this.#deps.runChat.run(dialect, { ...sent, headers }, to);
    switch (path) {
      case RECORDED_PATHS.embeddings: {
        const list = await this.#deps.runEmbeddings.run({ ...input, raw }, body, to);
        return list === null ? null : whole(200, Buffer.concat(list.chunks));
      }
      case RECORDED_PATHS.speech:
        await this.#deps.synthesizeSpeech.run(sent, to);
        return null;
      case RECORDED_PATHS.images:
        return this.#deps.runImages.run(sent, to);
      case RECORDED_PATHS.edits:
        return this.#deps.editImages.run({ ...input, raw }, readDocument(body), to);
      case RECORDED_PATHS.moderations:
        return this.#deps.moderate.run(sent, to);
      case RECORDED_PATHS.videos: {
        const task = await this.#deps.createVideo.run({ ...sent, name: undefined });
        return whole(202, Buffer.from(JSON.stringify({ id: task.id, model: task.model })));
      }
      default:
        throw new GatewayError("conflict", OBSTACLES.not_repeatable);
    }
  }
}

const whole = (status: number, body: Buffer): WholeResponse => ({ status, headers: {}, body });

/** The start of a streamed response, as far as it is text. */
class Excerpt implements CallObserver {
  readonly #pieces: Buffer[] = [];
  #bytes = 0;
  #isSound = false;

  get text(): string {
    return Buffer.concat(this.#pieces).toString("utf8").slice(0, MOST_RESPONSE_CHARACTERS);
  }

  openResponse(_status: number, headers: Readonly<Record<string, string>>): void {
    this.#isSound = Object.entries(headers).some(
      ([name, value]) => name.toLowerCase() === "content-type" && value.startsWith("audio/"),
    );
  }

  wrote(piece: Buffer | string): void {
    if (this.#isSound || this.#bytes >= MOST_RESPONSE_CHARACTERS * BYTES_PER_CHARACTER) return;
    const bytes = Buffer.from(piece);
    this.#bytes += bytes.length;
    this.#pieces.push(bytes);
  }

  endCall(): void {}
}
