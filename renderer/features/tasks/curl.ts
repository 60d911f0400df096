import { shellWord } from "../../lib/shell.ts";

/**
 * The submission of a task as a command for a POSIX shell. The key is a variable: a command that is pasted somewhere
 * gives nothing away.
 * @param origin where Postern answers, as http://127.0.0.1:6174
 */
export function curlOf(origin: string, request: Readonly<Record<string, unknown>>): string {
  return [
    `curl ${shellWord(`${origin}/v1/videos/generations`)} \\`,
    `  -H "Authorization: Bearer $POSTERN_API_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${shellWord(JSON.stringify(request))}`,
  ].join("\n");
}

/** Whether media that were sent inside a request are left out of what is kept of it. */
export const hasOmitted = (request: unknown): boolean => /"data:[^"]*;omitted,\d+"/.test(JSON.stringify(request) ?? "");
