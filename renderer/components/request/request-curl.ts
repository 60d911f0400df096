import type { Recording } from "../../../gateway/contract/requests.ts";
import { shellWord } from "../../lib/shell.ts";

/**
 * A recorded request as a command for a POSIX shell. In the place of the key stands `sk-…`, which is no key.
 * @param origin where Postern answers, as http://127.0.0.1:6174
 */
export function curlOf(origin: string, { path, headers, request, answer }: Recording): string {
  const lines = [
    `curl ${shellWord(origin + path)}`,
    `-H 'Authorization: Bearer sk-…'`,
    `-H 'Content-Type: application/json'`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    `--data-raw ${shellWord(request.text)}`,
  ];
  // A stream is shown as it comes.
  if (answer?.type === "text/event-stream") lines.splice(1, 0, "-N");
  return lines.join(" \\\n  ");
}
