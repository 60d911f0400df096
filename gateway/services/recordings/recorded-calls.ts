import type { TaskRecord } from "../../core/tasks/task.ts";
import { isRecord } from "../../lib/records.ts";
import type { Client, StreamWriter } from "../calls/client.ts";
import type { CallInput, PaidCallDeps } from "../calls/paid-call.ts";
import type { WholeAnswer } from "../calls/whole-answer.ts";
import type { ChatInput } from "../chat/chat-call.ts";
import type { Dialect } from "../chat/dialect.ts";
import { RunChat } from "../chat/run-chat.ts";
import type { RunChatDeps } from "../chat/run-chat.ts";
import type { EditInput, SentPicture } from "../edits/edit-input.ts";
import { EditImages } from "../edits/edit-images.ts";
import type { EditImagesDeps } from "../edits/edit-images.ts";
import { RunEmbeddings } from "../embeddings/run-embeddings.ts";
import type { EmbeddingsReply } from "../embeddings/run-embeddings.ts";
import { RunImages } from "../images/run-images.ts";
import type { ImagesInput, RunImagesDeps } from "../images/run-images.ts";
import { SynthesizeSpeech } from "../speech/synthesize-speech.ts";
import type { SpeechRequestInput, SynthesizeSpeechDeps } from "../speech/synthesize-speech.ts";
import { CreateVideo } from "../videos/create-video.ts";
import type { CreateVideoDeps, VideoInput } from "../videos/create-video.ts";
import type { TaskViews } from "../videos/task-views.ts";
import { omission } from "./omit-media.ts";
import type { Recorder } from "./recorder.ts";
import { TapedReply } from "./tape.ts";
import type { EnvelopeFamily, Tape } from "./tape.ts";

/**
 * The paid calls as they are, taken down where the owner has switched recording on: whoever asks, a client over HTTP, a
 * tool, or the owner. Where it is off, each of them costs one look at a flag.
 */

export const RECORDED_PATHS = {
  chat: "/v1/chat/completions",
  messages: "/v1/messages",
  responses: "/v1/responses",
  embeddings: "/v1/embeddings",
  speech: "/v1/audio/speech",
  images: "/v1/images/generations",
  edits: "/v1/images/edits",
  videos: "/v1/videos/generations",
} as const;

const skips = (recorder: Recorder, input: CallInput): boolean => !recorder.on || input.quote === true;

/** What was sent, where only its meaning is known. */
const jsonOf = (body: unknown): Buffer => Buffer.from(JSON.stringify(body) ?? "");

const takeWhole =
  (tape: Tape) =>
  (answer: WholeAnswer | null): void => {
    if (answer !== null) tape.answered(answer.status, answer.headers, [answer.body]);
  };

export class RecordedChat extends RunChat {
  readonly #recorder: Recorder;

  constructor(deps: RunChatDeps, recorder: Recorder) {
    super(deps);
    this.#recorder = recorder;
  }

