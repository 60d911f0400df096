import { Readable } from "node:stream";
import { runPostern } from "../../../main/launch/postern.ts";

/** What one call of the command left behind. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** What a call finds in its environment and on standard input. */
export interface Terminal {
  readonly environment?: NodeJS.ProcessEnv;
  readonly input?: string;
}

/** Runs `postern …` in this process. */
export async function postern(
  argv: readonly string[],
  { environment = {}, input = "" }: Terminal = {},
): Promise<Ended> {
  const out: string[] = [];
  const error: string[] = [];
  const terminal = {
    input: Readable.from([input]),
    out: (line: string) => void out.push(line),
    error: (line: string) => void error.push(line),
  };
  const code = await runPostern(argv, { HOME: "/home/nobody", USERPROFILE: "C:\\nobody", ...environment }, terminal);
  return { code, out: out.join("\n"), error: error.join("\n") };
}
