import { formatShellWord } from "../shell.ts";
import { isSound, listParts as getParts, formatSoundFile, type SampleBody, type SampleKey } from "./sample-request.ts";

export interface CurlRequest {
  readonly path: string;
  /** A text is sent as it is. */
  readonly body: SampleBody | FormData | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the response is streamed, if the body does not tell. */
  readonly streams?: boolean;
}

/**
 * Formats a call as a POSIX shell command.
 * @param origin Postern's own origin, e.g. http://127.0.0.1:6174
 */
export function formatCurlSample(
  origin: string,
  { path, body, headers = {}, streams }: CurlRequest,
  key: SampleKey,
): string {
  const json = typeof body === "object" && !(body instanceof FormData) ? body : {};
  // A stream is shown as it comes.
  const open = (streams ?? json["stream"] === true) ? "curl -N" : "curl";
  return [
    `${open} ${formatShellWord(origin + path)}`,
    `-H ${"text" in key ? formatShellWord(`Authorization: Bearer ${key.text}`) : `"Authorization: Bearer $${key.variable}"`}`,
    ...(body instanceof FormData ? [] : [`-H 'Content-Type: application/json'`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${formatShellWord(`${name}: ${value}`)}`),
    ...(body instanceof FormData ? listFormArguments(body) : [formatDataArgument(body)]),
    ...(isSound(path) ? [`-o ${formatSoundFile(json)}`] : []),
  ].join(" \\\n  ");
}

/** A text may begin with @, which -d treats as a file name; JSON never does. */
const formatDataArgument = (body: SampleBody | string): string =>
  typeof body === "string" ? `--data-raw ${formatShellWord(body)}` : `-d ${formatShellWord(JSON.stringify(body))}`;

const listFormArguments = (form: FormData): readonly string[] =>
  getParts(form).map(({ name, value, file }) =>
    file
      ? `-F ${formatShellWord(`${name}=@${formatFileName(value)}`)}`
      : // This option takes text literally.
        `--form-string ${formatShellWord(`${name}=${value}`)}`,
  );

/** Quotes a file name for -F, which treats a comma as a second file and a semicolon as the end of the name. */
const formatFileName = (name: string): string =>
  /[,;"\\]/.test(name) ? `"${name.replaceAll("\\", String.raw`\\`).replaceAll('"', String.raw`\"`)}"` : name;