  override run(
    dialect: Dialect,
    input: ChatInput,
    reply: Client & StreamWriter,
    takeOver: () => void,
  ): Promise<WholeAnswer | null> {
    if (skips(this.#recorder, input)) return super.run(dialect, input, reply, takeOver);
    const { raw: body, headers } = input;
    const tape = this.#recorder.begin(input, { path: RECORDED_PATHS[dialect.name], body, headers });
    const call = super.run(dialect, input, new TapedReply(reply, tape), takeOver);
    return this.#recorder.follow(tape, dialect.name === "messages" ? "anthropic" : "nested", call, takeWhole(tape));
  }
}

export class RecordedEmbeddings extends RunEmbeddings {
  readonly #recorder: Recorder;

  constructor(deps: PaidCallDeps, recorder: Recorder) {
    super(deps);
    this.#recorder = recorder;
  }

  override run(input: CallInput, body: unknown, client: Client): Promise<EmbeddingsReply | null> {
    if (skips(this.#recorder, input)) return super.run(input, body, client);
    const tape = this.#recorder.begin(input, { path: RECORDED_PATHS.embeddings, body: input.raw ?? jsonOf(body) });
    return this.#recorder.follow(tape, "nested", super.run(input, body, client), (answer) => {
      if (answer !== null) tape.answered(200, answer.headers, [Buffer.concat(answer.chunks)]);
    });
  }
}

export class RecordedSpeech extends SynthesizeSpeech {
  readonly #recorder: Recorder;

  constructor(deps: SynthesizeSpeechDeps, recorder: Recorder) {
    super(deps);
    this.#recorder = recorder;
  }

  override run(input: SpeechRequestInput, reply: Client & StreamWriter, takeOver: () => void): Promise<void> {
    if (skips(this.#recorder, input)) return super.run(input, reply, takeOver);
    const body = input.raw ?? jsonOf(input.body);
    const tape = this.#recorder.begin(input, { path: RECORDED_PATHS.speech, body });
    return this.#recorder.follow(tape, "nested", super.run(input, new TapedReply(reply, tape), takeOver));
  }
}

/** Errors about these models are flat (docs/contract.md#authentication-and-errors). */
const FLAT_PREFIX = "gamma-image";

export class RecordedImages extends RunImages {
  readonly #recorder: Recorder;

  constructor(deps: RunImagesDeps, recorder: Recorder) {
    super(deps);
    this.#recorder = recorder;
  }

  override run(input: ImagesInput, reply: Client & StreamWriter, takeOver: () => void): Promise<WholeAnswer | null> {
    if (skips(this.#recorder, input)) return super.run(input, reply, takeOver);
    const tape = this.#recorder.begin(input, { path: RECORDED_PATHS.images, body: input.raw });
    const model = isRecord(input.body) ? input.body["model"] : null;
    const family: EnvelopeFamily = typeof model === "string" && model.startsWith(FLAT_PREFIX) ? "flat" : "nested";
    const call = super.run(input, new TapedReply(reply, tape), takeOver);
    return this.#recorder.follow(tape, family, call, takeWhole(tape));
  }
}

export class RecordedEdits extends EditImages {
  readonly #recorder: Recorder;

  constructor(deps: EditImagesDeps, recorder: Recorder) {
    super(deps);
    this.#recorder = recorder;
  }

  override run(
    input: CallInput,
    edit: EditInput,
    reply: Client & StreamWriter,
    takeOver: () => void,
  ): Promise<WholeAnswer | null> {
    if (skips(this.#recorder, input)) return super.run(input, edit, reply, takeOver);
    const tape = this.#recorder.begin(input, {
      path: RECORDED_PATHS.edits,
      body: input.raw ?? formAsJson(edit),
      form: (input.raw ?? null) === null,
    });
    const call = super.run(input, edit, new TapedReply(reply, tape), takeOver);
    return this.#recorder.follow(tape, "nested", call, takeWhole(tape));
  }
}

/** A form's fields, and in the place of its files what they were. */
function formAsJson({ fields, images, mask }: EditInput): Buffer {
  const shown = (picture: SentPicture): unknown =>
    picture.kind === "file" ? omission("application/octet-stream", picture.bytes.length) : picture.value;
  return jsonOf({ ...fields, image: images.map(shown), ...(mask === null ? {} : { mask: shown(mask) }) });
}

export class RecordedVideos extends CreateVideo {
  readonly #recorder: Recorder;
  readonly #views: TaskViews;

  constructor(deps: CreateVideoDeps, recorder: Recorder, views: TaskViews) {
    super(deps);
    this.#recorder = recorder;
    this.#views = views;
  }

  override run(input: VideoInput): Promise<TaskRecord> {
    if (skips(this.#recorder, input)) return super.run(input);
    // OpenAI's /v1/videos comes here in the words of our own address.
    const tape = this.#recorder.begin(input, { path: RECORDED_PATHS.videos, body: jsonOf(input.body) });
    return this.#recorder.follow(tape, "nested", super.run(input), async (task) => {
      tape.answered(202, { "content-type": "application/json" }, [jsonOf(await this.#views.task(task))]);
    });
  }
}
