import * as z from "zod";

/** A control operation. `path` may hold one `:id`. */
export interface ControlOperation {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  /** Query of a GET, body of the others. */
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** Takes bodies as large as /v1 does, for pictures within. */
  readonly large?: boolean;
  /** May take minutes, so callers need a long timeout. */
  readonly slow?: boolean;
}

export const operation = <I extends z.ZodType, O extends z.ZodType>(
  method: ControlOperation["method"],
  path: string,
  input: I,
  output: O,
) => ({ method, path, input, output }) as const;

/** Defines an operation with a body as large as those of /v1. */
export const largeOperation = <I extends z.ZodType, O extends z.ZodType>(
  method: ControlOperation["method"],
  path: string,
  input: I,
  output: O,
) => ({ ...operation(method, path, input, output), large: true }) as const;

/** Defines an operation that may take minutes. */
export const slowOperation = <I extends z.ZodType, O extends z.ZodType>(
  method: ControlOperation["method"],
  path: string,
  input: I,
  output: O,
) => ({ ...operation(method, path, input, output), slow: true }) as const;

/** Input of an operation without parameters. */
export const none = z.object({}).strict();
