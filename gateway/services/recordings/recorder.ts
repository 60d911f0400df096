import { setImmediate as nextTurn } from "node:timers/promises";
import { recordingSchema } from "../../contract/requests.ts";
import type { Recording, RecordingsView } from "../../contract/requests.ts";
import type { KnownSecrets } from "../../lib/known-secrets.ts";
import type { Clock } from "../../lib/clock.ts";
import { hold } from "../../lib/body-memory.ts";
import type { Later } from "../../lib/later.ts";
import type { Log } from "../../lib/log.ts";
import { getMessage } from "../../lib/message-of.ts";
import type { RecordingLog } from "../../store/recording-log.ts";
import { recordingLine } from "../../store/recording-line.ts";
import { Scheduler } from "../scheduler.ts";
import type { ClockWatch } from "../clock-watch.ts";
import type { CallObservers, ObservedRequest } from "../calls/call-observer.ts";
import type { CallInput, Endpoint } from "../calls/paid-call.ts";
import type { Events } from "../events.ts";
import type { AppSettings } from "../settings.ts";
import { RecordedSearch } from "./recorded-search.ts";
import type { FoundRecordings } from "./recorded-search.ts";
import { RecordingBuffer } from "./recording-buffer.ts";

const MIB = 1024 * 1024;
/** Max bytes of calls that are over and not written yet. */
const MOST_WAITING_BYTES = 64 * MIB;
/** Milliseconds without disk access after a refused write. */
const REST_MS = 5_000;
const FIRST_SWEEP_MS = 60_000;
const SWEEP_EVERY_MS = 60 * 60_000;
const DAY_MS = 86_400_000;
const ALL = { from: -Infinity, to: Infinity };

/** Paths of paid calls; OpenAI's /v1/videos is recorded in our own format. */
export const RECORDED_PATHS: Readonly<Record<Endpoint, string>> = {
  chat: "/v1/chat/completions",
  messages: "/v1/messages",
  responses: "/v1/responses",
  gemini: "/v1beta/models",
  completions: "/v1/completions",
  embeddings: "/v1/embeddings",
  speech: "/v1/audio/speech",
  transcriptions: "/v1/audio/transcriptions",
  translations: "/v1/audio/translations",
  images: "/v1/images/generations",
  edits: "/v1/images/edits",
  videos: "/v1/videos/generations",
  moderations: "/v1/moderations",
};

export interface RecorderDeps {
  readonly clock: Clock;
  readonly clockWatch: Pick<ClockWatch, "doubtful">;
  readonly later: Later;
  readonly log: Log;
  readonly events: Events;
  readonly settings: AppSettings;
  readonly recordings: RecordingLog;
  /** Never written down. */
  readonly secrets: KnownSecrets;
  /** A newer version wrote the folder: nothing may be written to it. */
  readonly frozen: boolean;
}

/**
 * Records requests and responses if the user enables it, outside the call's path and never before its response. A
 * failed recording affects nothing else.
 */
export class Recorder implements CallObservers {
  readonly #deps: RecorderDeps;
  readonly #scheduler: Scheduler<"sweep">;
  readonly #search: RecordedSearch;
  /** Whether new calls are recorded. */
  on = false;
  #waiting: RecordingBuffer[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | null = null;
  #restsUntil = -Infinity;
  #lost = 0;

  constructor(deps: RecorderDeps) {
    const { clock, later, events } = deps;
    this.#deps = deps;
    this.#search = new RecordedSearch(deps.recordings, clock);
    this.#scheduler = new Scheduler({ clock, later, onDue: () => this.#sweep() });
    this.#readSetting();
    events.on("settings.changed", () => {
      this.#readSetting();
      this.#scheduler.set("sweep", clock.now());
    });
  }

  /** Deletes expired recordings a minute from now, then every hour. */
  start(): void {
    this.#scheduler.set("sweep", this.#deps.clock.now() + FIRST_SWEEP_MS);
  }

  /** After the machine slept. */
  check(): void {
    this.#scheduler.check();
  }

