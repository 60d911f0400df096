import { GatewayError } from "./errors.ts";

/** The log entry of a thrown value. */
export interface LoggedError {
  /** The error's class, and its code if Node or a library gives one. */
  readonly error: string;
  /** Our own message, or the operating system's. */
  readonly message?: string;
  /** Places in the code, innermost first. */
  readonly stack: string;
}

/** `    at name (file:line:column)`, as V8 writes it. */
const PLACE = /^ {4}at [^\n]{1,500}:\d+:\d+\)?$/;
const MOST_PLACES = 20;
/** Names and codes are usually identifiers, but their values are not trusted. */
const WORD = /^[\w.:-]{1,100}$/;

/**
 * Returns the loggable facts of an error from any source. Messages of parsers, libraries and V8 quote client data, so
 * only messages of our own errors are logged; the class and the stack locate the bug.
 */
export function loggedError(thrown: unknown): LoggedError {
  if (!(thrown instanceof Error)) return { error: typeof thrown, stack: "" };
  const { name, message } = thrown;
  const code = "code" in thrown ? String(thrown.code) : "";
  const error = [name, code].filter((word) => WORD.test(word)).join(" ");
  const ours = thrown instanceof GatewayError || "syscall" in thrown;
  return { error, ...(ours ? { message } : {}), stack: getPlaces(thrown) };
}

function getPlaces({ message, stack = "" }: Error): string {
  // The message comes first, and may have lines that look like stack frames.
  const frames = stack.slice(Math.max(0, stack.indexOf(message)) + message.length);
  const places = frames.split("\n").filter((line) => PLACE.test(line));
  return places.slice(0, MOST_PLACES).join("\n");
}
