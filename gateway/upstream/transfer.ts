import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { decodeStream, getEncoding, tooLarge } from "./decode.ts";
import type { BodySink, Unpacker } from "./decode.ts";
import { KnownSecrets } from "../lib/known-secrets.ts";
import { UpstreamFailure, toFailure } from "./failure.ts";
import type { TimeLimit } from "./failure.ts";
import { begins } from "./sent-body.ts";
import { PacedReader } from "./paced-reader.ts";
import { withoutSecrets, writePlainHeaders } from "./response-headers.ts";
import type { ResponseHeaders } from "./response-headers.ts";
import { WithoutSecrets } from "./without-secrets.ts";
import type { SentBody } from "./sent-body.ts";
import type { Leave, ResponseRoom } from "./response-room.ts";
import type { Rounds } from "../lib/rounds.ts";

const NONE = new KnownSecrets();

/** How long a provider may take, ms: to begin its response, between two chunks of its body, and in all. */
export interface Timeouts {
  readonly head: number;
  readonly gap: number;
  /** Absent: no limit. */
  readonly call?: number | undefined;
  /**
   * Setting of the `head` limit. Absent: the limits are fixed and apply to local servers too, which otherwise may take
   * any time until the first byte.
   */
  readonly headLimit?: "first_byte" | "call" | undefined;
}

/** The connections to one origin. */
export interface Connections {
  /** How many were made so far. */
  readonly made: number;
  /** Whether the server at the other end is on this machine or on a private network. */
  readonly isLocal: boolean;
}

/** A provider's response whose head has arrived. Take its body once: `collect` or `consume`. */
export interface Exchange {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Milliseconds that the request waited for a new connection; 0 for a reused one. */
  readonly connectMs: number;
  /**
   * The whole body, decoded. Rejects with UpstreamFailure, `too_large` as soon as more than `limit` bytes have arrived,
   * compressed or not.
   * @param keep receives the release function of a large body; without it, the body is released when complete.
   */
  collect(limit: number, keep?: (leave: Leave) => void): Promise<Buffer>;
  /** The body as it comes, decoded; chunks are the provider's own where it is not compressed. */
  consume(sink: BodySink): void;
  /**
   * Reserves memory for a large response that is buffered.
   * @param bytes max buffered bytes @param begin called once there is room, possibly immediately
   */
  reserve(bytes: number, begin: () => void): Leave;
  /** Stops reading, so that the provider is slowed down by TCP. */
  pause(): void;
  resume(): void;
  /** Aborts the exchange immediately and closes its connection. */
  abort(): void;
}

/** A received body is not held. */
const atOnce = (leave: Leave): void => leave();

/** Max bytes of a response without a reservation: nearly all are much smaller. */
export const SMALL_BYTES = 1024 * 1024;
/** Memory factor: the received bytes, the decoded text, and the parsed value. */
const COST = 3;

/**
 * A request through undici's dispatch interface. Not `request()` or `fetch()`: piping a body stream costs more than
 * everything else that a gateway does (docs/decisions/request-path.md), and an aborted one can crash
 * the process.
 */
export class Transfer implements Dispatcher.DispatchHandler, Exchange {
  status = 0;
  headers: ResponseHeaders = {};
  connectMs = 0;
  /** The connections that it may get; null once it has one. How many had been made, and when, as it was dispatched. */
  #waitsFor: Connections | null = null;
  #made = 0;
  #waitsSince = 0;
  readonly #onHead: (exchange: Exchange) => void;
  readonly #onFailure: (failure: UpstreamFailure) => void;
  readonly #secrets: KnownSecrets;
  readonly #room: ResponseRoom | null;
  readonly #timeouts: Timeouts | null;
  readonly #watch: Rounds<Transfer> | null;
  /** The request's body, if large. */
  #body: SentBody | null = null;
  /** Among those that wait for a provider; -1 before the request is written. */
  #place = -1;
  /** Milliseconds of provider silence, and of the request in total. */
  #silent = 0;
  #elapsed = 0;
  /** Nothing limits the time to the first byte of the body. */
  #isUnhurried = false;
  #controller: Dispatcher.DispatchController | null = null;
  #sink: BodySink | null = null;
  #unpacker: Unpacker | null = null;
  /** Chunks that arrived before the sink. */
  #early: Buffer[] = [];
  #ended = false;
  readonly #pacedReader = new PacedReader(this);
  #failure: UpstreamFailure | null = null;
  #aborted = false;
  #atEnd: (() => void) | null = null;