  begin(input: CallInput, request: ObservedRequest): RecordingBuffer {
    const { clock } = this.#deps;
    const { endpoint, path = RECORDED_PATHS[endpoint], body, family, form = false, headers = {} } = request;
    // The recording is created at the end of the call.
    hold(body);
    const elapsed = (): number => clock.monotonic() - input.arrivedAt;
    const at = Math.round(clock.now() - elapsed());
    const recorded = { id: input.requestId, at, path, headers, body, form, family };
    return new RecordingBuffer(recorded, elapsed, (recordingBuffer) => this.#keep(recordingBuffer));
  }

  /** Null when the request was not recorded, or its recording is gone. @param moments near which it was written */
  async find(id: string, moments: readonly number[]): Promise<Recording | null> {
    await this.#writing;
    const found = recordingSchema.safeParse(await this.#deps.recordings.find(id, moments));
    return found.success && found.data.id === id ? found.data : null;
  }

  /** Finds recordings that contain a text, ignoring case. @param most max bytes to read; the next call continues */
  async search(text: string, most: number): Promise<FoundRecordings> {
    await this.#writing;
    try {
      return await this.#search.find(text, most);
    } catch (error) {
      // Receipts are found all the same.
      this.#deps.log.warn("recordings.not_searched", { message: getMessage(error) });
      return { ids: new Set(), from: -Infinity };
    }
  }

  async view(): Promise<RecordingsView> {
    await this.#writing;
    const { bytes, oldest } = await this.#deps.recordings.size();
    return { on: this.on, bytes, oldest_at: oldest, lost: this.#lost };
  }

  /** Deletes all recordings. */
  async clear(): Promise<RecordingsView> {
    await this.#writing;
    await this.#deps.recordings.clear();
    return this.view();
  }

  /** Resolves when everything is written that was recorded. */
  async stop(): Promise<void> {
    this.#scheduler.stop();
    await this.#writing;
    await this.#deps.recordings.close();
  }

  #readSetting(): void {
    this.on = !this.#deps.frozen && this.#deps.settings.get("record_bodies");
  }

  #keep(recordingBuffer: RecordingBuffer): void {
    const { weight } = recordingBuffer;
    const resting = this.#deps.clock.monotonic() < this.#restsUntil;
    if (resting || this.#waitingBytes + weight > MOST_WAITING_BYTES) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(recordingBuffer);
    this.#waitingBytes += weight;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
  }

  async #write(): Promise<void> {
    const { clock, recordings, settings, secrets } = this.#deps;
    for (
      let recordingBuffer = this.#waiting.shift();
      recordingBuffer !== undefined;
      recordingBuffer = this.#waiting.shift()
    ) {
      // Other calls have their turn before each one.
      await nextTurn();
      this.#waitingBytes -= recordingBuffer.weight;
      try {
        await recordings.add(
          await recordingLine(recordingBuffer.call(), secrets),
          clock.now(),
          settings.get("record_max_mib") * MIB,
        );
      } catch (error) {
        this.#lose(error);
        this.#restsUntil = clock.monotonic() + REST_MS;
        this.#lost += this.#waiting.length;
        this.#waiting = [];
        this.#waitingBytes = 0;
      }
    }
  }

  #lose(error: unknown): void {
    this.#lost += 1;
    this.#deps.log.warn("recordings.lost", { message: getMessage(error) });
  }

  #sweep(): void {
    const { clock, clockWatch, recordings, settings, log, frozen } = this.#deps;
    const now = clock.now();
    this.#scheduler.set("sweep", now + SWEEP_EVERY_MS);
    if (frozen) return;
    const { record_keep_days, record_max_mib } = settings.view();
    // Recordings dated in the future were made while the clock was wrong.
    const retained = clockWatch.doubtful ? ALL : { from: now - record_keep_days * DAY_MS, to: now + DAY_MS };
    recordings.trim(retained, record_max_mib * MIB).catch((error: unknown) => {
      log.warn("recordings.not_swept", { message: getMessage(error) });
    });
  }
}
