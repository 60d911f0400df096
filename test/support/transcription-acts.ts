import { formOf } from "./forms.ts";
import { KEY, type TestGateway } from "./running-gateway.ts";
import { samplesOf, wavFile } from "./sound.ts";

type Texts = Readonly<Record<string, string | readonly string[]>>;

/** A sound of so many seconds. */
export const soundOf = (seconds: number): Buffer => wavFile(samplesOf(seconds));

/** A request as clients write it; lists are repeated. */
export function soundForm(fields: Texts, sound: Buffer | null = soundOf(6), fileName = "speech.wav"): FormData {
  const form = formOf({}, sound === null ? [] : [["file", sound, fileName]]);
  for (const [name, value] of Object.entries({ model: "whisper-1", ...fields })) {
    for (const text of [value].flat()) form.append(name, text);
  }
  return form;
}

export function transcribe(
  postern: TestGateway,
  form: FormData,
  { key = KEY, path = "transcriptions", ...init }: RequestInit & { key?: string; path?: string } = {},
): Promise<Response> {
  return fetch(`${postern.url}/v1/audio/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: form,
    ...init,
  });
}

/** A whole response of OpenAI's, of six seconds. */
export const TRANSCRIPT = { text: "The kettle whistles.", usage: { type: "duration", seconds: 6 } };
