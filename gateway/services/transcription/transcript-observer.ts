import type { Units } from "../../core/models/model.ts";
import { CountedText } from "../../core/money/text-tokens.ts";
import { reportedUnits } from "../../core/transcription/transcription-units.ts";
import type { Noticed, StreamObserver } from "../calls/stream-reader.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Observes a transcript stream: `transcript.text.delta`, `.segment` and `.done`. */
export class TranscriptObserver implements StreamObserver {
  readonly reported = {};
  readonly partlyCounted = false;
  usage: Units | null = null;
  readonly delivered = new CountedText();
  started = false;
  finished = false;
  readonly #toEvent: (data: Fields) => Fields | null;

  /** @param toEvent what an event of the provider's is in the common words; null: nothing that clients are told */
  constructor(toEvent: (data: Fields) => Fields | null) {
    this.#toEvent = toEvent;
  }

  notice(data: Fields): Noticed {
    const event = this.#toEvent(data);
    if (event === null) return "pass";
    const { type, delta, error } = event;
    if (type === "error" || error != null) return "error";
    this.started = true;
    if (typeof delta === "string") this.delivered.add(delta);
    if (type !== "transcript.text.done") return "pass";
    this.usage = reportedUnits(event["usage"]);
    this.finished = true;
    return "last";
  }
}
