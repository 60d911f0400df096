import { readDocument } from "../../core/imports/documents.ts";
import type { DocumentRead } from "../../core/imports/documents.ts";
import { findLines, parseFile } from "../../core/setup/parse-file.ts";
import type { FileProblem, ParsedFile } from "../../core/setup/parse-file.ts";
import type { ThreadTask } from "../media/media-container.ts";

/** Max characters of a text that is parsed on the main thread, in a few milliseconds. */
const SMALL = 2_048;
const TOO_SLOW = "The file takes too long to read. Split it into several files.";

/** `readDocument`, of a large text in the thread of files. */
export const readDocumentApart = async (name: string, text: string): Promise<DocumentRead> =>
  text.length <= SMALL
    ? readDocument(name, text)
    : runApart<DocumentRead>({ kind: "document", name, text }, { data: undefined, problem: TOO_SLOW });

/** `parseFile`, of a large text in the thread of files. */
export const parseFileApart = async (text: string): Promise<ParsedFile | readonly FileProblem[]> =>
  text.length <= SMALL
    ? parseFile(text)
    : runApart<ParsedFile | readonly FileProblem[]>({ kind: "setup", text }, [{ line: null, message: TOO_SLOW }]);

/** `findLines`, of a large text in the thread of files. */
export const findLinesApart = async (
  text: string,
  paths: readonly (readonly PropertyKey[])[],
): Promise<readonly (number | null)[]> =>
  text.length <= SMALL
    ? findLines(text, paths)
    : runApart<readonly (number | null)[]>({ kind: "lines", text, paths }, []);

/** @param otherwise message if the thread ends early */
async function runApart<T>(task: ThreadTask, otherwise: T): Promise<T> {
  const { runInThread } = await import("../media/media-container.ts");
  return runInThread<T>(task).catch(() => otherwise);
}
