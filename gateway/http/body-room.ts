import { GatewayError } from "../core/errors.ts";
import { KeyedMutex, Mutex } from "../lib/mutex.ts";

const MIB = 1024 * 1024;
/** Memory for the bodies of all calls in flight: with it Postern stays below 400 MiB, whatever is sent. */
const ROOM_BYTES = 192 * MIB;
/** Max share of one key, so that others always have room. */
const SHARE = 3 / 4;
/** Seconds after which there is probably room. */
const RETRY_AFTER = 5;

/**
 * Bounds the memory of all request bodies, from their first byte to the end of their call. It counts received and
 * decompressed bytes, not announced ones, so that idle requests use no room.
 */
export class BodyRoom {
  readonly #bytes: number;
  readonly #reserved = new Map<string, number>();
  readonly #unpacking = new KeyedMutex();
  readonly #parsing = new Mutex();
  #all = 0;

  constructor(bytes = ROOM_BYTES) {
    this.#bytes = bytes;
  }

  /** Returns the max bytes of a body if each byte of it takes `cost` bytes of memory. */
  largest(cost: number): number {
    return Math.floor((this.#bytes * SHARE) / cost);
  }

  /** @param owner whose body it is: the id of its key. */
  open(owner: string): BodyShare {
    return new BodyShare(this, owner);
  }

  /**
   * Parses large bodies one at a time in order of arrival: concurrently, all would be in memory and finish last.
   */
  inLine(work: () => Promise<void>): Promise<void> {
    return this.#parsing.run(work);
  }

  /** Only called by shares. @param own bytes the body already has @throws GatewayError like `BodyShare.add` */
  take(owner: string, own: number, bytes: number): void {
    const most = this.#bytes * SHARE;
    if (own + bytes > most) throw tooLarge();
    const reserved = this.#reserved.get(owner) ?? 0;
    if (this.#all + bytes > this.#bytes || reserved + bytes > most) throw this.#full();
    this.#reserved.set(owner, reserved + bytes);
    this.#all += bytes;
  }

  /** Only shares call this. */
  give(owner: string, bytes: number): void {
    const left = (this.#reserved.get(owner) ?? 0) - bytes;
    if (left > 0) this.#reserved.set(owner, left);
    else this.#reserved.delete(owner);
    this.#all -= bytes;
  }

  /** Only shares call this. */
  runInOrder<T>(owner: string, work: () => Promise<T>): Promise<T> {
    return this.#unpacking.run([owner], work);
  }

  #full(): GatewayError {
    return new GatewayError(
      "concurrency_limit_exceeded",
      `The requests in flight leave no room for this body: Postern holds ${Math.floor(this.#bytes / MIB)} MiB for all of them. Try again in ${RETRY_AFTER} s.`,
      { retryAfter: RETRY_AFTER },
    );
  }
}

/** Reservation of one body. */
export class BodyShare {
  readonly #room: BodyRoom;
  readonly #owner: string;
  #bytes = 0;

  constructor(room: BodyRoom, owner: string) {
    this.#room = room;
    this.#owner = owner;
  }

  /**
   * @param bytes of memory
   * @throws GatewayError concurrency_limit_exceeded when there is no room for them now, request_too_large when there never is.
   */
  add(bytes: number): void {
    this.#room.take(this.#owner, this.#bytes, bytes);
    this.#bytes += bytes;
  }

  /** Releases the body's reservation; idempotent. */
  close(): void {
    this.#room.give(this.#owner, this.#bytes);
    this.#bytes = 0;
  }

  /** Decompresses a key's bodies one at a time, because decompression takes additional memory. */
  runInOrder<T>(work: () => Promise<T>): Promise<T> {
    return this.#room.runInOrder(this.#owner, work);
  }
}

function tooLarge(): GatewayError {
  return new GatewayError(
    "request_too_large",
    "The body takes more memory than Postern gives to one request. Send it in several.",
  );
}
