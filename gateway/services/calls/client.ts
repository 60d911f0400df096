/** The client, as far as a service needs to know it: whether it is still connected. */
export interface Client {
  readonly cancelled: boolean;
  /** Whether it disconnected from a call that continues for the library, so that no further request starts. Absent: no. */
  readonly isDetached?: boolean;
  /**
   * Calls `listener` once if the client disconnects before its response was complete. At most one listener at a time.
   * @param canDetach whether a provider may be working, so that a media call goes on and the listener is not called
   */
  onCancelled(listener: (() => void) | null, canDetach?: () => boolean): void;
  /**
   * Calls `release` once when the client has its complete response or has disconnected: until then the response's
   * memory is in use.
   */
  keep(release: () => void): void;
}

/** Destination of a stream. Writes never throw; after the client has disconnected they do nothing. */
export interface StreamWriter {
  /** Sends status 200 and these headers. */
  open(headers: Readonly<Record<string, string>>): void;
  /** @returns false if the client reads too slowly: stop until `onDrain`. */
  write(bytes: Buffer | string): boolean;
  onDrain(listener: () => void): void;
  /** Resolves when the last byte was handed to the kernel, or the client disconnected. */
  end(): Promise<void>;
  /** Closes the connection immediately, for a client that does not read. */
  destroy(): void;
}

/** The client, and the destination of a streamed response. */
export type Recipient = Client & StreamWriter;
