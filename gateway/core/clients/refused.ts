import { GatewayError } from "../errors.ts";

/** Creates the error for a configuration file that Postern does not change: the reason and what the user can do. */
export function createRefusal(reason: string): GatewayError {
  return new GatewayError("conflict", reason);
}

/** The line of an offset, counted from 1. */
export function readLine(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
