/** A call of Postern's API, as a program makes it. */
export interface SampleRequest {
  /** Path, such as `/v1/chat/completions`. */
  readonly path: string;
  readonly body: SampleBody | FormData;
}

/** A body of JSON. */
export type SampleBody = Readonly<Record<string, unknown>>;

/** The key itself, or an environment variable with it, so that pasted code reveals nothing. */
export type SampleKey = { readonly variable: string } | { readonly text: string };

export const KEY_VARIABLE: SampleKey = { variable: "POSTERN_API_KEY" };

/** A form field: text, or a file with its name. */
export interface FormPart {
  readonly name: string;
  readonly value: string;
  readonly file: boolean;
}

export const listParts = (form: FormData): readonly FormPart[] =>
  [...form].map(([name, value]) =>
    typeof value === "string" ? { name, value, file: false } : { name, value: value.name, file: true },
  );

/** Whether the response is sound and no JSON. */
export const isSound = (path: string): boolean => path.endsWith("/audio/speech");

/** Returns the file name for a recording. */
export function formatSoundFile({ response_format: format }: SampleBody): string {
  return `speech.${typeof format === "string" && /^\w{1,8}$/.test(format) ? format : "mp3"}`;
}
