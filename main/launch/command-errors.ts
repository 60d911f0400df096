/** Wrong arguments: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The command could not do its work; the message says what to do. Exit code 1. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly code: string | null;

  constructor(message: string, code: string | null = null, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
