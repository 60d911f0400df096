import type { Recording } from "../../../gateway/contract/requests.ts";
import { curlSample } from "../../lib/samples/curl.ts";

/**
 * A recorded request as a command for a POSIX shell. In the place of the key stands `sk-…`, which is no key.
 * @param origin where Postern answers, as http://127.0.0.1:6174
 */
export function curlOf(origin: string, { path, headers, request, response }: Recording): string {
  const streams = response?.type === "text/event-stream";
  return curlSample(origin, { path, headers, body: request.text, streams }, { text: "sk-…" });
}