  /**
   * @param secrets are redacted in all received data
   * @param room shared by large responses; null if none is collected
   * @param timeouts null if the caller enforces them
   * @param watch checks them
   */
  constructor(
    onHead: (exchange: Exchange) => void,
    onFailure: (failure: UpstreamFailure) => void,
    secrets = NONE,
    room: ResponseRoom | null = null,
    timeouts: Timeouts | null = null,
    watch: Rounds<Transfer> | null = null,
  ) {
    this.#onHead = onHead;
    this.#onFailure = onFailure;
    this.#secrets = secrets;
    this.#room = room;
    this.#timeouts = timeouts;
    this.#watch = watch;
  }

  /** It will be dispatched with this body. */
  sends(body: SentBody): void {
    this.#body = body;
  }

  /** Dispatched and waiting for a connection: an idle one takes it before a new one is made. */
  onDispatched(connections: Connections): void {
    this.#waitsFor = connections;
    this.#made = connections.made;
    this.#waitsSince = performance.now();
  }

  get isSent(): boolean {
    return this.#controller !== null;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    begins(this.#aborted ? null : this.#body);
    if (this.#waitsFor !== null) {
      if (this.#waitsFor.made > this.#made) this.connectMs = performance.now() - this.#waitsSince;
      this.#isUnhurried = this.#waitsFor.isLocal && this.#timeouts?.headLimit !== undefined;
    }
    this.#waitsFor = null;
    if (this.#aborted) controller.abort(new UpstreamFailure("aborted", true, "aborted"));
    else if (this.#watch !== null && this.#place === -1) this.#place = this.#watch.add(this);
  }

  onBodySent(chunk: Buffer): void {
    this.#silent = 0;
    this.#body?.noteHanded(chunk.length);
  }

  /** So many more milliseconds have passed. */
  tick(ms: number): void {
    const timeouts = this.#timeouts;
    // Silence does not count while it is not read, nor while a local server loads its model.
    if (timeouts === null || this.#controller === null || this.#controller.paused || this.#isUnhurried) return;
    this.#silent += ms;
    this.#elapsed += ms;
    const hasHead = this.status !== 0;
    const silence = hasHead ? timeouts.gap : timeouts.head;
    // The first sweep may come immediately.
    if (this.#silent - ms >= silence) {
      const name = hasHead ? "silence" : timeouts.headLimit;
      this.#giveUp(`the provider said nothing for ${silence / 1_000} s`, silence, name);
    } else if (timeouts.call !== undefined && this.#elapsed - ms >= timeouts.call)
      this.#giveUp(`the provider had not finished after ${timeouts.call / 1_000} s`, timeouts.call, "call");
  }

  /** @param name of the limit that ends it; undefined where it is a fixed one */
  #giveUp(why: string, ms: number, name: TimeLimit["name"] | undefined): void {
    const limit = this.#timeouts?.headLimit === undefined || name === undefined ? null : { name, ms };
    const kind = this.status === 0 ? "head_timeout" : "gap_timeout";
    this.#controller?.abort(new UpstreamFailure(kind, true, why, undefined, limit));
  }

  #over(): void {
    this.#watch?.remove(this.#place, this);
    this.#atEnd?.();
  }

  /** Registers a callback for when nothing is in progress; several are possible. */
  callAtEnd(end: () => void): void {
    this.#atEnd = end;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#silent = 0;
    // undici keeps them along with the parsed headers until the response ends: 1 kB per open stream.
    controller.rawHeaders = null;
    // 1xx answers announce; the real one follows.
    if (status < 200) return;
    this.status = status;
    this.headers = withoutSecrets(writePlainHeaders(headers), this.#secrets);
    this.#onHead(this);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#isEventStream) this.#silent = 0;
    this.#isUnhurried = false;
    if (this.#sink === null) this.#early.push(chunk);
    else this.#sink.onData(chunk);
  }

  onResponseEnd(): void {
    this.#over();
    this.#pacedReader.end();
    this.#ended = true;
    this.#body?.onResponse();
    this.#sink?.onEnd();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#over();
    const ended = this.#aborted || (error instanceof UpstreamFailure && error.kind === "aborted");
    const failure = ended
      ? new UpstreamFailure("aborted", this.#controller !== null, "the call was ended by Postern")
      : toFailure(error, this.#controller !== null);
    this.#failure = failure;
    if (this.status === 0) this.#onFailure(failure);
    else this.#sink?.onError(failure);
  }

  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#pacedReader.end();
    this.#unpacker?.stop();
    if (this.#ended) return;
    // Still waiting for a connection, so no other event reports the end.
    if (this.#controller === null) {
      this.#atEnd?.();
      this.#onFailure(new UpstreamFailure("aborted", false, "the call was ended by Postern"));
    } else this.#controller.abort(new UpstreamFailure("aborted", true, "aborted"));
  }

  get #isEventStream(): boolean {
    return this.headers["content-type"]?.startsWith("text/event-stream") === true;
  }

  pause(): void {
    this.#pacedReader.pause();
  }

  resume(): void {
    this.#pacedReader.resume();
  }

  hold(): void {
    if (this.#unpacker === null) this.#controller?.pause();
    else this.#unpacker.pause();
  }

  release(): void {
    if (this.#unpacker === null) this.#controller?.resume();
    else this.#unpacker.resume();
  }

  reserve(bytes: number, begin: () => void): Leave {
    if (this.#room !== null) return this.#room.enter(bytes, begin);
    begin();
    return () => undefined;
  }

  consume(sink: BodySink): void {
    this.#consume(new WithoutSecrets(sink, this.#secrets), Number.POSITIVE_INFINITY);
  }

  /** @param mostPacked bytes of a packed body, before it is unpacked. */
  #consume(whole: BodySink, mostPacked: number): void {
    const sink = this.#isEventStream ? this.#pacedReader.readEvents(whole, () => (this.#silent = 0)) : whole;
    const encoding = getEncoding(this.headers["content-encoding"]);
    if (encoding === "identity") return this.#attach(sink);
    const source = {
      pause: () => this.#controller?.pause(),
      resume: () => this.#controller?.resume(),
      abort: () => this.abort(),
    };
    this.#unpacker = decodeStream(encoding, sink, source, mostPacked);
    this.#attach(this.#unpacker);
  }

  collect(limit: number, keep: (leave: Leave) => void = atOnce): Promise<Buffer> {
    const encoding = getEncoding(this.headers["content-encoding"]);
    // The decompressed length is unknown.
    const declared = encoding === "identity" ? Number(this.headers["content-length"] ?? limit) : limit;
    return new Promise((resolve, reject) => {
      const whole = new Whole(this, { limit, declared, keep, resolve, reject });
      if (declared > limit) whole.refuse();
      else this.#consume(whole, limit);
    });
  }

  /** Without the secrets that are known. */
  cleanBody(body: Buffer): Buffer {
    return this.#secrets.clean(body);
  }

  #attach(sink: BodySink): void {
    this.#sink = sink;
    const early = this.#early;
    this.#early = [];
    for (const chunk of early) sink.onData(chunk);
    if (this.#failure !== null) sink.onError(this.#failure);
    else if (this.#ended) sink.onEnd();
  }
}

interface BodyRequest {
  readonly limit: number;
  /** Declared length in bytes. */
  readonly declared: number;
  readonly keep: (leave: Leave) => void;
  readonly resolve: (body: Buffer) => void;
  readonly reject: (failure: UpstreamFailure) => void;
}

/** Puts a body together. A class, because each call has one: its methods are made once, closures would be made for each. */
class Whole implements BodySink {
  readonly #transfer: Transfer;
  readonly #request: BodyRequest;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #leave: Leave | null = null;

  constructor(transfer: Transfer, request: BodyRequest) {
    this.#transfer = transfer;
    this.#request = request;
  }

  onData(chunk: Buffer): void {
    const { limit, declared } = this.#request;
    this.#size += chunk.length;
    if (this.#size > limit) return this.refuse();
    this.#chunks.push(chunk);
    if (this.#size <= SMALL_BYTES || this.#leave !== null) return;
    const transfer = this.#transfer;
    transfer.pause();
    this.#leave = transfer.reserve(Math.max(declared, this.#size) * COST, () => transfer.resume());
  }

  onEnd(): void {
    const { keep, resolve } = this.#request;
    if (this.#leave !== null) keep(this.#leave);
    const [only] = this.#chunks;
    const body = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks, this.#size);
    resolve(this.#transfer.cleanBody(body));
  }

  onError(failure: UpstreamFailure): void {
    this.#leave?.();
    this.#request.reject(failure);
  }

  refuse(): void {
    this.onError(tooLarge(this.#request.limit));
    this.#transfer.abort();
  }
}
